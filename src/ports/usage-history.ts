// Usage history: counted requests by day and bucket.
import type { AccountId } from '../domain/account/account.js';
import type { Bucket } from '../domain/metering/plan.js';
import type { UtcDay } from '../domain/metering/utc-day.js';

export interface UsageHistory {
  /** All that is kept, oldest first, today included. */
  all(
    accountId: AccountId,
  ): Promise<readonly { readonly day: UtcDay; readonly bucket: Bucket; readonly used: number }[]>;
  /** Deletes the counters of earlier days, of every account; how many days of an account there were. */
  prune(before: UtcDay): Promise<number>;
}
