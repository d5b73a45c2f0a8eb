// Usage ledger: durable counters of each account and day, written some time after the live counters, and the last uses
// of keys.
import type { AccountId } from '../accounts/account.js';
import type { KeyUse } from './key-uses.js';
import type { CounterValues } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface DayUsage {
  /** Revision, which rises with every change of these counters. */
  readonly rev: number;
  readonly used: CounterValues;
}

export interface AccountDayUsage extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

/** All methods reject with AppError `unavailable`, and are safe to repeat. */
export interface UsageLedger {
  /** Returns the counters of the day, or undefined if none were written. */
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** Stores, for each account and day, the reading with the highest `rev`. */
  write(readings: readonly AccountDayUsage[]): Promise<void>;
  /** Writes last uses of keys, without new versions of the accounts. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}
