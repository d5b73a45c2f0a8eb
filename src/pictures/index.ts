// Pictures of entries: SVG, PNG, WebP, strips and favicons.
import type { Feature } from '../platform/feature.js';

export const pictures: Feature = {
  name: 'pictures',
  subcommands: { catalog: async () => [(await import('./catalog-sheet.command.js')).sheet] },
  routes: async () => (await import('./all.routes.js')).routes,
  serve: async () => (await import('./serve.js')).servePictures,
};
