// Usage history: counted requests by day and bucket.
import type { AccountId } from '../domain/account/account.js';
import type { DayRange } from '../domain/metering/day-range.js';
import type { Bucket } from '../domain/metering/plan.js';
import type { UtcDay } from '../domain/metering/utc-day.js';

/** A bucket without requests on a day may be left out. */
export interface UsageCount {
  readonly day: UtcDay;
  readonly bucket: Bucket;
  readonly used: number;
}

export interface UsageHistory {
  /** All that is kept, oldest first, today included. */
  all(accountId: AccountId): Promise<readonly UsageCount[]>;
  /** Those of these days, oldest first; reads no others. Today has the counters that admissions count. */
  range(accountId: AccountId, days: DayRange): Promise<readonly UsageCount[]>;
  /** Deletes the counters of earlier days, of every account; how many days of an account there were. */
  prune(before: UtcDay): Promise<number>;
}
