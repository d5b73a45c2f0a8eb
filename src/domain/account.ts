// An account: who pays, who owns the key, whose requests are counted.
import type { Tier } from './plan.js';

/** 12 Base62 characters; also the reference inside the account's API key. */
export type AccountId = string & { readonly __brand: 'AccountId' };

export interface AccountKey {
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  readonly hint: string;
  readonly createdAt: Date;
  /** Written at most once a minute. */
  readonly lastUsedAt: Date | null;
}

export interface Account {
  readonly id: AccountId;
  /** As typed, trimmed. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** argon2id, PHC string. */
  readonly passwordHash: string;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly createdAt: Date;
  readonly key: AccountKey;
  /** Rises by one with every change; a save names the one it started from. */
  readonly version: number;
}

/** The form in which two spellings of one e-mail address are equal: NFC, lower case. */
export function emailIdentity(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
