// Deletion of old security events, old counters of usage and responses, and expired rate limits.
import { AUDIT_KEPT_DAYS } from '../domain/account/audit-event.js';
import { USAGE_KEPT_DAYS, utcDay } from '../domain/metering/utc-day.js';
import { DAY_MS } from '../domain/time.js';
import type { Job } from './job.js';

export const prune: Job = {
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes security events after ${AUDIT_KEPT_DAYS} days, counters of usage and responses after ${USAGE_KEPT_DAYS}, and expired rate limits.`,
  async run({ audit, rateLimits, responses, usage, now }) {
    await rateLimits.prune();
    const events = await audit.prune(new Date(now() - AUDIT_KEPT_DAYS * DAY_MS));
    const firstKept = utcDay(now() - USAGE_KEPT_DAYS * DAY_MS);
    return { events, usageDays: await usage.prune(firstKept), responseDays: await responses.prune(firstKept) };
  },
};
