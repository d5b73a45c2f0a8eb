// Stores of this feature, and services that handlers get from it.
import type { VisitorCounting } from './visitor-counting.js';
import type { VisitorCounters } from './visitor-counters.js';

declare module '../platform/services.js' {
  interface Services {
    readonly counting: VisitorCounting;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly visitorCounters: VisitorCounters;
  }
}
