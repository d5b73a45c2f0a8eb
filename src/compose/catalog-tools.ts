// What the commands about the catalog need; may be used beside a running service.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readCatalogConfig, type CatalogConfig } from '../../config/catalog.js';
import { openIconifyPackage, openIconifySets, type IconifyOptions } from '../adapters/icon-sources/iconify.js';
import { openSimpleIcons } from '../adapters/icon-sources/simple-icons.js';
import { openSvgFolder, type SvgFolderOptions } from '../adapters/icon-sources/svg-folder.js';
import { openThesvg } from '../adapters/icon-sources/thesvg.js';
import { openSanitizer } from '../adapters/workers/sanitizer.js';
import type { IconSource } from '../ports/catalog-sources.js';
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

const PACKAGES: Readonly<Record<CatalogConfig['packages'][number], () => Promise<IconSource>>> = {
  'simple-icons': openSimpleIcons,
  '@thesvg/icons': openThesvg,
  '@iconify-json/logos': () => openIconifyPackage('@iconify-json/logos', { kind: 'brands' }),
};

export interface CatalogTools {
  readonly store: CatalogStore;
  readonly listing: CatalogListing;
  readonly withdrawals: Withdrawals;
  /** The packages named, or those of config/catalog.json. */
  importPackages(
    onProgress: (progress: ImportProgress) => void,
    names?: readonly CatalogConfig['packages'][number][],
  ): Promise<ImportSummary>;
  importSources(
    onProgress: (progress: ImportProgress) => void,
    sources: ImportOptions['sources'],
  ): Promise<ImportSummary>;
  /** The Iconify sets in a file or folder, for `importSources`. */
  openIconify(path: string, options: IconifyOptions): ImportOptions['sources'];
  openFolder(options: SvgFolderOptions): Promise<IconSource>;
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
    async importPackages(onProgress, names = policy.packages) {
      return importSources(onProgress, await Promise.all(names.map((name) => PACKAGES[name]())));
    },
    openIconify: openIconifySets,
    openFolder: openSvgFolder,
    close: () => stores.close(),
  };
}
