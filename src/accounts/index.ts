// Accounts: registration, sign-in, sessions, keys, links, and their security events.
import type { Feature } from '../platform/feature.js';

export const accounts: Feature = {
  name: 'accounts',
  commands: {
    account: {
      help: 'Create, list, show and change accounts. <account> is an e-mail address or an id. May run beside the service.',
      example: 'create you@example.com --tier pro',
      load: () => import('./account.command.js'),
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
  jobs: async () => (await import('./accounts.job.js')).accountJobs,
  records: async () => (await import('./stores.records.js')).records,
  embedded: async () => (await import('./stores.embedded.js')).openStores,
  cluster: async () => (await import('./stores.cluster.js')).openStores,
  open: async () => (await import('./open.js')).openAccounts,
  serve: async () => (await import('./serve.js')).serveAccounts,
};
