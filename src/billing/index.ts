// Billing: plans that accounts buy at Stripe.
import type { Feature } from '../platform/feature.js';

export const billing: Feature = {
  name: 'billing',
  commands: {
    billing: {
      help:
        'Manages subscriptions and payment events. <account> is an e-mail address or an ID. Safe to use while the ' +
        'service runs.',
      example: 'sync you@example.com',
      load: () => import('./billing.command.js'),
    },
  },
  routes: async () => (await import('./all.routes.js')).routes,
  jobs: async () => (await import('./billing.job.js')).billingJobs,
  records: async () => (await import('./stores.records.js')).records,
  open: async () => (await import('./open.js')).openBilling,
  exportFields: async () => (await import('./account-export.routes.js')).exportFields,
  async doctor() {
    const { priceFindings, webhookFindings } = await import('./doctor.js');
    return {
      settings: async (env) =>
        priceFindings(await (await import('./open.js')).openPayments(env, Date.now, () => undefined)),
      stored: async ({ table }) =>
        webhookFindings((await import('./payment-event-store.records.js')).createPaymentEvents(table)),
    };
  },
};
