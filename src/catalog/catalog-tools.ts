// Services for the commands about the catalog.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig } from '../../config/catalog.js';
import { openFence } from '../platform/processes/fence.js';
import { openSanitizer } from './sanitizer.worker.js';
import type { Slug } from './entry.js';
import { CATALOG_STORES } from './stores.js';
import { policyDigest } from './import/import-policy.js';
import { importCatalog, type ImportOptions, type ImportSummary } from './import/import-catalog.js';
import type { ImportProgress } from './import/import-progress.js';
import { explainChoice } from './import/explain-choice.js';
import { createCatalogListing } from './catalog-listing.js';
import { createWithdrawals } from './withdrawals.js';
import { openCommandStores, type StoresEnv } from '../platform/stores/open-stores.js';

export type CatalogTools = Awaited<ReturnType<typeof openCatalogTools>>;

/** Opens only the stores of the catalog. Commands can use them while a service runs. */
export async function openCatalogTools(env: StoresEnv) {
  const brandFacts = readBrandFacts();
  const policy = { ...readCatalogConfig(), hosts: brandFacts.hosts };
  const stores = await openCommandStores(env, {
    features: [CATALOG_STORES],
    now: Date.now,
    onError: () => undefined,
  });
  const store = stores.catalog;

  async function importSources(
    onProgress: (progress: ImportProgress) => void,
    sources: ImportOptions['sources'],
    { prune = false, dryRun = false }: Pick<ImportOptions, 'prune' | 'dryRun'> = {},
  ): Promise<ImportSummary> {
    const sanitizer = openSanitizer({ fence: await openFence(env.DATA_DIR) });
    try {
      return await importCatalog({ sources, store, sanitizer, policy, prune, dryRun, onProgress });
    } finally {
      await sanitizer.close();
    }
  }

  return {
    store,
    policyDigest: () => policyDigest(policy),
    /**
     * Explains why the `default` drawing of an entry was chosen. Resolves with undefined for an icon of an Iconify set,
     * because the icon has only one drawing.
     */
    explain: (slug: Slug) => explainChoice({ store, policy, slug }),
    listing: createCatalogListing(store),
    withdrawals: createWithdrawals({ store, now: Date.now }),
    importSources,
    close: (): Promise<void> => stores.close(),
  };
}
