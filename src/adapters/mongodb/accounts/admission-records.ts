// Records from which admissions are decided, kept elsewhere: how they are announced, and read again from this store.
import type { Account, AccountId } from '../../../domain/account/account.js';
import { publishableKeyRule, type PublishableKeyRule } from '../../../domain/account/publishable-key.js';
import type { Tier } from '../../../domain/metering/plan.js';

/** What admissions read of an account. */
export interface AdmissionRecord {
  /** Null: revoked. */
  readonly keyHash: string | null;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly publishableKeys: readonly PublishableKeyRule[];
  readonly version: number;
}

type AccountParts = Pick<Account, 'tier' | 'suspended' | 'publishableKeys' | 'version'> & {
  readonly key: { readonly hash: string } | null;
};

export function admissionRecordOf({ key, tier, suspended, publishableKeys, version }: AccountParts): AdmissionRecord {
  return {
    keyHash: key?.hash ?? null,
    tier,
    suspended,
    publishableKeys: publishableKeys.map(publishableKeyRule),
    version,
  };
}

/** Announcement of each change of what admissions read, before it is written and after. */
export interface AdmissionRecords {
  /**
   * Until `publish` or `abandon` of this token, no admission rests on a kept record. Rejects with AppError `unavailable`:
   * then the change must not be written.
   */
  begin(id: AccountId): Promise<string>;
  /** The change is written. Null: the account is gone or being deleted. Never rejects: a failure leaves the mark. */
  publish(id: AccountId, token: string, record: AdmissionRecord | null): Promise<void>;
  /** The change was surely not written. */
  abandon(id: AccountId, token: string): Promise<void>;
}

/** Where records are read from when none is kept. */
export interface AccountSource {
  /** As it is on the primary; undefined when it is gone or being deleted. */
  read(id: AccountId): Promise<AdmissionRecord | undefined>;
}
