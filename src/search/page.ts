// Selects the matches of one result page by their order keys, and counts the facets of all matches.
import type { SharedLists } from './shared-lists.js';
import { at, increment } from '../platform/typed-arrays.js';
import type { Facet } from './query.js';

/**
 * Returns the `limit` smallest keys above `after` in ascending order, and whether there are more. Works fastest if the
 * keys are already mostly ascending.
 */
export function smallest(
  keys: Float64Array,
  after: number,
  limit: number,
): { readonly page: readonly number[]; readonly more: boolean } {
  const page: number[] = [];
  let above = 0;
  for (const key of keys) {
    if (key <= after) continue;
    above++;
    if (page.length === limit && key > (page.at(-1) ?? 0)) continue;
    let place = page.length;
    while (place > 0 && (page[place - 1] ?? 0) > key) place--;
    page.splice(place, 0, key);
    if (page.length > limit) page.pop();
  }
  return { page, more: above > limit };
}

export const MAX_FACET_VALUES = 50;

/** Returns how many of these documents have each value, most frequent value first. */
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
