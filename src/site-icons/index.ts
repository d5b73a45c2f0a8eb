// Icons of sites, for domains that no brand has.
import type { Feature } from '../platform/feature.js';

export const siteIcons: Feature = {
  name: 'site-icons',
  records: async () => (await import('./stores.records.js')).records,
  serve: async () => (await import('./serve.js')).serveSiteIcons,
};
