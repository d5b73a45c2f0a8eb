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
 * Store of visitor counters. `total` and `today` are exact under concurrency, across all processes. One clock
 * determines the day: with the embedded database, the clock of the process, and in a cluster, the clock of Redis. A
 * crash loses at most the counts of the last 5 s. A counter without visits has counts of zero. While the store cannot
 * be reached, every method rejects with AppError `unavailable` within a second. A rejected hit may have been counted.
 */
export interface VisitorCounters {
  /**
   * Counts a visit, and returns the new counts. `visitor`: hash of 32 hexadecimal digits, which stays the same for a
   * visitor all day.
   */
  hit(name: CounterName, visitor: string): Promise<VisitCounts>;
  /** Returns the counts without counting a visit. */
  read(name: CounterName): Promise<VisitCounts>;
  /**
   * Sets all three counts to zero. With the embedded database, other processes notice the reset after a few seconds.
   */
  reset(name: CounterName): Promise<void>;
  /**
   * Sets the total. Today's counts stay. With the embedded database, other processes notice the new total after a few
   * seconds.
   */
  seed(name: CounterName, total: number): Promise<void>;
  /** Deletes the hashes of visitors of days before `before`. Resolves with the number of changed counters. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
