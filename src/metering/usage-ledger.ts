// Usage ledger: durable copy of the usage counters per account and day. The counters themselves are in Redis, and the
// copy is written with a delay. The ledger also writes the last uses of keys to the account records.
import type { AccountId } from '../accounts/account.js';
import type { KeyUse } from './key-uses.js';
import type { CounterValues } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface DayUsage {
  /** Revision. Each change of this day's counters increases it. */
  readonly rev: number;
  readonly used: CounterValues;
}

export interface AccountDayUsage extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

/**
 * All methods reject with AppError `unavailable` if the store cannot be used. Repeating a write has no further effect.
 */
export interface UsageLedger {
  /** Returns the stored counters of the day, or undefined if there are none. */
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** Stores counters. For each account and day, keeps the counters with the highest `rev`. */
  write(readings: readonly AccountDayUsage[]): Promise<void>;
  /** Writes the last uses of keys, without increasing the version numbers of the account records. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}
