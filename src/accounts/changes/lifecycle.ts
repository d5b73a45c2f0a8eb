// Creation and deletion of accounts.
import { accountSchema, type Account, type AccountId } from '../account.js';
import { assertStillAuthenticated, type Reauthentication } from './reauthentication.js';
import type { Change } from './change.js';
import { freshKey } from './credentials.js';
import { withLink } from './email-links.js';
import { withMail } from './mails.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../../platform/text/base62.js';
import { newLink } from '../email-link.js';
import type { Tier } from '../plan.js';
import { readRecord } from '../../platform/stores/stored-record.js';

export interface NewAccount {
  readonly email: string;
  readonly passwordHash: string;
  /**
   * Tier of the new account. A tier other than free is stored as the tier that the operator has set (`operatorTier`).
   * For free, `operatorTier` is null, so that a subscription decides the tier.
   */
  readonly tier: Tier;
  readonly at: Date;
  /** True if the owner has already followed a link mailed to this address. */
  readonly emailVerified?: boolean;
}

/** Creates an account with its first API key. Unless the address is verified, adds a verification mail. */
export function newAccount({
  email,
  passwordHash,
  tier,
  at,
  emailVerified = false,
}: NewAccount): Change<{ readonly apiKey: string }> {
  const id = randomBase62(ACCOUNT_ID_LENGTH) as AccountId;
  const { raw, key } = freshKey(id, at);
  const given = {
    id,
    email,
    emailVerified,
    password: { hash: passwordHash, version: 1 },
    tier,
    operatorTier: tier === 'free' ? null : tier,
    suspended: false,
    createdAt: at,
    key,
    sessions: [],
    links: [],
    mails: [],
    throttleNoticeAt: null,
    unlocks: 0,
    deleting: false,
    version: 1,
  };
  const account: Account = readRecord(accountSchema, given, 'a new account');
  const mailed = () => withMail(withLink(account, newLink('verify-email', at)).account, 'verify-email', at);
  return {
    account: emailVerified ? account : mailed(),
    facts: [{ type: 'user_created', detail: { tier, key: key.hint } }],
    result: { apiKey: raw },
  };
}

/** Marks the account as deleting, which makes it unusable. `proof` is undefined for the operator. */
export function beginDeletion(account: Account, proof: Reauthentication | undefined, at: Date): Change {
  assertStillAuthenticated(account, proof, at);
  return {
    account: {
      ...account,
      deleting: true,
      key: null,
      publishableKeys: [],
      ownBrands: null,
      sessions: [],
      links: [],
      mails: [],
      features: {},
    },
    facts: [{ type: 'user_deleted' }],
    result: undefined,
  };
}
