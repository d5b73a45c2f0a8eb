// Type of a background job, and the services available to it.
import type { AccountActors } from '../actors/account-actors.js';
import type { AccountStore } from '../ports/account-store.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { MissingNames } from '../ports/missing-names.js';
import type { PaymentEvents } from '../ports/payment-events.js';
import type { RateLimits } from '../ports/rate-limits.js';
import type { ResponseHistory } from '../ports/response-history.js';
import type { UsageHistory } from '../ports/usage-history.js';
import type { VisitorCounters } from '../ports/visitor-counters.js';
import type { MailOutbox } from '../services/mail/outbox.js';
import type { BillingSync } from '../services/billing/billing-sync.js';
import type { PaymentEventProcessing } from '../services/billing/payment-events.js';
import type { PasswordResets } from '../services/accounts/password-resets.js';

export interface JobParts {
  readonly accounts: Pick<AccountStore, 'due' | 'remove'>;
  readonly actors: Pick<AccountActors, 'run'>;
  readonly audit: Pick<AuditLog, 'prune'>;
  readonly missingNames: Pick<MissingNames, 'prune'>;
  readonly rateLimits: Pick<RateLimits, 'prune'>;
  readonly responses: Pick<ResponseHistory, 'prune'>;
  readonly usage: Pick<UsageHistory, 'prune'>;
  readonly visitorCounters: Pick<VisitorCounters, 'forgetVisitors'>;
  readonly outbox: Pick<MailOutbox, 'drain'>;
  readonly billing: Pick<BillingSync, 'settleDue'>;
  readonly paymentEvents: Pick<PaymentEvents, 'prune'>;
  readonly paymentEventProcessing: Pick<PaymentEventProcessing, 'drain'>;
  readonly resets: Pick<PasswordResets, 'drain'>;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Counts of what was done: `{ mails: 3 }`. */
export type JobReport = Readonly<Record<string, number>>;

/** Idempotent: each run queries what is due, so the next one makes up for a run that was missed or interrupted. */
export interface Job {
  readonly name: string;
  /** Cron, UTC. */
  readonly schedule: string;
  readonly summary: string;
  run(parts: JobParts): Promise<JobReport>;
}
