// Services of the commands about the catalog.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig } from '../../config/catalog.js';
import { openFence } from '../platform/processes/fence.js';
import { openRasterizer } from '../pictures/rasterizer.worker.js';
import { openSanitizer } from '../catalog/sanitizer.worker.js';
import type { Entry, Slug } from '../catalog/entry.js';
import { policyDigest } from '../catalog/import/import-policy.js';
import { importCatalog, type ImportOptions, type ImportSummary } from '../catalog/import/import-catalog.js';
import type { ImportProgress } from '../catalog/import/import-progress.js';
import { contactSheets, type Sheet, type SheetSubject } from '../pictures/contact-sheets.js';
import { explainChoice } from '../catalog/import/explain-choice.js';
import { createCatalogListing } from '../catalog/catalog-listing.js';
import { createMissingListing } from '../missing-names/missing-listing.js';
import { createWithdrawals } from '../catalog/withdrawals.js';
import { openCommandStores, type StoresEnv } from './open-stores.js';

export type CatalogTools = Awaited<ReturnType<typeof openCatalogTools>>;

/** Processor time of one sheet or picture, ms: nobody waits for it, and all must be on it. */
const SHEET_TIMEOUT_MS = 60_000;
const SHEET_PROCESSES = 2;

/** The catalog alone; may be used beside a running service. */
export async function openCatalogTools(env: StoresEnv) {
  const brandFacts = readBrandFacts();
  const policy = { ...readCatalogConfig(), hosts: brandFacts.hosts };
  const stores = await openCommandStores(env, { now: Date.now, onError: () => undefined });
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

  /** One after the other. */
  async function* sheets(subject: SheetSubject, filter: (entry: Entry) => boolean): AsyncIterable<Sheet> {
    const rasterizer = openRasterizer({
      worker: new URL('../../workers/rasterize/rasterize.js', import.meta.url),
      processes: SHEET_PROCESSES,
      timeoutMs: SHEET_TIMEOUT_MS,
      fence: await openFence(env.DATA_DIR),
    });
    try {
      yield* contactSheets({ store, rasterizer, subject, filter });
    } finally {
      await rasterizer.close();
    }
  }

  return {
    store,
    policyDigest: () => policyDigest(policy),
    /** Undefined for an icon of a set. */
    explain: (slug: Slug) => explainChoice({ store, policy, slug }),
    sheets,
    listing: createCatalogListing(store),
    missing: createMissingListing({ store, missingNames: stores.missingNames, brandFacts, now: Date.now }),
    withdrawals: createWithdrawals({ store, now: Date.now }),
    importSources,
    close: (): Promise<void> => stores.close(),
  };
}
