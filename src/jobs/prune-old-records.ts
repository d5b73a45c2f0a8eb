// Deletion of old security events, old usage counters, expired rate limits, and what told visitors apart.
import { AUDIT_KEPT_DAYS } from '../domain/account/audit-event.js';
import { USAGE_KEPT_DAYS, utcDay } from '../domain/metering/utc-day.js';
import { DAY_MS } from '../domain/time.js';
import type { Job } from './job.js';

export const prune: Job = {
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes security events after ${AUDIT_KEPT_DAYS} days, usage counters after ${USAGE_KEPT_DAYS}, expired rate limits, and the hashes of visitors of earlier days.`,
  async run({ audit, rateLimits, usage, visitorCounters, now }) {
    await rateLimits.prune();
    const events = await audit.prune(new Date(now() - AUDIT_KEPT_DAYS * DAY_MS));
    const usageDays = await usage.prune(utcDay(now() - USAGE_KEPT_DAYS * DAY_MS));
    return { events, usageDays, visitorCounters: await visitorCounters.forgetVisitors(utcDay(now())) };
  },
};
