// Background jobs of metering.
import type { FeatureJobs } from '../platform/feature.js';
import { DAY_MS } from '../platform/time.js';
import { USAGE_KEPT_DAYS, utcDay } from '../platform/utc-day.js';
import type { ResponseHistory } from './response-history.js';
import type { UsageHistory } from './usage-history.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly responses: Pick<ResponseHistory, 'prune'>;
    readonly usage: Pick<UsageHistory, 'prune'>;
  }
}

export const meteringJobs: FeatureJobs = {
  prunes: [
    {
      what: `usage and response counters older than ${USAGE_KEPT_DAYS} days`,
      async run({ usage, responses, now }) {
        const before = utcDay(now() - USAGE_KEPT_DAYS * DAY_MS);
        return { usageDays: await usage.prune(before), responseDays: await responses.prune(before) };
      },
    },
  ],
};
