// Missing names: requested names that the catalog lacks.
import type { Feature } from '../platform/feature.js';

export const missingNames: Feature = {
  name: 'missing-names',
  subcommands: { catalog: async () => [(await import('./missing-names.command.js')).missing] },
  jobs: async () => (await import('./missing-names.job.js')).missingNameJobs,
  records: async () => (await import('./stores.records.js')).records,
  serve: async () => (await import('./serve.js')).serveMissingNames,
};
