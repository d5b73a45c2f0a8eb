// Reading typed arrays where the index is known to be inside.

/** Out of range reads as 0, which no caller relies on. */
export function at(numbers: Readonly<ArrayLike<number>>, index: number): number {
  return numbers[index] ?? 0;
}

/** Turns counts, kept one place to the right, into the places where each group begins. */
export function sumUp(counts: Uint32Array): void {
  for (let index = 1; index < counts.length; index++) counts[index] = at(counts, index) + at(counts, index - 1);
}

export function increment(counts: Uint32Array | Uint8Array | Int32Array, index: number): number {
  const before = at(counts, index);
  counts[index] = before + 1;
  return before;
}

export interface IntegerList {
  push(value: number): void;
  readonly length: () => number;
  at(index: number): number;
}

const CHUNK_BITS = 15;

/** A list that grows without being copied: growing an array of millions stops everything for 50 ms. */
export function createIntegerList(): IntegerList {
  const chunks: Int32Array[] = [];
  let length = 0;
  return {
    push(value) {
      const inside = length & (2 ** CHUNK_BITS - 1);
      if (inside === 0) chunks.push(new Int32Array(2 ** CHUNK_BITS));
      const chunk = chunks[length >> CHUNK_BITS];
      if (chunk) chunk[inside] = value;
      length++;
    },
    length: () => length,
    at: (index) => chunks[index >> CHUNK_BITS]?.[index & (2 ** CHUNK_BITS - 1)] ?? 0,
  };
}
