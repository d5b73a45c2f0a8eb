// Search index and brand index of given entries.
import type { BrandFacts } from '../../src/search/brand-index.js';
import type { Kind } from '../../src/catalog/kinds.js';
import type { Entry } from '../../src/catalog/entry.js';
import type { SearchIndex } from '../../src/search/search-index.js';
import type { SearchPage, SearchQuery } from '../../src/search/query.js';
import { finish } from '../../src/platform/concurrency/time-slices.js';
import { each } from './catalog-imports.js';
import { buildIndexes, type CatalogIndexes } from '../../src/search/indexes.js';

const NO_FACTS: BrandFacts = { hosts: {}, everywhere: [], hosting: [] };

export async function indexesOf(
  entries: readonly Entry[],
  brandFacts: BrandFacts = NO_FACTS,
  generation = 1,
  kinds: readonly Kind[] = [],
): Promise<CatalogIndexes> {
  return buildIndexes({ entries: each(entries), generation, brandFacts, kinds, pause: () => undefined });
}

/** Returns the page of results. Throws if the query is rejected. */
export function pageOf(index: SearchIndex, query: Partial<SearchQuery>): SearchPage {
  const outcome = finish(index.search({ limit: 20, ...query }));
  if (outcome.kind !== 'page') throw new Error(`rejected: ${outcome.field} ${outcome.reason}`);
  return outcome.page;
}

export const slugsOf = (page: SearchPage): string[] => page.results.map((result) => result.slug);
