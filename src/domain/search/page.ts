// One page of a search's order keys, and the facet counts beside it.
import type { SharedLists } from './documents.js';
import { at, increment } from './typed-arrays.js';
import type { Facet } from './query.js';

/**
 * The `limit` smallest keys above `after`, ascending, and whether there are more. A heap keeps this linear for short
 * pages.
 */
export function smallest(
  keys: Float64Array,
  after: number,
  limit: number,
): { readonly page: readonly number[]; readonly more: boolean } {
  const heap: number[] = [];
  let above = 0;
  for (let index = 0; index < keys.length; index++) {
    const key = at(keys, index);
    if (key <= after) continue;
    above++;
    if (heap.length < limit) {
      heap.push(key);
      siftUp(heap);
    } else if (key < (heap[0] ?? 0)) {
      heap[0] = key;
      siftDown(heap);
    }
  }
  return { page: heap.sort((a, b) => a - b), more: above > limit };
}

function siftUp(heap: number[]): void {
  for (let index = heap.length - 1; index > 0;) {
    const parent = (index - 1) >> 1;
    const [above, below] = [at(heap, parent), at(heap, index)];
    if (above >= below) return;
    heap[parent] = below;
    heap[index] = above;
    index = parent;
  }
}

function siftDown(heap: number[]): void {
  for (let index = 0; ;) {
    const left = index * 2 + 1;
    const child = (heap[left + 1] ?? -1) > (heap[left] ?? -1) ? left + 1 : left;
    const [above, below] = [at(heap, index), heap[child] ?? -1];
    if (below <= above) return;
    heap[index] = below;
    heap[child] = above;
    index = child;
  }
}

export const MAX_FACET_VALUES = 50;

/** Counts of each value over these documents, most frequent first. */
export function facet({ lists, numbers }: SharedLists, documents: Uint32Array): Facet {
  const byList = new Uint32Array(lists.length);
  for (let index = 0; index < documents.length; index++) increment(byList, at(numbers, at(documents, index)));
  const counts = new Map<string, number>();
  lists.forEach((list, number) => {
    const count = byList[number] ?? 0;
    if (count > 0) for (const value of list) counts.set(value, (counts.get(value) ?? 0) + count);
  });
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_FACET_VALUES);
}
