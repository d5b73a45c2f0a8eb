// Search in the current index, with a cache of outcomes.
import { LRUCache } from 'lru-cache';
import { canonicalQuery, type SearchOutcome, type SearchQuery } from '../domain/search/query.js';
import type { SearchIndex } from '../domain/search/search-index.js';
import { readyIndexes, type CatalogIndex } from './catalog/indexes.js';
import type { Turns } from './turns.js';

export type Search = ReturnType<typeof createSearch>;

interface Options {
  readonly index: Pick<CatalogIndex, 'current' | 'peek'>;
  readonly turns: Turns;
}

const CACHE_BYTES = 16 * 2 ** 20;
/** A result's own strings and arrays; what it shares with the index costs nothing. */
const BYTES_PER_RESULT = 400;
const BYTES_PER_PAGE = 6_000;

export function createSearch({ index, turns }: Options) {
  const cache = new LRUCache<string, SearchOutcome>({ maxSize: CACHE_BYTES, sizeCalculation: sizeOf });
  let cached: SearchIndex | undefined;

  return {
    /** Why `search` would reject it; undefined: it would not. */
    rejection: async (query: SearchQuery) => (await readyIndexes(index)).search.rejection(query),

    /** The same query gives the same (frozen in meaning) object while the catalog does not change. */
    async search(query: SearchQuery, caller: string): Promise<SearchOutcome> {
      const { search } = await readyIndexes(index);
      if (search !== cached) {
        cache.clear();
        cached = search;
      }
      const key = `${query.limit} ${query.cursor ?? ''} ${canonicalQuery(query)}`;
      const known = cache.get(key);
      if (known) return known;
      const outcome = await turns.run(caller, search.search(query));
      if (search === cached) cache.set(key, outcome);
      return outcome;
    },
  };
}

function sizeOf(outcome: SearchOutcome, key: string): number {
  const results = outcome.kind === 'page' ? outcome.page.results.length : 0;
  return key.length * 2 + BYTES_PER_PAGE + results * BYTES_PER_RESULT;
}
