// All ports that keep state, as one value per family. What else the service is made of is composed from it.
import type { AccountStore } from '../ports/account-store.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { CatalogStore } from '../ports/catalog-store.js';
import type { JobSlots } from '../ports/job-slots.js';
import type { Locks } from '../ports/locks.js';
import type { PasswordResetRequests } from '../ports/password-reset-requests.js';
import type { PaymentEvents } from '../ports/payment-events.js';
import type { QuotaAdmissions } from '../ports/quota-admissions.js';
import type { RateLimits } from '../ports/rate-limits.js';
import type { ResponseHistory } from '../ports/response-history.js';
import type { UsageHistory } from '../ports/usage-history.js';
import type { VisitorCounters } from '../ports/visitor-counters.js';

export interface Stores {
  readonly accounts: AccountStore;
  readonly admissions: QuotaAdmissions;
  readonly audit: AuditLog;
  readonly catalog: CatalogStore;
  readonly jobSlots: JobSlots;
  readonly locks: Locks;
  readonly paymentEvents: PaymentEvents;
  readonly rateLimits: RateLimits;
  readonly resetRequests: PasswordResetRequests;
  readonly responses: ResponseHistory;
  readonly usage: UsageHistory;
  readonly visitorCounters: VisitorCounters;
  /** Parts of `/readyz` by name; each rejects while its part cannot be used. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Signs tokens and links where JWT_SECRET is not set. The same for all processes on these stores. Throws ConfigError. */
  signingSecret(): string;
  /** What `read` gives. Rejects with ConfigError when what it reads is damaged: for reading at the start. */
  orDamaged<Result>(read: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
