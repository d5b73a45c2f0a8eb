// Iconify's API.
import type { Feature } from '../platform/feature.js';

export const iconify: Feature = {
  name: 'iconify',
  routes: async () => (await import('./all.routes.js')).routes,
  serve: async () => (await import('./serve.js')).serveIconify,
};
