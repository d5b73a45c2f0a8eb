// Cache of the most recently used entries, for limits so large that memory should only be allocated when needed.
import { LRUCache } from 'lru-cache';

/**
 * Creates a cache without the library's `max`, which allocates all places at once: 5 ms per 50,000 places, and their
 * memory.
 */
export function lruCache<Key extends string, Value extends object | number | true>(
  maxEntries: number,
): LRUCache<Key, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
