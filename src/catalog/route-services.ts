// Services that handlers get from this feature.
import type { AccountCatalogs } from './account-catalogs.js';
import type { Catalog } from './catalog.js';

declare module '../platform/http/route-services.js' {
  interface RouteServices {
    readonly catalog: Catalog;
    readonly accountCatalogs: AccountCatalogs;
    /** Changes whenever an answer of search or of brand lookup may change; part of their entity tags. */
    readonly catalogVersion: () => string;
    /** Authors and licenses of the catalog's drawings, as text. */
    readonly notice: () => Promise<string>;
  }
}
