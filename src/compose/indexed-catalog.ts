// The catalog for requests, with the indexes that follow it: search, brands, icon sets.
import type { Logger } from 'pino';
import type { BrandFacts } from '../domain/brand/brand-index.js';
import { openCatalog } from '../services/catalog/catalog.js';
import { openCatalogIndex } from '../services/catalog/indexes.js';
import { openIconSets } from '../services/iconify/icon-sets.js';
import type { Stores } from './stores.js';

export async function openIndexedCatalog(stores: Stores, brandFacts: BrandFacts, log: Logger) {
  const onError = (error: unknown) => log.error({ err: error }, 'reading the catalog failed; trying again');
  const catalog = await openCatalog({ store: stores.catalog, onPollError: onError });
  // The index follows the catalog service, so that both answer from the same generation.
  const followed = {
    state: async () => catalog.state(),
    entries: () => stores.catalog.entries(),
    sources: () => stores.catalog.sources(),
  };
  const now = () => performance.now();
  const index = openCatalogIndex({ catalog: followed, brandFacts, now, onError });
  const iconSets = openIconSets({ catalog: followed, now, onError });
  // Finds damage in the part of a large file that the check at start leaves out.
  await stores.orDamaged(() => index.current());
  catalog.onGeneration(() => {
    index.refresh().catch(onError);
    // Built by the first request that needs them, and kept up to date from then on.
    if (iconSets.peek()) iconSets.refresh().catch(onError);
  });
  return {
    catalog,
    index,
    iconSets,
    refresh: async (): Promise<void> => {
      await catalog.refresh();
      await index.refresh();
      if (iconSets.peek()) await iconSets.refresh();
    },
    close: async (): Promise<void> => {
      await Promise.all([index.close(), iconSets.close()]);
      catalog.close();
    },
  };
}
