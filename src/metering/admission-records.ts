// Admission records: copies of account data for admissions. Each change is announced before and after its write, so
// that no admission uses an outdated copy.
import type { AccountId } from '../accounts/account.js';
import type { AdmissionRecord } from './admission-record.js';

/** Announces changes of the account data that admissions read. */
export interface AdmissionRecords {
  /**
   * Announces a change before its write. Until `publish` or `abandon` is called with the returned token, every
   * admission reads the account from its source. If it rejects with AppError `unavailable`, the change must not be
   * written.
   */
  begin(id: AccountId): Promise<string>;
  /**
   * Announces that the change is written. Later admissions use `record`; null means that the account is gone or being
   * deleted. Never rejects. After a failure, admissions keep reading the account from its source.
   */
  publish(id: AccountId, token: string, record: AdmissionRecord | null): Promise<void>;
  /** Announces that the change was not written. Must not be called if the write may have succeeded. Never rejects. */
  abandon(id: AccountId, token: string): Promise<void>;
}

export interface AccountSource {
  /**
   * Returns the account's current admission record, never older than an acknowledged write. Returns undefined if the
   * account does not exist or is being deleted.
   */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}
