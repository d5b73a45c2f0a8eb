// Metering: decides which requests are allowed, and counts them.
import type { Feature } from '../platform/feature.js';

export const metering: Feature = {
  name: 'metering',
  routes: async () => (await import('./all.routes.js')).routes,
  jobs: async () => (await import('./metering.job.js')).meteringJobs,
  records: async () => (await import('./stores.records.js')).records,
  embedded: async () => (await import('./stores.embedded.js')).openStores,
  cluster: async () => (await import('./stores.cluster.js')).openStores,
  open: async () => (await import('./open.js')).openMetering,
  serve: async () => (await import('./serve.js')).serveMetering,
  exportFields: async () => (await import('./account-export.routes.js')).exportFields,
  forgetInRedis: { table: 'accounts', load: async () => (await import('./remove-known.redis.js')).removeKnownAccounts },
  async removeAccount({ usage, responses }, id) {
    await usage.remove(id);
    await responses.remove(id);
  },
};
