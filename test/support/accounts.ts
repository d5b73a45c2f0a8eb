// Accounts for tests. Their password hash is computed once, because argon2id is slow.
import argon2 from 'argon2';
import type { Account, AccountBilling } from '../../src/accounts/account.js';
import { newAccount } from '../../src/accounts/changes/lifecycle.js';
import type { Reauthentication } from '../../src/accounts/changes/reauthentication.js';
import { signIn } from '../../src/accounts/changes/sessions.js';
import type { Subscription } from '../../src/accounts/subscription.js';
import type { Session } from '../../src/accounts/session.js';
import type { Tier } from '../../src/accounts/plan.js';

/** Password of every account with the hash `passwordHash()`. */
export const PASSWORD = 'quite a long pass phrase';

/** Actor of changes that the operator makes. */
export const OPERATOR = { kind: 'operator', address: null } as const;

let hashed: Promise<string> | undefined;
/** Returns a real hash of `PASSWORD`, which is computed once. */
export function passwordHash(): Promise<string> {
  hashed ??= argon2.hash(PASSWORD, { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  return hashed;
}

let made = 0;

export interface SomeAccount {
  readonly account: Account;
  readonly apiKey: string;
}

interface Wanted {
  readonly tier?: Tier;
  readonly suspended?: boolean;
  readonly email?: string;
  readonly at?: Date;
  readonly passwordHash?: string;
}

export function someAccount({
  tier = 'free',
  suspended = false,
  email,
  at = new Date(),
  passwordHash = '$argon2id$none',
}: Wanted = {}): SomeAccount {
  made += 1;
  const { account, result } = newAccount({ email: email ?? `user${made}@example.com`, passwordHash, tier, at });
  return { account: { ...account, suspended }, apiKey: result.apiKey };
}

/** Creates an account with a subscription to `pro`. By default, the subscription never ends. */
export function subscribed(subscription: Partial<Subscription> = {}): SomeAccount {
  const { account, apiKey } = someAccount();
  return { account: { ...account, tier: 'pro', billing: billingOf(account.id, subscription) }, apiKey };
}

export function billingOf(customer: string, subscription: Partial<Subscription> = {}): AccountBilling {
  const at = new Date();
  return {
    customerId: `cus_${customer}`,
    subscription: {
      id: `sub_${customer}`,
      plan: 'pro',
      interval: 'month',
      status: 'active',
      currentPeriodEnd: at,
      endsAt: null,
      pastDueSince: null,
      collectionPause: null,
      ...subscription,
    },
    syncedAt: at,
    retryAt: null,
    watchedUntil: null,
  };
}

export function someSignedIn({ at = new Date(), ...wanted }: Wanted = {}): {
  readonly account: Account;
  readonly session: Session;
  readonly proof: Reauthentication;
} {
  const { account, session } = signedInto(someAccount({ at, ...wanted }).account, at);
  return { account, session, proof: { session: session.id, passwordVersion: 1 } };
}

/** Signs in to the account. Returns the account with the new session, and the session's token. */
export function signedInto(account: Account, at: Date): { readonly account: Account; readonly session: Session } {
  const origin = { userAgent: null, address: null };
  const change = signIn(account, { passwordVersion: account.password.version, origin }, at);
  return { account: change.account, session: change.result.session };
}
