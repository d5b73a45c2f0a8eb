// Response history: responses by status class, and most requested slugs, per account and day.
import type { AccountId } from '../accounts/account.js';
import type { DayRange } from '../platform/day-range.js';
import type { DayResponses } from './day-responses.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface AccountResponses extends DayResponses {
  readonly accountId: AccountId;
}

export interface ResponseBatch {
  /** Unique id. The store uses it to recognize a repeated batch. */
  readonly id: string;
  readonly day: UtcDay;
  /** Counts by account: one item per account, a few hundred at most. */
  readonly accounts: readonly AccountResponses[];
}

export interface ResponsesOfDay extends DayResponses {
  readonly day: UtcDay;
}

/** All methods reject with AppError `unavailable` if the store cannot be reached. */
export interface ResponseHistory {
  /**
   * Adds the batch to the stored counts (`mergeResponses`). Skips accounts that are removed or being deleted. After a
   * rejection, the same batch can be added again: parts that were already written are not counted twice.
   */
  add(batch: ResponseBatch): Promise<void>;
  /**
   * Returns the response counts of these days, oldest day first. Days without responses are omitted. Reads only these
   * days.
   */
  range(accountId: AccountId, days: DayRange): Promise<readonly ResponsesOfDay[]>;
  remove(accountId: AccountId): Promise<void>;
  /** Deletes all days before `before`, of all accounts. Returns the number of deleted records. */
  prune(before: UtcDay): Promise<number>;
}
