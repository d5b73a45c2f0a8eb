// All ports that keep state, as one value per family. What else the service is made of is composed from it.
import type { AccountStore } from '../accounts/account-store.js';
import type { AuditLog } from '../accounts/audit-log.js';
import type { CatalogStore } from '../catalog/catalog-store.js';
import type { JobSlots } from '../platform/jobs/job-slots.js';
import type { Locks } from '../platform/stores/locks.js';
import type { MissingNames } from '../missing-names/missing-name-store.js';
import type { OwnBrandTexts } from '../own-brands/own-brand-texts.js';
import type { PasswordResetRequests } from '../accounts/password-reset-requests.js';
import type { PaymentEvents } from '../billing/payment-event-store.js';
import type { QuotaAdmissions } from '../metering/quota-admissions.js';
import type { RateLimits } from '../accounts/rate-limits.js';
import type { ResponseHistory } from '../metering/response-history.js';
import type { UsageHistory } from '../metering/usage-history.js';
import type { VisitorCounters } from '../visitor-counters/visitor-counters.js';

export interface Stores {
  readonly accounts: AccountStore;
  readonly admissions: QuotaAdmissions;
  readonly audit: AuditLog;
  readonly catalog: CatalogStore;
  readonly jobSlots: JobSlots;
  readonly locks: Locks;
  readonly missingNames: MissingNames;
  readonly ownBrandTexts: OwnBrandTexts;
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
  /** Resolves as `read` does; rejects with ConfigError when what it reads is damaged. For reading at the start. */
  readIntact<Result>(read: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
