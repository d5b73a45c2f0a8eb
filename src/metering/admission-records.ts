// Copies of account data that admissions use. Changes are announced, so that an admission never uses an outdated copy.
import type { AccountId } from '../accounts/account.js';
import type { AdmissionRecord } from './admission-record.js';

/** Announcements of changes of account data that admissions read, before and after each write. */
export interface AdmissionRecords {
  /**
   * Starts a change. Until `publish` or `abandon` with this token, every admission reads the account from its source.
   * Rejects with AppError `unavailable`; then the change must not be written.
   */
  begin(id: AccountId): Promise<string>;
  /**
   * Ends a change that was written: later admissions use this record. Null: the account is gone or being deleted. Never
   * rejects: after a failure, the mark stays.
   */
  publish(id: AccountId, token: string, record: AdmissionRecord | null): Promise<void>;
  /** Ends a change that was certainly not written. Never rejects. */
  abandon(id: AccountId, token: string): Promise<void>;
}

export interface AccountSource {
  /**
   * Returns a record that is never older than an acknowledged write. Returns undefined if the account does not exist or
   * is being deleted.
   */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}
