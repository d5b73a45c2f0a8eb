// Counter ledger: durable storage of visitor counters. Redis counts the visits, and the ledger stores them a little
// later.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface CounterEpoch {
  readonly name: CounterName;
  /** Number of the counter's epoch. Resetting or seeding the counter starts a new epoch. */
  readonly epoch: number;
}

export interface LedgerReading extends CounterEpoch {
  /** Number of the last change. Each epoch, which begins with a reset or seed, numbers its changes anew. */
  readonly rev: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  /** Visitors of the day as a HyperLogLog, in Redis's encoding. Empty if there are no visitors. */
  readonly visitors: Buffer;
}

/** Durable storage of visitor counters. Methods reject with AppError `unavailable` while the storage cannot be used. */
export interface CounterLedger {
  /** Returns the stored counts, or undefined if the counter has none yet. */
  read(name: CounterName): Promise<LedgerReading | undefined>;
  /**
   * Stores the counts of each counter, unless the same epoch is stored with a higher `rev`. Returns the counters for
   * which another epoch is stored. These counters have been reset or seeded since they were loaded.
   */
  write(readings: readonly LedgerReading[]): Promise<readonly CounterEpoch[]>;
  /** Starts a new epoch of the counter with all counts at zero. Returns the epoch. */
  reset(name: CounterName): Promise<CounterEpoch>;
  /** Starts a new epoch of the counter with this total. Today's counts stay. Returns the epoch. */
  seed(name: CounterName, total: number): Promise<CounterEpoch>;
  /** Deletes the hashes of visitors of earlier days. Returns the number of changed counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
