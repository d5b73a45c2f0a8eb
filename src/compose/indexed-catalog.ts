// The catalog for requests, with the indexes that follow it (search, brands, icon sets), and the service before it has one.
import type { Logger } from 'pino';
import type { BrandFacts } from '../brands/brand-index.js';
import type { Kind } from '../catalog/kinds.js';
import { bundleUpdate, type BundleUpdate } from '../catalog/bundle-update.js';
import { openCatalog } from '../catalog/catalog.js';
import type { ImportProgress } from '../catalog/import/import-progress.js';
import { openCatalogIndex } from '../brands/indexes.js';
import { openIconSets } from '../iconify/icon-sets.js';
import type { Stores } from './stores.js';
import { bundledCatalog } from './bundled-catalog.js';

export type IndexedCatalog = Awaited<ReturnType<typeof openIndexedCatalog>>;
export type FirstImport = IndexedCatalog['firstImport'];

/** The operator's facts, beside those of the catalog. */
export interface CatalogFacts {
  readonly brandFacts: BrandFacts;
  readonly kinds: readonly Kind[];
}

interface Options {
  readonly facts: CatalogFacts;
  readonly bounds: Parameters<typeof openCatalog>[0]['bounds'];
  readonly log: Logger;
}

export async function openIndexedCatalog(stores: Stores, { facts, bounds, log }: Options) {
  const onError = (error: unknown) => log.error({ err: error }, 'reading the catalog failed; trying again');
  const catalog = await openCatalog({ store: stores.catalog, bounds, onPollError: onError });
  // The index follows the catalog service, so that both answer from the same generation.
  const followed = {
    state: async () => catalog.state(),
    entries: () => stores.catalog.entries(),
    sources: () => stores.catalog.sources(),
  };
  const index = openCatalogIndex({ catalog: followed, ...facts, onError });
  const iconSets = openIconSets({ catalog: followed, onError });
  // Finds damage in the part of a large file that the check at start leaves out.
  await stores.readIntact(() => index.current());
  catalog.onGeneration(() => {
    index.refresh().catch(onError);
    // Built by the first request that needs them, and kept up to date from then on.
    if (iconSets.peek()) iconSets.refresh().catch(onError);
  });
  let progress: ImportProgress | undefined;

  return {
    catalog,
    index,
    iconSets,
    firstImport: {
      catalogIsEmpty: (): boolean => catalog.state() === undefined,
      /** Pages cannot be served: the catalog is empty, or its index is not built yet. */
      isStarting: (): boolean => !catalog.state() || !index.peek()?.generation,
      /** Takes up what another process imported, at once. */
      async refreshCatalog(): Promise<void> {
        await catalog.refresh();
        await index.refresh();
        if (iconSets.peek()) await iconSets.refresh();
      },
      showImport: (shown: ImportProgress): void => void (progress = shown),
      /** The last one that was shown. */
      importProgress: (): ImportProgress | undefined => progress,
      /** The change of an older bundled catalog to that of this release; undefined: there is nothing to change. */
      async bundleUpdate(): Promise<BundleUpdate | undefined> {
        const bundle = bundledCatalog();
        return bundle && bundleUpdate(bundle.facts, await stores.catalog.sources());
      },
      /** Removes what an import has written that was broken off; false while another process has the right to import. */
      async discardImport(): Promise<boolean> {
        // An import begins by removing what earlier ones have left.
        const session = await stores.catalog.beginImport();
        await session?.close();
        return session !== undefined;
      },
    },
    async close(): Promise<void> {
      await Promise.all([index.close(), iconSets.close()]);
      catalog.close();
    },
  };
}
