// Stores of this feature, and services that handlers get from it.
import type { AccountCatalog, AccountCatalogs } from './account-catalogs.js';
import type { BundleUpdate } from './bundle-update.js';
import type { Catalog } from './catalog.js';
import type { CatalogStore } from './catalog-store.js';

export interface CatalogUpdates {
  /**
   * Returns the update from an older bundled catalog to the catalog of this release. Returns undefined if no update is
   * needed.
   */
  bundleUpdate(): Promise<BundleUpdate | undefined>;
  /** Deletes the rows that an aborted import has written. Returns false while another process holds the import lock. */
  discardImport(): Promise<boolean>;
}

declare module '../platform/services.js' {
  interface Services {
    readonly catalog: Catalog;
    /** The published catalog, from which indexes are built. */
    readonly publishedCatalog: Pick<CatalogStore, 'state' | 'entries' | 'sources'>;
    readonly catalogUpdates: CatalogUpdates;
    readonly accountCatalogs: AccountCatalogs;
    /** Authors and licenses of the catalog's drawings, as text. */
    readonly notice: () => Promise<string>;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly catalog: CatalogStore;
  }
}

declare module '../platform/http/route.js' {
  interface Keyed {
    /** Catalog as the account of the key sees it. Handlers look up entries in this catalog. */
    readonly catalog: AccountCatalog;
  }
}
