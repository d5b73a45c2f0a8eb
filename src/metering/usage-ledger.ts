// Usage ledger: counters of each account and day, written behind those that admissions count, and the last use of keys.
import type { AccountId } from '../accounts/account.js';
import type { KeyUse } from './key-uses.js';
import type { CounterValues } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface DayUsage {
  /** Rises with every change of these counters. */
  readonly rev: number;
  readonly used: CounterValues;
}

export interface AccountDayUsage extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

/** Its methods reject with AppError `unavailable`; repeating them does no harm. */
export interface UsageLedger {
  /** Undefined: nothing was written of that day. */
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** Keeps, of each account and day, the reading with the highest `rev`. */
  write(readings: readonly AccountDayUsage[]): Promise<void>;
  /** Writes last uses of keys, without new versions of their accounts. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}
