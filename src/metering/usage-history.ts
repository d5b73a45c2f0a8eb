// Usage history: counted requests by day and bucket.
import type { AccountId } from '../accounts/account.js';
import type { DayRange } from '../platform/day-range.js';
import type { Bucket } from '../accounts/plan.js';
import type { UtcDay } from '../platform/utc-day.js';

/** A bucket without requests may be left out. */
export interface UsageOfDay {
  readonly day: UtcDay;
  readonly used: Readonly<Partial<Record<Bucket, number>>>;
}

export interface UsageHistory {
  /** These days, oldest first; reads no others. Days without requests may be left out. Today is as admissions count it. */
  range(accountId: AccountId, days: DayRange): Promise<readonly UsageOfDay[]>;
  /** Deletes all counters of an account. */
  remove(accountId: AccountId): Promise<void>;
  /** Deletes the counters of earlier days, of every account; how many days of an account there were. */
  prune(before: UtcDay): Promise<number>;
}
