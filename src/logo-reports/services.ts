// The store of this feature.
import type { RateLimits } from '../accounts/rate-limits.js';
import type { LogoReports } from './logo-reports.js';

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly logoReports: LogoReports;
  }
}

declare module '../platform/services.js' {
  interface Services {
    readonly logoReports: LogoReports;
    /** Store for rate limits of single routes. */
    readonly rateLimits: RateLimits;
  }
}
