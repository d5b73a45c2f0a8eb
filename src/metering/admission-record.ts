// Admission record: the account fields that decide whether a request is admitted.
import type { Account } from '../accounts/account.js';
import { tierEndsAt } from '../accounts/tier.js';
import { publishableKeyRule, type PublishableKeyRule } from '../accounts/publishable-key.js';

export interface AdmissionRecord extends Pick<Account, 'tier' | 'suspended' | 'version'> {
  /** SHA-256 of the API key in hex; null after the operator has revoked the key. */
  readonly keyHash: string | null;
  /** Time at which the tier becomes `free`; null if no end is known. */
  readonly tierEndsAt: Date | null;
  readonly publishableKeys: readonly PublishableKeyRule[];
  /** Ids of the records (pages) that store the account's own brands, separated by spaces; empty if there are none. */
  readonly ownBrands: string;
}

type AccountParts = Pick<
  Account,
  'key' | 'tier' | 'operatorTier' | 'billing' | 'suspended' | 'publishableKeys' | 'ownBrands' | 'version'
>;

export function admissionRecordOf({ key, ownBrands, publishableKeys, ...account }: AccountParts): AdmissionRecord {
  const rules = publishableKeys.map(publishableKeyRule);
  const { tier, suspended, version } = account;
  return {
    ...{ keyHash: key?.hash ?? null, tier, tierEndsAt: tierEndsAt(account), suspended, version },
    publishableKeys: rules,
    ownBrands: ownBrands?.pages ?? '',
  };
}
