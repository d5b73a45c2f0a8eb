// Jobs of visitor counters.
import type { FeatureJobs } from '../platform/feature.js';
import { utcDay } from '../platform/utc-day.js';
import type { VisitorCounters } from './visitor-counters.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly visitorCounters: Pick<VisitorCounters, 'forgetVisitors'>;
  }
}

export const counterJobs: FeatureJobs = {
  prunes: [
    {
      what: 'visitor hashes of past days',
      run: async ({ visitorCounters, now }) => ({
        visitorCounters: await visitorCounters.forgetVisitors(utcDay(now())),
      }),
    },
  ],
};
