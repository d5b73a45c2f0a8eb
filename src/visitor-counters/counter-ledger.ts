// Counter ledger: durable storage of visitor counters. Visits are counted in Redis and written to the ledger later.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface CounterEpoch {
  readonly name: CounterName;
  /** Number of the epoch. Resetting or seeding the counter starts a new epoch. */
  readonly epoch: number;
}

export interface LedgerReading extends CounterEpoch {
  /** Number of the last change within the epoch. */
  readonly rev: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  /** HyperLogLog of the day's visitors, in Redis's encoding. Empty if there are none. */
  readonly visitors: Buffer;
}

/** Durable storage of counters. Methods reject with AppError `unavailable`. */
export interface CounterLedger {
  /** Returns the stored counts, or undefined if the counter was never counted. */
  read(name: CounterName): Promise<LedgerReading | undefined>;
  /**
   * Stores the counts of each counter, unless counts with a higher `rev` of the epoch are stored. Returns the counters
   * for which another epoch is stored, because they were reset or seeded meanwhile.
   */
  write(readings: readonly LedgerReading[]): Promise<readonly CounterEpoch[]>;
  /** Starts a new epoch with all counts at zero, and returns it. */
  reset(name: CounterName): Promise<CounterEpoch>;
  /** Starts a new epoch with this total and with today's counts unchanged, and returns it. */
  seed(name: CounterName, total: number): Promise<CounterEpoch>;
  /** Deletes the hashes of visitors of earlier days. Returns the number of changed counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
