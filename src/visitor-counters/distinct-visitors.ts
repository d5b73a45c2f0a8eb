// Counts distinct visitors in bounded memory. Up to a limit, the count is exact. Above the limit, it is estimated from
// the smallest hashes.

/** Maximum number of hashes that are kept. The standard error of the estimate is 1 / sqrt(LIMIT - 2), about 2.2 %. */
const LIMIT = 2048;
/** Upper bound of hashes. Hashes are evenly distributed whole numbers. */
const HASH_RANGE = 2 ** 48;
const HASH_HEX_DIGITS = 12;
const FIRST_CAPACITY = 32;

export type DistinctVisitors = ReturnType<typeof distinctVisitors>;

/**
 * Creates a bottom-k sketch, also called k minimum values (Bar-Yossef et al., Counting Distinct Elements in a Data
 * Stream, 2002). The estimator is from Beyer et al., On Synopses for Distinct-Value Estimation, 2007. `bytes`: an
 * earlier sketch to continue.
 */
export function distinctVisitors(bytes: Uint8Array = new Uint8Array()) {
  /** The smallest hashes, ascending. Only the first `size` elements are valid. */
  let smallest = new Float64Array(Uint8Array.from(bytes).buffer);
  let size = smallest.length;

  /** Returns the position of the first stored hash that is not less than `hash`. */
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
    /** Adds a visitor. `visitor` is a hash with at least 12 hexadecimal digits, evenly distributed. */
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
    /**
     * Returns the state of the count as bytes, at most 16 KB. Pass these bytes to `distinctVisitors` to continue
     * counting.
     */
    bytes: (): Uint8Array => new Uint8Array(smallest.slice(0, size).buffer),
  };
}

function enlarged(hashes: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.min(LIMIT, Math.max(FIRST_CAPACITY, 2 * hashes.length)));
  larger.set(hashes);
  return larger;
}
