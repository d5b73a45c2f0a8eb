// Searches the current index, and caches the outcomes.
import { LRUCache } from 'lru-cache';
import type { Steps, Turns } from '../platform/concurrency/time-slices.js';
import type { OwnEntries } from '../catalog/own-entries.js';
import { mergeOwn, placeOf } from './merge-own.js';
import { canonicalQuery, type SearchOutcome, type SearchQuery } from './query.js';
import type { SearchIndex } from './search-index.js';
import { readyIndexes, type CatalogIndex } from './indexes.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';

export type Search = ReturnType<typeof createSearch>;

interface OwnBrands {
  readonly own: OwnEntries;
  readonly pages: string;
}

interface Options {
  readonly index: Pick<CatalogIndex, 'current' | 'peek'>;
  readonly turns: Turns;
  readonly cacheBytes: number;
}

const MAX_SIMILAR = 3;
/** Memory of a result in bytes, without strings and arrays that the result shares with the index. */
const BYTES_PER_RESULT = 400;
const BYTES_PER_PAGE = 6_000;

export function createSearch({ index, turns, cacheBytes }: Options) {
  const cache = new LRUCache<string, SearchOutcome>({ maxSize: cacheBytes, sizeCalculation: sizeOf });
  let cached: SearchIndex | undefined;

  /**
   * Searches the catalog. Returns the same object for equal queries until the catalog changes, so callers must not
   * modify the object.
   */
  async function searchPublic(query: SearchQuery, caller: string): Promise<SearchOutcome> {
    const { search } = await readyIndexes(index);
    if (search !== cached) {
      cache.clear();
      cached = search;
    }
    // Queries with `without` are not cached, because the excluded slugs differ between accounts.
    if (query.without !== undefined) return turns.run(caller, search.search(query));
    const key = `${query.limit} ${query.cursor ?? ''} ${canonicalQuery(query)}`;
    const known = cache.get(key);
    if (known) return known;
    const outcome = await turns.run(caller, search.search(query));
    if (search === cached) cache.set(key, outcome);
    return outcome;
  }

  async function searchBoth(query: SearchQuery, caller: string, { own, pages }: OwnBrands): Promise<SearchOutcome> {
    const place = placeOf(query, pages);
    if ('kind' in place) return place;
    const { search } = await readyIndexes(index);
    const limit = place.own + query.limit;
    const mine = await turns.run(caller, (await own.search()).search({ ...query, cursor: undefined, limit }));
    if (mine.kind !== 'page') return mine;
    const without = await hiddenBy(own, search);
    return mergeOwn(
      query,
      { place, state: pages },
      { own: mine.page, others: (page) => searchPublic({ ...query, ...page, without }, caller) },
    );
  }

  return {
    /**
     * Returns at most three slugs of entries with a similar name, own brands first. While the index of the catalog is
     * not ready, returns only own brands.
     */
    async similar(name: string, { own }: AccountCatalog): Promise<readonly string[]> {
      const mine = own ? (await own.search()).near(name) : [];
      const others = index.peek()?.search.near(name) ?? [];
      return [...new Set([...mine, ...others])].slice(0, MAX_SIMILAR);
    },

    async search(query: SearchQuery, caller: string, catalog?: AccountCatalog): Promise<SearchOutcome> {
      return catalog?.own
        ? searchBoth(query, caller, { own: catalog.own, pages: catalog.ownBrandPageIds })
        : searchPublic(query, caller);
    },
  };
}

/**
 * Returns the slugs of catalog entries that are replaced by an account's own brands. Returns undefined if there are
 * none.
 */
function hiddenBy(own: OwnEntries, search: SearchIndex): Promise<Hidden> {
  const known = hidden.get(own);
  if (known?.search === search) return known.slugs;
  const slugs = own.run(hiddenSlugs(own, search));
  hidden.set(own, { search, slugs });
  return slugs;
}

type Hidden = ReadonlySet<string> | undefined;

/** Cached results of `hiddenBy`. A result is valid only for the index of the catalog for which it was computed. */
const hidden = new WeakMap<OwnEntries, { readonly search: SearchIndex; readonly slugs: Promise<Hidden> }>();

/** Number of slugs to compare between two yields. */
const STEP_SLUGS = 100;

function* hiddenSlugs(own: OwnEntries, search: SearchIndex): Steps<Hidden> {
  const slugs = new Set<string>();
  for (const [at, slug] of own.slugs().entries()) {
    if (search.named(slug).some((named) => named.slug === slug)) slugs.add(slug);
    if (at % STEP_SLUGS === 0) yield;
  }
  return slugs.size === 0 ? undefined : slugs;
}

function sizeOf(outcome: SearchOutcome, key: string): number {
  const results = outcome.kind === 'page' ? outcome.page.results.length : 0;
  return key.length * 2 + BYTES_PER_PAGE + results * BYTES_PER_RESULT;
}
