// Services that handlers get from this feature.
import type { CatalogIndex } from './indexes.js';
import type { Search } from './search.js';

declare module '../platform/services.js' {
  interface Services {
    readonly index: CatalogIndex;
    /** Changes whenever an answer of search or brand lookup may change. It is part of their entity tags. */
    readonly catalogVersion: () => string;
    readonly search: Search;
  }
}
