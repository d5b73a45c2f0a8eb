// The jobs, from whose list the schedule, the command line and their tests are derived.
import { expireSessions, finishDeletions, mailResetLinks, sendMails } from '../accounts/accounts.job.js';
import { AUDIT_KEPT_DAYS } from '../accounts/audit-event.js';
import { processPaymentEvents, settleBilling } from '../billing/billing.job.js';
import { PAYMENT_EVENTS_KEPT_DAYS } from '../billing/payment-event-store.js';
import type { ResponseHistory } from '../metering/response-history.js';
import type { UsageHistory } from '../metering/usage-history.js';
import type { MissingNames } from '../missing-names/missing-name-store.js';
import { MISSING_KEPT_DAYS } from '../missing-names/missing-names.js';
import type { Job } from '../platform/jobs/job.js';
import { DAY_MS } from '../platform/time.js';
import { USAGE_KEPT_DAYS, utcDay } from '../platform/utc-day.js';
import type { VisitorCounters } from '../visitor-counters/visitor-counters.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly missingNames: Pick<MissingNames, 'prune'>;
    readonly responses: Pick<ResponseHistory, 'prune'>;
    readonly usage: Pick<UsageHistory, 'prune'>;
    readonly visitorCounters: Pick<VisitorCounters, 'forgetVisitors'>;
  }
}

export const prune: Job = {
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes security events after ${AUDIT_KEPT_DAYS} days, counters of usage and responses after ${USAGE_KEPT_DAYS}, names that were not found after ${MISSING_KEPT_DAYS}, payment events after ${PAYMENT_EVENTS_KEPT_DAYS}, expired rate limits, and the hashes of visitors of earlier days.`,
  async run({ audit, missingNames, paymentEvents, rateLimits, responses, usage, visitorCounters, now }) {
    await rateLimits.prune();
    const before = (days: number): number => now() - days * DAY_MS;
    return {
      events: await audit.prune(new Date(before(AUDIT_KEPT_DAYS))),
      usageDays: await usage.prune(utcDay(before(USAGE_KEPT_DAYS))),
      responseDays: await responses.prune(utcDay(before(USAGE_KEPT_DAYS))),
      missingNameDays: await missingNames.prune(utcDay(before(MISSING_KEPT_DAYS))),
      paymentEvents: await paymentEvents.prune(new Date(before(PAYMENT_EVENTS_KEPT_DAYS))),
      visitorCounters: await visitorCounters.forgetVisitors(utcDay(now())),
    };
  },
};

export const JOBS: readonly Job[] = [
  expireSessions,
  finishDeletions,
  mailResetLinks,
  processPaymentEvents,
  prune,
  sendMails,
  settleBilling,
];
