// Names that were asked for and not found: a record for each process and day.
import type { MissingNamesOfDay } from './missing-names.js';
import type { DayRange } from '../platform/day-range.js';
import type { UtcDay } from '../platform/utc-day.js';

/** Processes that are stored of a day; each start of the service is another one. */
export const MAX_PROCESSES_OF_DAY = 64;

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface MissingNames {
  /** Replaces what this process has stored of that day. False: `MAX_PROCESSES_OF_DAY` others have; nothing is written. */
  put(process: string, counted: MissingNamesOfDay): Promise<boolean>;
  /** Those of these days, oldest first; several of a day where several processes have counted. */
  range(days: DayRange): Promise<readonly MissingNamesOfDay[]>;
  /** Deletes earlier days; how many records there were. */
  prune(before: UtcDay): Promise<number>;
}
