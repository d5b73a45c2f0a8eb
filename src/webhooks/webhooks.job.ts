// Jobs of alerts and webhooks.
import type { FeatureJobs } from '../platform/feature.js';
import { DAY_MS } from '../platform/time.js';
import { KEPT_DAYS } from './delivery.js';
import type { Dispatcher } from './dispatcher.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly webhookDispatcher: Pick<Dispatcher, 'expandDue'>;
    readonly webhookDeliveries: Pick<WebhookDeliveries, 'prune'>;
  }
}

export const webhookJobs: FeatureJobs = {
  jobs: [
    {
      name: 'queue-webhooks',
      schedule: '* * * * *',
      summary: 'Queues webhook events that a crashed process or a command has left.',
      run: async ({ webhookDispatcher }) => ({ accounts: await webhookDispatcher.expandDue() }),
    },
  ],
  prunes: [
    {
      what: `webhook deliveries after ${KEPT_DAYS} days`,
      run: async ({ webhookDeliveries, now }) => ({
        webhookDeliveries: await webhookDeliveries.prune(new Date(now() - KEPT_DAYS * DAY_MS)),
      }),
    },
  ],
};
