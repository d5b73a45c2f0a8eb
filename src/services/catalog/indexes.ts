// Indexes of search and brand lookup: built together from each new generation, in slices beside the requests.
import { createBrandIndexBuilder, type BrandFacts, type BrandIndex } from '../../domain/brand/brand-index.js';
import type { Entry } from '../../domain/catalog/entry.js';
import { createSearchIndexBuilder, type SearchIndex } from '../../domain/search/search-index.js';
import type { CatalogStore } from '../../ports/catalog-store.js';
import { catalogMissingError } from './catalog.js';
import { inSlices, openGenerationIndex, type GenerationIndex, type Pause } from './generation-index.js';

export type CatalogIndex = GenerationIndex<CatalogIndexes>;

export interface CatalogIndexes {
  readonly generation: number;
  readonly search: SearchIndex;
  readonly brands: BrandIndex;
}

/** The newest indexes that are ready. Throws AppError `unavailable` before the first import. */
export async function readyIndexes(index: Pick<CatalogIndex, 'current' | 'peek'>): Promise<CatalogIndexes> {
  const indexes = index.peek() ?? (await index.current());
  if (indexes.generation === 0) throw catalogMissingError();
  return indexes;
}

interface CatalogIndexOptions {
  readonly catalog: Pick<CatalogStore, 'state' | 'entries'>;
  readonly brandFacts: BrandFacts;
  /** ms of a clock that is never set back */
  readonly now: () => number;
  /** Called with the error of a failed rebuild; the old index stays in use and the next check tries again. */
  readonly onError: (error: unknown) => void;
}

export function openCatalogIndex({ catalog, brandFacts, now, onError }: CatalogIndexOptions): CatalogIndex {
  return openGenerationIndex({
    state: () => catalog.state(),
    build: (state, pause) =>
      buildIndexes({ entries: catalog.entries(), generation: state?.generation ?? 0, brandFacts, pause }),
    now,
    onError,
  });
}

interface Build {
  readonly entries: AsyncIterable<Entry>;
  readonly generation: number;
  readonly brandFacts: BrandFacts;
  readonly pause: Pause;
}

export async function buildIndexes({ entries, generation, brandFacts, pause }: Build): Promise<CatalogIndexes> {
  const search = createSearchIndexBuilder();
  const brands = createBrandIndexBuilder(brandFacts);
  for await (const entry of entries) {
    search.add(entry);
    brands.add(entry);
    const over = pause();
    if (over) await over;
  }
  const finished = await inSlices(search.finish(generation), pause);
  return { generation, search: finished, brands: brands.finish((slug) => rankOf(finished, slug)) };
}

function rankOf(search: SearchIndex, slug: string): number {
  return search.named(slug).find((named) => named.slug === slug)?.rank ?? Infinity;
}
