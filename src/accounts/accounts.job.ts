// Background jobs of accounts.
import { forEachDue } from '../platform/jobs/for-each-due.js';
import type { FeatureJobs } from '../platform/feature.js';
import type { Job, JobParts, Prune } from '../platform/jobs/job.js';
import { DAY_MS } from '../platform/time.js';
import type { AccountActors } from './account-actors.js';
import type { AccountStore } from './account-store.js';
import { AUDIT_KEPT_DAYS, SYSTEM } from './audit-event.js';
import type { AuditLog } from './audit-log.js';
import { removeExpired } from './changes/sessions.js';
import type { MailOutbox } from './outbox.mail.js';
import type { PasswordResets } from './password-resets.js';
import type { RateLimits } from './rate-limits.js';

declare module '../platform/jobs/job.js' {
  interface JobParts {
    readonly accounts: Pick<AccountStore, 'due' | 'remove'>;
    readonly actors: Pick<AccountActors, 'run'>;
    readonly audit: Pick<AuditLog, 'prune'>;
    readonly outbox: Pick<MailOutbox, 'drain'>;
    readonly rateLimits: Pick<RateLimits, 'prune'>;
    readonly resets: Pick<PasswordResets, 'drain'>;
  }
}

/**
 * Removes expired sessions and links from the account records. Other code ignores expired sessions and links, even
 * before this job runs.
 */
export const expireSessions: Job = {
  name: 'expire-sessions',
  schedule: '7 * * * *',
  summary: 'Removes expired sessions and links.',
  run: async ({ actors, ...parts }) => ({
    accounts: await forEachDue(dueAccounts(parts, 'expiry'), (id) => actors.run(id, SYSTEM, removeExpired)),
  }),
};

export const finishDeletions: Job = {
  name: 'finish-deletions',
  schedule: '*/10 * * * *',
  summary: 'Finishes account deletions that were interrupted.',
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

/**
 * Sends reset links that were requested but not sent, because a process has crashed, or because the previous run of
 * this job has reached its limit.
 */
export const mailResetLinks: Job = {
  name: 'mail-reset-links',
  schedule: '* * * * *',
  summary: 'Processes requests for password reset links.',
  run: async ({ resets }) => ({ requests: await resets.drain() }),
};

/**
 * Sends mails that could not be sent before, that a crashed process has not sent, or that an operator command has
 * added.
 */
export const sendMails: Job = {
  name: 'send-mails',
  schedule: '* * * * *',
  summary: 'Sends the e-mails that are due.',
  run: async ({ outbox }) => ({ mails: await outbox.drain() }),
};

const AUDIT_PRUNE: Prune = {
  what: `security events older than ${AUDIT_KEPT_DAYS} days`,
  run: async ({ audit, now }) => ({ events: await audit.prune(new Date(now() - AUDIT_KEPT_DAYS * DAY_MS)) }),
};

const RATE_LIMIT_PRUNE: Prune = {
  what: 'expired rate limits',
  async run({ rateLimits }) {
    await rateLimits.prune();
    return {};
  },
};

export const accountJobs: FeatureJobs = {
  jobs: [expireSessions, finishDeletions, mailResetLinks, sendMails],
  prunes: [AUDIT_PRUNE, RATE_LIMIT_PRUNE],
};
