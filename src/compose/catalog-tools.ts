// Services of the commands about the catalog.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig } from '../../config/catalog.js';
import { openSanitizer } from '../adapters/workers/sanitizer.js';
import type { CatalogStore } from '../ports/catalog-store.js';
import {
  importCatalog,
  type ImportOptions,
  type ImportProgress,
  type ImportSummary,
} from '../services/catalog/import-catalog.js';
import { createCatalogListing, type CatalogListing } from '../services/catalog/catalog-listing.js';
import { createWithdrawals, type Withdrawals } from '../services/catalog/withdrawals.js';
import { openCommandStores, type StoresEnv } from './open-stores.js';

export interface CatalogTools {
  readonly store: CatalogStore;
  readonly listing: CatalogListing;
  readonly withdrawals: Withdrawals;
  importSources(
    onProgress: (progress: ImportProgress) => void,
    sources: ImportOptions['sources'],
  ): Promise<ImportSummary>;
  close(): Promise<void>;
}

/** The catalog alone; may be used beside a running service. */
export async function openCatalogTools(env: StoresEnv): Promise<CatalogTools> {
  const policy = { ...readCatalogConfig(), hosts: readBrandFacts().hosts };
  const stores = await openCommandStores(env, { now: Date.now, onError: () => undefined });
  const store = stores.catalog;
  const withdrawals = createWithdrawals({ store, now: Date.now });

  async function importSources(
    onProgress: (progress: ImportProgress) => void,
    sources: ImportOptions['sources'],
  ): Promise<ImportSummary> {
    const sanitizer = openSanitizer();
    try {
      return await importCatalog({ sources, store, sanitizer, policy, onProgress });
    } finally {
      await sanitizer.close();
    }
  }

  return {
    store,
    listing: createCatalogListing({ store, withdrawals }),
    withdrawals,
    importSources,
    close: () => stores.close(),
  };
}
