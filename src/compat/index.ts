// Routes that imitate URLs of other services.
import type { Feature } from '../platform/feature.js';

export const compat: Feature = {
  name: 'compat',
  routes: async () => (await import('./all.routes.js')).routes,
};
