// Deletion of what is old: security events, usage, responses, payment events, rate limits, and hashes of visitors.
import { AUDIT_KEPT_DAYS } from '../domain/account/audit-event.js';
import { USAGE_KEPT_DAYS, utcDay } from '../domain/metering/utc-day.js';
import { DAY_MS } from '../domain/time.js';
import { PAYMENT_EVENTS_KEPT_DAYS } from '../ports/payment-events.js';
import type { Job } from './job.js';

export const prune: Job = {
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes security events after ${AUDIT_KEPT_DAYS} days, counters of usage and responses after ${USAGE_KEPT_DAYS}, payment events after ${PAYMENT_EVENTS_KEPT_DAYS}, expired rate limits, and the hashes of visitors of earlier days.`,
  async run({ audit, paymentEvents, rateLimits, responses, usage, visitorCounters, now }) {
    await rateLimits.prune();
    const before = (days: number): number => now() - days * DAY_MS;
    return {
      events: await audit.prune(new Date(before(AUDIT_KEPT_DAYS))),
      usageDays: await usage.prune(utcDay(before(USAGE_KEPT_DAYS))),
      responseDays: await responses.prune(utcDay(before(USAGE_KEPT_DAYS))),
      paymentEvents: await paymentEvents.prune(new Date(before(PAYMENT_EVENTS_KEPT_DAYS))),
      visitorCounters: await visitorCounters.forgetVisitors(utcDay(now())),
    };
  },
};
