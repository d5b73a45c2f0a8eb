// Store of visitor counters, for a single process and for a cluster.
import type { Feature } from '../platform/feature.js';

/** Opens only the stores of this feature, for commands that need no other store. */
export const COUNTER_STORES = {
  name: 'visitor-counters',
  embedded: async () => (await import('./stores.embedded.js')).openStores,
  cluster: async () => (await import('./stores.cluster.js')).openStores,
} satisfies Feature;
