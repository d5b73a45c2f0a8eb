// Requested names that were not found, with one record per process and day.
import type { MissingNamesOfDay } from './missing-names.js';
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';

/** Most processes with records per day. Each start of the service counts as another process. */
export const MAX_PROCESSES_OF_DAY = 64;

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface MissingNames {
  /**
   * Replaces this process's record of that day. Returns false and writes nothing if `MAX_PROCESSES_OF_DAY` other processes have a
   * record.
   */
  put(process: string, counted: MissingNamesOfDay): Promise<boolean>;
  /** Returns the records of these days, oldest first. A day has one record per process. */
  range(days: DayRange): Promise<readonly MissingNamesOfDay[]>;
  /** Deletes earlier days. Returns the number of deleted records. */
  prune(before: UtcDay): Promise<number>;
}
