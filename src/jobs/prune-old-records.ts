// Deletion of old security events and expired rate limits.
import { AUDIT_KEPT_DAYS } from '../domain/account/audit-event.js';
import { DAY_MS } from '../domain/time.js';
import type { Job } from './job.js';

export const prune: Job = {
  name: 'prune',
  schedule: '37 * * * *',
  summary: `Deletes security events after ${AUDIT_KEPT_DAYS} days, and expired rate limits.`,
  async run({ audit, rateLimits, now }) {
    await rateLimits.prune();
    return { events: await audit.prune(new Date(now() - AUDIT_KEPT_DAYS * DAY_MS)) };
  },
};
