// Type of a background job, and the services available to it.
import type { AccountActors } from '../../accounts/account-actors.js';
import type { AccountStore } from '../../accounts/account-store.js';
import type { AuditLog } from '../../accounts/audit-log.js';
import type { MissingNames } from '../../missing-names/missing-name-store.js';
import type { PaymentEvents } from '../../billing/payment-event-store.js';
import type { RateLimits } from '../../accounts/rate-limits.js';
import type { ResponseHistory } from '../../metering/response-history.js';
import type { UsageHistory } from '../../metering/usage-history.js';
import type { VisitorCounters } from '../../visitor-counters/visitor-counters.js';
import type { MailOutbox } from '../../accounts/outbox.mail.js';
import type { BillingSync } from '../../billing/billing-sync.js';
import type { PaymentEventProcessing } from '../../billing/payment-events.js';
import type { PasswordResets } from '../../accounts/password-resets.js';

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
