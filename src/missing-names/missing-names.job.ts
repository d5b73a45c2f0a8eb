// Jobs of missing names.
import type { FeatureJobs } from '../platform/feature.js';
import { DAY_MS } from '../platform/time.js';
import { utcDay } from '../platform/utc-day.js';
import type { MissingNames } from './missing-name-store.js';
import { MISSING_KEPT_DAYS } from './missing-names.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly missingNames: Pick<MissingNames, 'prune'>;
  }
}

export const missingNameJobs: FeatureJobs = {
  prunes: [
    {
      what: `missing names older than ${MISSING_KEPT_DAYS} days`,
      run: async ({ missingNames, now }) => ({
        missingNameDays: await missingNames.prune(utcDay(now() - MISSING_KEPT_DAYS * DAY_MS)),
      }),
    },
  ],
};
