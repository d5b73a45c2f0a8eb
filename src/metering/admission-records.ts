// Admission records: cached copies of the account data that admissions read. Every change of an account calls `begin`
// before its write, and `publish` or `abandon` after it, so that no admission uses an outdated copy.
import type { AccountId } from '../accounts/account.js';
import type { AdmissionRecord } from './admission-record.js';

export interface AdmissionRecords {
  /**
   * Must be called before a change is written. Until `publish` or `abandon` is called with the returned token, every
   * admission reads the account from its source. If `begin` rejects with AppError `unavailable`, the change must not be
   * written.
   */
  begin(id: AccountId): Promise<string>;
  /**
   * Must be called after a change was written. Later admissions use `record`; null means that the account is removed or
   * being deleted. Never rejects. After a failure, admissions continue to read the account from its source.
   */
  publish(id: AccountId, token: string, record: AdmissionRecord | null): Promise<void>;
  /** Must be called if a change was not written. Must not be called if the write may have succeeded. Never rejects. */
  abandon(id: AccountId, token: string): Promise<void>;
}

export interface AccountSource {
  /**
   * Returns the account's current admission record. It includes every acknowledged write. Returns undefined if the
   * account does not exist or is being deleted.
   */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}
