// Counter ledger: visitor counters, written behind those that are counted elsewhere.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface CounterEpoch {
  readonly name: CounterName;
  /** Rises when the counter is reset or seeded. */
  readonly epoch: number;
}

export interface CounterReading extends CounterEpoch {
  /** Rises with every change within the epoch. */
  readonly rev: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  /** HyperLogLog of the day's visitors, as Redis has it; empty: none. */
  readonly visitors: Buffer;
}

/** Its methods reject with AppError `unavailable`. */
export interface CounterLedger {
  /** Undefined: it was never counted. */
  read(name: CounterName): Promise<CounterReading | undefined>;
  /**
   * Keeps, of each counter, the reading with the highest `rev` of its epoch. Returns the counters whose epoch is another
   * one: they were reset or seeded meanwhile.
   */
  write(readings: readonly CounterReading[]): Promise<readonly CounterEpoch[]>;
  /** Begins an epoch with nothing in it; which. */
  reset(name: CounterName): Promise<CounterEpoch>;
  /** Begins an epoch with this total and today's counts as they were; which. */
  seed(name: CounterName, total: number): Promise<CounterEpoch>;
  /** Deletes the visitors of earlier days; of how many counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
