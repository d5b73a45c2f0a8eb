// Own brands: brands that an account adds to the catalog. Only this account sees them.
import type { Feature } from '../platform/feature.js';

export const ownBrands: Feature = {
  name: 'own-brands',
  commands: {
    brands: {
      help: 'Manages own brands of an account with its API key. `push` uploads a folder of SVG files.',
      example: 'push logos --url https://icons.example --key blz_…',
      load: () => import('./brands.command.js'),
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
  records: async () => (await import('./stores.records.js')).records,
  serve: async () => (await import('./serve.js')).serveOwnBrands,
  exportFields: async () => (await import('./account-export.routes.js')).exportFields,
  removeAccount: ({ ownBrandTexts }, id) => ownBrandTexts.removeAll(id),
};
