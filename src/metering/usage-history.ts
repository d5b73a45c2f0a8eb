// Usage history: counted requests by day and bucket.
import type { AccountId } from '../accounts/account.js';
import type { DayRange } from '../platform/day-range.js';
import type { Bucket } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';

/** Buckets without requests may be missing. */
export interface UsageOfDay {
  readonly day: UtcDay;
  readonly used: Readonly<Partial<Record<Bucket, number>>>;
}

export interface UsageHistory {
  /**
   * Returns the counters of these days, oldest day first. Days without requests may be missing. In a cluster, days
   * begin by the clock of the Redis server. With SQLite, they begin by the clock of this process.
   */
  range(accountId: AccountId, days: DayRange): Promise<readonly UsageOfDay[]>;
  remove(accountId: AccountId): Promise<void>;
  /** Deletes all days before `before`, of all accounts. Returns the number of deleted days, counted per account. */
  prune(before: UtcDay): Promise<number>;
}
