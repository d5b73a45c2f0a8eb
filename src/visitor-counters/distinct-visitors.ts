// Distinct visitors in bounded memory: exact up to a limit, estimated from the smallest hashes beyond it.

/** Hashes that are kept. The standard error of the estimate is 1 / sqrt(LIMIT - 2), some 2.2 %. */
const LIMIT = 2048;
/** Hashes are whole numbers below this, evenly distributed. */
const HASH_RANGE = 2 ** 48;
const HASH_HEX_DIGITS = 12;
const FIRST_CAPACITY = 32;

export type DistinctVisitors = ReturnType<typeof distinctVisitors>;

/**
 * Bottom-k sketch, also k minimum values (Bar-Yossef et al., Counting Distinct Elements in a Data Stream, 2002; the
 * estimator is that of Beyer et al., On Synopses for Distinct-Value Estimation, 2007). `bytes`: of an earlier one.
 */
export function distinctVisitors(bytes: Uint8Array = new Uint8Array()) {
  /** Ascending; the first `size` are set. */
  let smallest = new Float64Array(Uint8Array.from(bytes).buffer);
  let size = smallest.length;

  /** Position of the first that is not smaller. */
  function positionOf(hash: number): number {
    let [from, to] = [0, size];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((smallest[middle] ?? 0) < hash) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  return {
    /** `visitor`: hexadecimal, at least 12 digits, evenly distributed. */
    add(visitor: string): void {
      const hash = Number.parseInt(visitor.slice(0, HASH_HEX_DIGITS), 16);
      const at = positionOf(hash);
      if (at === LIMIT || (at < size && smallest[at] === hash)) return;
      if (size === smallest.length && size < LIMIT) smallest = enlarged(smallest);
      if (size < LIMIT) size++;
      smallest.copyWithin(at + 1, at, size - 1);
      smallest[at] = hash;
    },
    count: (): number => (size < LIMIT ? size : Math.round((LIMIT - 1) / ((smallest[LIMIT - 1] ?? 0) / HASH_RANGE))),
    /** For `distinctVisitors`, at most 16 KB. */
    bytes: (): Uint8Array => new Uint8Array(smallest.slice(0, size).buffer),
  };
}

function enlarged(hashes: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.min(LIMIT, Math.max(FIRST_CAPACITY, 2 * hashes.length)));
  larger.set(hashes);
  return larger;
}
