// Cleanup of old webhook deliveries.
import type { FeatureJobs } from '../platform/feature.js';
import { DAY_MS } from '../platform/time.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';

const KEPT_DAYS = 30;

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly webhookDeliveries: Pick<WebhookDeliveries, 'prune'>;
  }
}

export const webhookJobs: FeatureJobs = {
  prunes: [
    {
      what: `webhook deliveries after ${KEPT_DAYS} days`,
      run: async ({ webhookDeliveries, now }) => ({
        webhookDeliveries: await webhookDeliveries.prune(new Date(now() - KEPT_DAYS * DAY_MS)),
      }),
    },
  ],
};
