// Deletion of old security events, usage counters and payment events, and of expired rate limits.
import { AUDIT_KEPT_DAYS } from '../domain/account/audit-event.js';
import { USAGE_KEPT_DAYS, utcDay } from '../domain/metering/utc-day.js';
import { DAY_MS } from '../domain/time.js';
import { PAYMENT_EVENTS_KEPT_DAYS } from '../ports/payment-events.js';
import type { Job } from './job.js';

export const prune: Job = {
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes security events after ${AUDIT_KEPT_DAYS} days, usage counters after ${USAGE_KEPT_DAYS}, payment events after ${PAYMENT_EVENTS_KEPT_DAYS}, and expired rate limits.`,
  async run({ audit, paymentEvents, rateLimits, usage, now }) {
    await rateLimits.prune();
    const events = await audit.prune(new Date(now() - AUDIT_KEPT_DAYS * DAY_MS));
    const usageDays = await usage.prune(utcDay(now() - USAGE_KEPT_DAYS * DAY_MS));
    const payments = await paymentEvents.prune(new Date(now() - PAYMENT_EVENTS_KEPT_DAYS * DAY_MS));
    return { events, usageDays, paymentEvents: payments };
  },
};
