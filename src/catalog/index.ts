// The catalog: entries, their drawings and sources, and their import.
import type { Feature } from '../platform/feature.js';
import { CATALOG_STORES } from './stores.js';

export const catalog: Feature = {
  ...CATALOG_STORES,
  commands: {
    catalog: {
      help: 'Manages the icons that the service serves. Safe to use while the service runs.',
      example: 'import --folder logos',
      load: () => import('./catalog.command.js'),
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
  serve: async () => (await import('./serve.js')).serveCatalog,
};
