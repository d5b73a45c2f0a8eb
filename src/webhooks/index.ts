// Webhooks: signed requests about events of an account.
import type { Feature } from '../platform/feature.js';

export const webhooks: Feature = {
  name: 'webhooks',
  commands: {
    webhooks: {
      help: 'Webhook endpoints of accounts. <account> is an e-mail address or an id. May run beside the service.',
      example: 'list',
      load: () => import('./webhooks.command.js'),
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
  jobs: async () => (await import('./webhooks.job.js')).webhookJobs,
  records: async () => (await import('./webhook-deliveries.js')).records,
  open: async () => (await import('./open.js')).openWebhooks,
  exportFields: async () => (await import('./all.routes.js')).exportFields,
  doctor: async () => ({ settings: async (env) => (await import('./doctor.js')).settingFindings(env) }),
  removeAccount: ({ webhookDeliveries }, id) => webhookDeliveries.remove(id),
};
