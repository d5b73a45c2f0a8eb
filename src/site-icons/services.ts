// The store of this feature, and the service that its job uses.
import type { SiteIconStore } from './site-icon-store.js';

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly siteIconStore: SiteIconStore;
  }
}
