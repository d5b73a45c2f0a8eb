// Visitor counters: total visits, visits of the UTC day, and distinct visitors of the day.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface VisitCounts {
  /** Total without the configured seed. */
  readonly total: number;
  readonly today: number;
  /** Exact for small numbers. Otherwise an estimate with a standard error of at most 2.2 %. */
  readonly uniqueToday: number;
}

/**
 * `total` and `today` are exact under concurrency, across all processes. One clock determines the day: the process's own clock in
 * the embedded family, and Redis's clock in the cluster. Counts are durable within 5 s, so a crash loses at most 5 s of counts.
 *
 * Names must be configured, so their number is bounded. A name that was never counted reads as zero. While the store cannot be
 * reached, every method rejects with AppError `unavailable` within a second. A rejected hit may have been counted.
 */
export interface VisitorCounters {
  /**
   * Counts a visit, and returns the counts including it. `visitor` has 32 hexadecimal digits, which are the same for the same
   * visitor all day.
   */
  hit(name: CounterName, visitor: string): Promise<VisitCounts>;
  /** Returns the counts without counting. */
  read(name: CounterName): Promise<VisitCounts>;
  /** Sets all three counts to zero. In the embedded family, a service in another process follows after a few seconds. */
  reset(name: CounterName): Promise<void>;
  /** Like `reset`, but sets the total and keeps today's counts. */
  seed(name: CounterName, total: number): Promise<void>;
  /** Deletes the sets of distinct visitors of earlier days. Resolves with the number of affected counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
