// Visitor counters: total visits, visits of the UTC day, and distinct visitors of the day.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface VisitCounts {
  /** Number of visits, without the configured seed. */
  readonly total: number;
  readonly today: number;
  /**
   * Number of distinct visitors today. Exact for small numbers, otherwise an estimate with a standard error of at most
   * 2.2 %.
   */
  readonly uniqueToday: number;
}

/**
 * `total` and `today` are exact under concurrency, across all processes. The day is determined by one clock: the
 * process's clock in the embedded family, Redis's clock in the cluster. A crash loses at most the counts of the last 5
 * s.
 *
 * Names must be configured, so their number is bounded. A name that was never counted has counts of zero. While the
 * store cannot be reached, every method rejects with AppError `unavailable` within a second. A rejected hit may have
 * been counted.
 */
export interface VisitorCounters {
  /**
   * Counts a visit, and returns the counts including it. `visitor` is a hash of 32 hexadecimal digits, which a visitor
   * keeps all day.
   */
  hit(name: CounterName, visitor: string): Promise<VisitCounts>;
  /** Returns the counts without counting. */
  read(name: CounterName): Promise<VisitCounts>;
  /**
   * Sets all three counts to zero. In the embedded family, a service in another process notices it after a few seconds.
   */
  reset(name: CounterName): Promise<void>;
  /**
   * Sets the total, and keeps today's counts. In the embedded family, a service in another process notices it after a
   * few seconds.
   */
  seed(name: CounterName, total: number): Promise<void>;
  /** Deletes the hashes of visitors of earlier days. Resolves with the number of changed counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
