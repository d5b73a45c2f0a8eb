// Records from which admissions are decided, kept apart from the accounts: how changes are announced, and where they are read again.
import type { AccountId } from '../accounts/account.js';
import type { AdmissionRecord } from './admission-record.js';

/** Announcement of each change of what admissions read, before it is written and after. */
export interface AdmissionRecords {
  /**
   * Until `publish` or `abandon` of this token, every admission reads the account from its source. Rejects with AppError
   * `unavailable`: then the change must not be written.
   */
  begin(id: AccountId): Promise<string>;
  /**
   * The change is written: later admissions go by this record. Null: the account is gone or being deleted. Never rejects: a
   * failure leaves the mark.
   */
  publish(id: AccountId, token: string, record: AdmissionRecord | null): Promise<void>;
  /** The change was surely not written. Never rejects. */
  abandon(id: AccountId, token: string): Promise<void>;
}

export interface AccountSource {
  /** Never older than an acknowledged write. Undefined: there is none, or it is being deleted. */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}
