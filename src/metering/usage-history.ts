// Usage history: counted requests by day and bucket.
import type { AccountId } from '../accounts/account.js';
import type { DayRange } from '../platform/day-range.js';
import type { Bucket } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';

/** Requests of one day; buckets without requests may be missing. */
export interface UsageOfDay {
  readonly day: UtcDay;
  readonly used: Readonly<Partial<Record<Bucket, number>>>;
}

export interface UsageHistory {
  /**
   * Returns these days, oldest first. Reads no other days. Days without requests may be missing. Today is the current
   * day of the admissions' clock.
   */
  range(accountId: AccountId, days: DayRange): Promise<readonly UsageOfDay[]>;
  /** Deletes all counters of an account. */
  remove(accountId: AccountId): Promise<void>;
  /** Deletes earlier days of every account. Returns the number of deleted days, counted per account. */
  prune(before: UtcDay): Promise<number>;
}
