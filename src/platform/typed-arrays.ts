// Helpers for typed arrays: reading elements, summing counts, and growing lists.

/**
 * Returns the number at an index that is known to be valid. The value 0 for other indexes only satisfies the type
 * checker.
 */
export function at(numbers: Readonly<ArrayLike<number>>, index: number): number {
  return numbers[index] ?? 0;
}

/**
 * Replaces each count by the sum of all counts up to it. If the count of group n is stored at index n + 1, the result
 * at index n is the number of items before group n.
 */
export function sumUp(counts: Uint32Array): void {
  for (let index = 1; index < counts.length; index++) counts[index] = at(counts, index) + at(counts, index - 1);
}

export function increment(counts: Uint32Array | Uint8Array | Int32Array, index: number): number {
  const before = at(counts, index);
  counts[index] = before + 1;
  return before;
}

export type IntegerList = ReturnType<typeof createIntegerList>;

const CHUNK_BITS = 15;

/**
 * Creates a list that grows in chunks, because copying an array with millions of numbers would block the event loop for
 * 50 ms.
 */
export function createIntegerList() {
  const chunks: Int32Array[] = [];
  let length = 0;
  return {
    push(value: number): void {
      const inside = length & (2 ** CHUNK_BITS - 1);
      if (inside === 0) chunks.push(new Int32Array(2 ** CHUNK_BITS));
      const chunk = chunks[length >> CHUNK_BITS];
      if (chunk) chunk[inside] = value;
      length++;
    },
    length: (): number => length,
    at: (index: number): number => chunks[index >> CHUNK_BITS]?.[index & (2 ** CHUNK_BITS - 1)] ?? 0,
  };
}
