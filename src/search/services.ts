// Services that handlers get from this feature.
import type { CatalogIndex } from './indexes.js';
import type { Search } from './search.js';

declare module '../platform/services.js' {
  interface Services {
    readonly index: CatalogIndex;
    /**
     * Text that changes whenever an answer of search or brand lookup may change. It is part of the `ETag` of these
     * answers.
     */
    readonly catalogVersion: () => string;
    readonly search: Search;
  }
}
