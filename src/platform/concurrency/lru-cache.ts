// A cache of the entries used last, for limits so large that their places are not allocated before they are needed.
import { LRUCache } from 'lru-cache';

/** With its own `max`, the library allocates all places at once: 5 ms for each 50,000, and their memory. */
export function lruCache<Key extends string, Value extends object | number | true>(
  maxEntries: number,
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
