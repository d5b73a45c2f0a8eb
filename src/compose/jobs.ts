// The jobs, from whose list the schedule, the command line and their tests are derived.
import { AUDIT_KEPT_DAYS, SYSTEM } from '../accounts/audit-event.js';
import { removeExpired } from '../accounts/changes/sessions.js';
import { MISSING_KEPT_DAYS } from '../missing-names/missing-names.js';
import { USAGE_KEPT_DAYS, utcDay } from '../platform/utc-day.js';
import { DAY_MS } from '../platform/time.js';
import { PAYMENT_EVENTS_KEPT_DAYS } from '../billing/payment-event-store.js';
import { forEachDue } from '../platform/jobs/for-each-due.js';
import type { Job, JobParts } from '../platform/jobs/job.js';

/** Expired ones are rejected without it, too. */
export const expireSessions: Job = {
  name: 'expire-sessions',
  schedule: '7 * * * *',
  summary: 'Removes expired sessions and mailed links.',
  run: async ({ actors, ...parts }) => ({
    accounts: await forEachDue(dueAccounts(parts, 'expiry'), (id) => actors.run(id, SYSTEM, removeExpired)),
  }),
};

export const finishDeletions: Job = {
  name: 'finish-deletions',
  schedule: '*/10 * * * *',
  summary: 'Removes accounts whose deletion was interrupted.',
  run: async (parts) => ({
    accounts: await forEachDue(dueAccounts(parts, 'deletion'), (id) => parts.accounts.remove(id)),
  }),
};

function dueAccounts({ accounts, now }: Pick<JobParts, 'accounts' | 'now'>, work: 'expiry' | 'deletion') {
  return {
    what: 'accounts',
    read: (limit: number) => accounts.due(work, new Date(now()), limit),
    idOf: (id: string) => id,
  };
}

/** Requests of a crashed process, and those beyond the limit of what is processed at once. */
export const mailResetLinks: Job = {
  name: 'mail-reset-links',
  schedule: '* * * * *',
  summary: 'Processes pending requests for password reset links.',
  run: async ({ resets }) => ({ requests: await resets.drain() }),
};

/** Events that a crashed process has left. */
const processPaymentEvents: Job = {
  name: 'process-payment-events',
  schedule: '*/10 * * * *',
  summary: 'Processes events of the payment provider that were not finished.',
  run: async ({ paymentEventProcessing }) => ({ events: await paymentEventProcessing.drain() }),
};

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

/** Retries, and mails left by a crashed process or by the operator's commands. */
export const sendMails: Job = {
  name: 'send-mails',
  schedule: '* * * * *',
  summary: 'Sends the mails that are due.',
  run: async ({ outbox }) => ({ mails: await outbox.drain() }),
};

const settleBilling: Job = {
  name: 'settle-billing',
  schedule: '* * * * *',
  summary: 'Ends plans whose time is over; syncs each customer with the payment provider once a day.',
  run: async ({ billing }) => ({ accounts: await billing.settleDue() }),
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
