// Store of requested names that were not found, with one record per process and day.
import type { MissingNamesOfDay } from './missing-names.js';
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';

/**
 * Maximum number of records per day. Each process stores one record, and each start of the service is a new process.
 */
export const MAX_PROCESSES_OF_DAY = 64;

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface MissingNames {
  /**
   * Stores the names that this process has counted on this day. They replace its earlier record of the day. If other
   * processes already have MAX_PROCESSES_OF_DAY records, stores nothing and returns false.
   */
  put(process: string, counted: MissingNamesOfDay): Promise<boolean>;
  /** Returns one record per process and day of this range, oldest first. */
  range(days: DayRange): Promise<readonly MissingNamesOfDay[]>;
  /** Deletes records of days before `before`. Returns the number of deleted records. */
  prune(before: UtcDay): Promise<number>;
}
