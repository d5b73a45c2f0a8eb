// Counter ledger: durable storage of visitor counters, written after they were counted elsewhere.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface CounterEpoch {
  readonly name: CounterName;
  /** Increases when the counter is reset or seeded. */
  readonly epoch: number;
}

export interface LedgerReading extends CounterEpoch {
  /** Increases with every change within the epoch. */
  readonly rev: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  /** HyperLogLog of the day's visitors, in Redis's encoding. Empty if there are none. */
  readonly visitors: Buffer;
}

/** Methods reject with AppError `unavailable`. */
export interface CounterLedger {
  /** Returns undefined if the counter was never counted. */
  read(name: CounterName): Promise<LedgerReading | undefined>;
  /**
   * Keeps the reading with the highest `rev` of its epoch for each counter. Returns the counters that have another epoch, because
   * they were reset or seeded meanwhile.
   */
  write(readings: readonly LedgerReading[]): Promise<readonly CounterEpoch[]>;
  /** Starts a new, empty epoch, and returns it. */
  reset(name: CounterName): Promise<CounterEpoch>;
  /** Starts a new epoch with this total and unchanged counts of today, and returns it. */
  seed(name: CounterName, total: number): Promise<CounterEpoch>;
  /** Deletes the visitors of earlier days. Returns the number of affected counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
