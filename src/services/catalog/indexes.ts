// Indexes of search and brand lookup: built together from each new generation, in slices beside the requests.
import { setImmediate as nextTick } from 'node:timers/promises';
import { createBrandIndexBuilder, type BrandFacts, type BrandIndex } from '../../domain/brand/brand-index.js';
import type { Entry } from '../../domain/catalog/entry.js';
import { createSearchIndexBuilder, type SearchIndex } from '../../domain/search/search-index.js';
import type { CatalogStore } from '../../ports/catalog-store.js';

export interface CatalogIndex {
  /** The newest index that is ready. Waits only for the very first; rejects when that cannot be built. */
  current(): Promise<CatalogIndexes>;
  /** The same without waiting; undefined before the first is ready. */
  peek(): CatalogIndexes | undefined;
  /** Waits for the index of the catalog as it is now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface CatalogIndexes {
  readonly generation: number;
  readonly search: SearchIndex;
  readonly brands: BrandIndex;
}

interface CatalogIndexOptions {
  readonly catalog: Pick<CatalogStore, 'state' | 'entries'>;
  readonly brandFacts: BrandFacts;
  /** ms of a clock that is never set back */
  readonly now: () => number;
  /** Called with the error of a failed rebuild; the old index stays in use and the next check tries again. */
  readonly onError: (error: unknown) => void;
}

/** How long another process's import may stay unnoticed. */
const CHECK_EVERY_MS = 250;
/** Longest stretch of building without letting requests run. */
const SLICE_MS = 4;

export function openCatalogIndex({ catalog, brandFacts, now, onError }: CatalogIndexOptions): CatalogIndex {
  let ready: CatalogIndexes | undefined;
  let building: Promise<CatalogIndexes> | undefined;
  let checkedAt = -Infinity;
  let closed = false;

  async function rebuildIfChanged(): Promise<CatalogIndexes> {
    const generation = (await catalog.state())?.generation ?? 0;
    if (ready?.generation === generation) return ready;
    const built = await buildIndexes({ entries: catalog.entries(), generation, brandFacts, isClosed: () => closed });
    ready = built;
    return built;
  }

  function check(): Promise<CatalogIndexes> {
    checkedAt = now();
    building ??= rebuildIfChanged().finally(() => {
      building = undefined;
    });
    return building;
  }

  return {
    async current() {
      if (!ready) return check();
      if (now() - checkedAt >= CHECK_EVERY_MS && !closed) check().catch(onError);
      return ready;
    },
    peek() {
      if (now() - checkedAt >= CHECK_EVERY_MS && !closed) check().catch(onError);
      return ready;
    },
    async refresh() {
      await building?.catch(() => undefined);
      await check();
    },
    async close() {
      closed = true;
      await building?.catch(() => undefined);
    },
  };
}

interface Build {
  readonly entries: AsyncIterable<Entry>;
  readonly generation: number;
  readonly brandFacts: BrandFacts;
  readonly isClosed: () => boolean;
}

export async function buildIndexes({ entries, generation, brandFacts, isClosed }: Build): Promise<CatalogIndexes> {
  const search = createSearchIndexBuilder();
  const brands = createBrandIndexBuilder(brandFacts);
  let sliceEnds = performance.now() + SLICE_MS;
  const pause = async () => {
    await nextTick();
    if (isClosed()) throw new Error('closed while building the index');
    sliceEnds = performance.now() + SLICE_MS;
  };
  for await (const entry of entries) {
    search.add(entry);
    brands.add(entry);
    if (performance.now() >= sliceEnds) await pause();
  }
  const finishing = search.finish(generation);
  for (let step = finishing.next(); ; step = finishing.next()) {
    if (step.done) return { generation, search: step.value, brands: brands.finish((slug) => rankOf(step.value, slug)) };
    if (performance.now() >= sliceEnds) await pause();
  }
}

function rankOf(search: SearchIndex, slug: string): number {
  return search.named(slug).find((named) => named.slug === slug)?.rank ?? Infinity;
}
