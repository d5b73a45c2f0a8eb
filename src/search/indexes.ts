// Indexes of search and brand lookup. They are rebuilt for each version of the catalog, in time slices, while requests
// run.
import { collectBrandClaims, type BrandFacts, type BrandIndex } from './brand-index.js';
import type { Kind } from '../catalog/kinds.js';
import { collectDocuments } from './documents.js';
import { createSearchIndex, type SearchIndex } from './search-index.js';
import type { CatalogStore } from '../catalog/catalog-store.js';
import { catalogMissingError } from '../catalog/catalog.js';
import { inSlices, openGenerationIndex, type GenerationIndex, type Pause } from '../catalog/generation-index.js';

export type CatalogIndex = GenerationIndex<CatalogIndexes>;

export interface CatalogIndexes {
  readonly generation: number;
  readonly search: SearchIndex;
  readonly brands: BrandIndex;
}

/** Returns the newest indexes that are ready. Throws AppError `unavailable` before the first import. */
export async function readyIndexes(index: Pick<CatalogIndex, 'current' | 'peek'>): Promise<CatalogIndexes> {
  const indexes = index.peek() ?? (await index.current());
  if (indexes.generation === 0) throw catalogMissingError();
  return indexes;
}

interface CatalogIndexOptions {
  readonly catalog: Pick<CatalogStore, 'state' | 'entries'>;
  readonly brandFacts: BrandFacts;
  readonly kinds: readonly Kind[];
  /** Called with the error of a failed rebuild. The old index stays in use until a later rebuild succeeds. */
  readonly onError: (error: unknown) => void;
}

export function openCatalogIndex({ catalog, brandFacts, kinds, onError }: CatalogIndexOptions): CatalogIndex {
  return openGenerationIndex({
    catalog,
    build: (state, pause) =>
      buildIndexes({ entries: catalog.entries(), generation: state?.generation ?? 0, brandFacts, kinds, pause }),
    onError,
  });
}

interface Build {
  readonly entries: ReturnType<CatalogStore['entries']>;
  readonly generation: number;
  readonly brandFacts: BrandFacts;
  readonly kinds: readonly Kind[];
  readonly pause: Pause;
}

export async function buildIndexes({ entries, generation, brandFacts, kinds, pause }: Build): Promise<CatalogIndexes> {
  const documents = collectDocuments(kinds);
  const claims = collectBrandClaims(brandFacts);
  for await (const entry of entries) {
    if (!entry.retired) {
      documents.add(entry);
      claims.add(entry);
    }
    const over = pause();
    if (over) await over;
  }
  const search = createSearchIndex(
    await inSlices(documents.finish(), pause),
    generation,
    ({ host }) => host && brands.owner(host),
  );
  const rankOf = (slug: string): number => search.named(slug).find((named) => named.slug === slug)?.rank ?? Infinity;
  const brands = claims.finish(rankOf);
  return { generation, search, brands };
}
