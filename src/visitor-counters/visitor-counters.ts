// Visitor counters: visits in total and of the UTC day, and distinct visitors of the day.
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

export interface VisitCounts {
  /** Without the seed that is configured. */
  readonly total: number;
  readonly today: number;
  /** Exact for a few; an estimate with a standard error of at most 2.2 % for many. */
  readonly uniqueToday: number;
}

/**
 * Exact in total and today under concurrency, over all processes. The day is that of one clock: the process's own where
 * there is one process, Redis's in the cluster. What was counted is kept within 5 s; a crash loses no more than that.
 *
 * Names are those of the configuration, whose number is bounded; a name that was never counted reads as zero. While the
 * store cannot be reached, every method rejects with AppError `unavailable` within a second; a hit that was rejected so may
 * have been counted.
 */
export interface VisitorCounters {
  /** The counts with this visit. `visitor`: 32 hexadecimal digits, the same for the same visitor of the day. */
  hit(name: CounterName, visitor: string): Promise<VisitCounts>;
  /** Counts nothing. */
  read(name: CounterName): Promise<VisitCounts>;
  /** All three counts are zero from then on; embedded, in a service beside this process after a few seconds. */
  reset(name: CounterName): Promise<void>;
  /** As `reset`, but the total goes on from here, and today's counts are kept. */
  seed(name: CounterName, total: number): Promise<void>;
  /** Deletes the sets of distinct visitors of earlier days; resolves with the number of counters that had one. */
  forgetVisitors(before: UtcDay): Promise<number>;
}
