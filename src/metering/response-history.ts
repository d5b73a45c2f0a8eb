// Response history: responses by status class, and the most requested slugs, by account and day.
import type { AccountId } from '../accounts/account.js';
import type { DayRange } from '../platform/day-range.js';
import type { DayResponses } from './day-responses.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface AccountResponses extends DayResponses {
  readonly accountId: AccountId;
}

export interface ResponseBatch {
  /** Unique id of the batch. */
  readonly id: string;
  readonly day: UtcDay;
  /** Counts by account, at most one item per account; a few hundred at most. */
  readonly accounts: readonly AccountResponses[];
}

export interface ResponsesOfDay extends DayResponses {
  readonly day: UtcDay;
}

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface ResponseHistory {
  /**
   * Adds the batch to the stored counts (`mergeResponses`). Skips accounts that are gone or being deleted. A rejected
   * batch may be added again: the part that was written is not added twice.
   */
  add(batch: ResponseBatch): Promise<void>;
  /** Returns the responses of these days, oldest first. Reads no other days. Days without responses are omitted. */
  range(accountId: AccountId, days: DayRange): Promise<readonly ResponsesOfDay[]>;
  /** Deletes all days of an account. */
  remove(accountId: AccountId): Promise<void>;
  /** Deletes earlier days of every account. Returns the number of deleted days, counted per account. */
  prune(before: UtcDay): Promise<number>;
}
