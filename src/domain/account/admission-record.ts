// Admission record: what an admission needs of an account.
import type { Account } from './account.js';
import { publishableKeyRule, type PublishableKeyRule } from './publishable-key.js';

export interface AdmissionRecord extends Pick<Account, 'tier' | 'suspended' | 'version'> {
  /** SHA-256, hex; null: revoked. */
  readonly keyHash: string | null;
  readonly publishableKeys: readonly PublishableKeyRule[];
}

type AccountParts = Pick<Account, 'key' | 'tier' | 'suspended' | 'publishableKeys' | 'version'>;

export function admissionRecordOf({ key, tier, suspended, publishableKeys, version }: AccountParts): AdmissionRecord {
  const rules = publishableKeys.map(publishableKeyRule);
  return { keyHash: key?.hash ?? null, tier, suspended, publishableKeys: rules, version };
}
