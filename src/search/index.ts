// Search, and the index of the hosts that brands own.
import type { Feature } from '../platform/feature.js';

export const search: Feature = {
  name: 'search',
  routes: async () => (await import('./all.routes.js')).routes,
  serve: async () => (await import('./serve.js')).serveSearch,
};
