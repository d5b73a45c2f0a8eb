// Icons of sites, for domains that no brand has.
import type { Feature } from '../platform/feature.js';

export const siteIcons: Feature = {
  name: 'site-icons',
  commands: {
    'site-icons': {
      help: 'Icons of sites that no brand has: list, show, refresh, remove, block. May run beside the service.',
      example: 'block example.com',
      load: () => import('./site-icons.command.js'),
    },
  },
  jobs: async () => (await import('./site-icons.job.js')).siteIconJobs,
  records: async () => (await import('./stores.records.js')).records,
  serve: async () => (await import('./serve.js')).serveSiteIcons,
  doctor: async () => ({ settings: (await import('./doctor.js')).siteIconFindings }),
};
