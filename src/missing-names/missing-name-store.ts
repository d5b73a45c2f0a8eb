// Store of requested names that were not found, with one record per process and day.
import type { MissingNamesOfDay } from './missing-names.js';
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';

/** Maximum number of records per day. Each start of the service counts as a new process. */
export const MAX_PROCESSES_OF_DAY = 64;

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface MissingNames {
  /**
   * Stores the names of this process and day, and replaces its earlier record of the day. Returns false, without
   * writing, if there are MAX_PROCESSES_OF_DAY records of other processes.
   */
  put(process: string, counted: MissingNamesOfDay): Promise<boolean>;
  /** Returns the records of these days, oldest first, one per process and day. */
  range(days: DayRange): Promise<readonly MissingNamesOfDay[]>;
  /** Deletes earlier days. Returns the number of deleted records. */
  prune(before: UtcDay): Promise<number>;
}
