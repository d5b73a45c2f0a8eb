// The store of this feature, and the service that its job uses.
import type { SiteIconStore } from './site-icon-store.js';

declare module '../platform/services.js' {
  interface Services {
    /** Fetches a due icon again. Undefined while icons of sites are off. */
    readonly refreshSiteIcon?: (host: string) => Promise<void>;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly siteIconStore: SiteIconStore;
  }
}
