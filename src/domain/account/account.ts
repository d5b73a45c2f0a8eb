// Account: the owner's e-mail address, password, API key and sessions, as one record.
import type { AccountId } from './account-id.js';
import type { NoticeKind, PendingMail } from './pending-mail.js';
import type { OpenLink } from './email-link.js';
import type { Subscription } from '../billing/subscription.js';
import type { Tier } from '../metering/plan.js';
import type { PublishableKey } from './publishable-key.js';
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
  /** Rises by one whenever a new password is set; not when the same one is hashed anew. */
  readonly version: number;
}

/** What the payment provider knows of the owner. */
export interface AccountBilling {
  /** The payment provider's id. */
  readonly customerId: string;
  /** As last reported; null: none of a plan of this service. */
  readonly subscription: Subscription | null;
  /** When it was reported. */
  readonly syncedAt: Date;
  /** When to ask for a report again that failed; null when the last one did not fail. */
  readonly retryAt: Date | null;
  /** The owner's address has changed since the provider was told; absent when it has not. */
  readonly isEmailOutdated?: boolean | undefined;
}

/** Everything that one command may change, stored and saved as one. */
export interface Account {
  readonly id: AccountId;
  /** As typed, trimmed. A pending change of it is among the links. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly password: AccountPassword;
  /** The operator's setting, else of a subscription, else free (`changes/billing.ts`). */
  readonly tier: Tier;
  /** Null: the subscription decides. */
  readonly operatorTier: Tier | null;
  /** Null until the owner first buys. */
  readonly billing: AccountBilling | null;
  readonly suspended: boolean;
  readonly createdAt: Date;
  /** Null after the operator revoked it. */
  readonly key: AccountKey | null;
  /** At most 10, oldest first. */
  readonly publishableKeys: readonly PublishableKey[];
  /** At most 100 live ones, oldest first; ended ones may be among them until the next sign-in or the cleaning job. */
  readonly sessions: readonly Session[];
  /** Mailed links that were not used yet; at most one of each purpose. */
  readonly links: readonly OpenLink[];
  /** Mails that were not sent yet, oldest first. */
  readonly mails: readonly PendingMail[];
  /** When the owner was last notified that sign-ins are throttled. */
  readonly throttleNoticeAt: Date | null;
  /**
   * How often the operator has lifted the throttling of sign-ins: each time the rate limits of trusted devices start
   * anew.
   */
  readonly unlocks: number;
  /** When the newest notice of each kind was, or is to be, sent. */
  readonly noticedAt: Readonly<Partial<Record<NoticeKind, Date>>>;
  /** Deletion has begun: the account cannot be used, and its data is being removed. */
  readonly deleting: boolean;
  /** Rises by one with every save; a save names the one it started from. */
  readonly version: number;
}

/** The part of an account that a password check reads. */
export type PasswordRecord = Pick<Account, 'id' | 'password' | 'unlocks' | 'deleting' | 'version'>;

/** The form in which two spellings of one e-mail address are equal: NFC, lower case. */
export function emailIdentity(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
