// Response history: answers by class of status, and the slugs that were answered most, by account and day.
import type { AccountId } from '../accounts/account.js';
import type { DayRange } from '../platform/day-range.js';
import type { DayResponses } from './day-responses.js';
import type { UtcDay } from '../platform/utc-day.js';

export interface AccountResponses extends DayResponses {
  readonly accountId: AccountId;
}

export interface ResponseBatch {
  /** Unique. */
  readonly id: string;
  readonly day: UtcDay;
  /** Each account once; a few hundred at most. */
  readonly accounts: readonly AccountResponses[];
}

export interface ResponsesOfDay extends DayResponses {
  readonly day: UtcDay;
}

/** Every method rejects with AppError `unavailable` while the store cannot be reached. */
export interface ResponseHistory {
  /**
   * Adds the batch to what is stored (`mergeResponses`); nothing for accounts that are gone or being deleted. A batch that was
   * rejected may be given again: what was written of it is not added twice.
   */
  add(batch: ResponseBatch): Promise<void>;
  /** Those of these days, oldest first; reads no others. Days without responses are left out. */
  range(accountId: AccountId, days: DayRange): Promise<readonly ResponsesOfDay[]>;
  /** Deletes all days of an account. */
  remove(accountId: AccountId): Promise<void>;
  /** Deletes earlier days, of every account; how many days of an account there were. */
  prune(before: UtcDay): Promise<number>;
}
