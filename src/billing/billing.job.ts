// Background jobs of billing.
import type { FeatureJobs } from '../platform/feature.js';
import { DAY_MS } from '../platform/time.js';
import type { Job } from '../platform/jobs/job.js';
import type { BillingSync } from './billing-sync.js';
import { PAYMENT_EVENTS_KEPT_DAYS, type PaymentEvents } from './payment-event-store.js';
import type { PaymentEventProcessing } from './payment-events.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly billing: Pick<BillingSync, 'settleDue'>;
    readonly paymentEvents: Pick<PaymentEvents, 'prune'>;
    readonly paymentEventProcessing: Pick<PaymentEventProcessing, 'drain'>;
  }
}

/** Processes events that a crashed process left unfinished. */
const processPaymentEvents: Job = {
  name: 'process-payment-events',
  schedule: '*/10 * * * *',
  summary: 'Processes events of the payment provider that are still unfinished.',
  run: async ({ paymentEventProcessing }) => ({ events: await paymentEventProcessing.drain() }),
};

const settleBilling: Job = {
  name: 'settle-billing',
  schedule: '* * * * *',
  summary: 'Ends expired plans, and syncs each customer with the payment provider once a day.',
  run: async ({ billing }) => ({ accounts: await billing.settleDue() }),
};

export const billingJobs: FeatureJobs = {
  jobs: [processPaymentEvents, settleBilling],
  prunes: [
    {
      what: `payment events older than ${PAYMENT_EVENTS_KEPT_DAYS} days`,
      run: async ({ paymentEvents, now }) => ({
        paymentEvents: await paymentEvents.prune(new Date(now() - PAYMENT_EVENTS_KEPT_DAYS * DAY_MS)),
      }),
    },
  ],
};
