// Usage ledger: durable copy of the live counters per account and day, written with a delay, and the last uses of keys.
import type { AccountId } from '../accounts/account.js';
import type { KeyUse } from './key-uses.js';
import type { CounterValues } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface DayUsage {
  /** Revision. Each change of the counters of this day raises it. */
  readonly rev: number;
  readonly used: CounterValues;
}

export interface AccountDayUsage extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

/** All methods reject with AppError `unavailable`, and can be repeated. */
export interface UsageLedger {
  /** Returns the stored counters of the day, or undefined if there are none. */
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** Stores readings. For each account and day, the reading with the highest `rev` is kept. */
  write(readings: readonly AccountDayUsage[]): Promise<void>;
  /** Writes the last uses of keys, without a new version of the accounts. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}
