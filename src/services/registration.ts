// A stranger becomes a customer: an account and its first key.
import type { Account, AccountId } from '../domain/account.js';
import { ACCOUNT_ID_LENGTH, newApiKey, randomBase62 } from '../domain/api-key.js';
import { canonicalPassword, passwordFault, PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS } from '../domain/password.js';
import type { Tier } from '../domain/plan.js';
import { AppError, invalidField } from '../errors.js';
import type { AccountStore } from '../ports/account-store.js';
import type { AddressBudget } from '../ports/address-budget.js';
import type { CommonPasswords } from '../ports/common-passwords.js';
import type { PasswordHasher } from '../ports/password-hasher.js';

interface Ports {
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly budget: AddressBudget;
  readonly commonPasswords: CommonPasswords;
  /** ms since the epoch */
  readonly now: () => number;
  readonly registration: 'open' | 'closed';
}

export interface RegistrationRequest {
  readonly email: string;
  readonly password: string;
  /** What the budget is kept for. */
  readonly clientAddress: string;
}

export interface Registered {
  readonly account: Account;
  /** The raw key; nobody can show it again. */
  readonly apiKey: string;
}

export interface Registration {
  /** Throws AppError: `forbidden`, `rate_limited`, `invalid_request`, `busy`, `email_taken`. */
  register(request: RegistrationRequest): Promise<Registered>;
}

export function registration({ accounts, hasher, budget, commonPasswords, now, registration }: Ports): Registration {
  return {
    async register({ email, password: typed, clientAddress }) {
      if (registration === 'closed') throw new AppError('forbidden', 'Registration is closed on this service.');
      const spent = await budget.spend(clientAddress);
      if (!spent.ok) {
        throw new AppError('rate_limited', 'Too many registrations from this address.', { retryAfterSeconds: spent.retryAfterSeconds });
      }
      const password = canonicalPassword(typed);
      const fault = passwordFault(password, email, (candidate) => commonPasswords.has(candidate));
      if (fault !== undefined) {
        throw invalidField('password', fault, `${PASSWORD_MIN_CHARACTERS} to ${PASSWORD_MAX_CHARACTERS} characters, not a common password`);
      }
      const passwordHash = await hasher.hash(password);
      const created = newAccount({ email, passwordHash, tier: 'free', at: new Date(now()) });
      if ((await accounts.insert(created.account)) === 'email_taken') throw new AppError('email_taken');
      return created;
    },
  };
}

/** An account with its first key, not yet stored. */
export function newAccount({ email, passwordHash, tier, at }: { email: string; passwordHash: string; tier: Tier; at: Date }): Registered {
  const id = randomBase62(ACCOUNT_ID_LENGTH) as AccountId;
  const { raw, hash, hint } = newApiKey(id);
  const key = { hash, hint, createdAt: at, lastUsedAt: null };
  const account = { id, email, emailVerified: false, passwordHash, tier, suspended: false, createdAt: at, key, version: 1 };
  return { account, apiKey: raw };
}
