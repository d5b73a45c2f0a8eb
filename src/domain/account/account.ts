// An account: who pays, who owns the key, whose requests are counted, who is signed in where.
import type { AccountId } from './account-id.js';
import type { NoticeKind, PendingMail } from './pending-mail.js';
import type { OpenLink } from './email-link.js';
import type { Tier } from '../metering/plan.js';
import type { Session } from './session.js';

export type { AccountId } from './account-id.js';

export interface AccountKey {
  /** SHA-256 of the whole key, hex. */
  readonly hash: string;
  /** Last four characters. */
  readonly hint: string;
  readonly createdAt: Date;
  /** Written at most once a minute, by admissions, without a new version. */
  readonly lastUsedAt: Date | null;
}

export interface AccountPassword {
  /** argon2id, PHC string. */
  readonly hash: string;
  /** Rises by one whenever another password is set; not when the same one is hashed anew. */
  readonly version: number;
}

/** All that one command may change, kept and saved as one. */
export interface Account {
  readonly id: AccountId;
  /** As typed, trimmed. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly password: AccountPassword;
  readonly tier: Tier;
  readonly suspended: boolean;
  readonly createdAt: Date;
  /** Null after the operator revoked it. */
  readonly key: AccountKey | null;
  /** At most 20 live ones, oldest first; ended ones may be among them until the next sign-in or the cleaning job. */
  readonly sessions: readonly Session[];
  /** Mailed links that were not used yet; at most one of each purpose. */
  readonly links: readonly OpenLink[];
  /** Mails that were not sent yet, oldest first. */
  readonly mails: readonly PendingMail[];
  /** When the owner was last told that sign-ins are being throttled. */
  readonly throttleNoticeAt: Date | null;
  /**
   * How often the operator has lifted the throttling of sign-ins: each time the budgets of known devices begin anew.
   */
  readonly unlocks: number;
  /** When the newest news of each kind was, or is to be, told. */
  readonly noticedAt: Readonly<Partial<Record<NoticeKind, Date>>>;
  /** The owner asked for deletion: nothing works any more, what is left of it is being removed. */
  readonly deleting: boolean;
  /** Rises by one with every save; a save names the one it started from. */
  readonly version: number;
}

/** What checking a password needs to know of an account. */
export type PasswordRecord = Pick<Account, 'id' | 'password' | 'unlocks' | 'deleting' | 'version'>;

/** The form in which two spellings of one e-mail address are equal: NFC, lower case. */
export function emailIdentity(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
