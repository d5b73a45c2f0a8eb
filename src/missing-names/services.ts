// The store of this feature.
import type { MissingNames } from './missing-name-store.js';

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly missingNames: MissingNames;
  }
}
