// Account: the owner's e-mail address, password, API key and sessions, stored as one record.
import { z } from 'zod';
import type { AccountId } from './account-id.js';
import { withAsciiDomain } from '../platform/mail/ascii-domain.js';
import { mailSchema, NOTICE_KINDS } from './pending-mail.js';
import { linkSchema } from './email-link.js';
import { subscriptionSchema } from './subscription.js';
import { TIERS } from './plan.js';
import { publishableKeySchema } from './publishable-key.js';
import { sessionSchema } from './session.js';
import { branded, instant, type RecordOf } from '../platform/stores/stored-record.js';

export type { AccountId } from './account-id.js';

const keySchema = z.object({
  /** SHA-256 of the whole key in hex. */
  hash: z.string(),
  /** Last four characters of the key. */
  hint: z.string(),
  createdAt: instant,
  /** Last use. Admissions write it at most once a minute, without a new version. */
  lastUsedAt: instant.nullable().default(null),
});
export type AccountKey = RecordOf<typeof keySchema>;

const passwordSchema = z.object({
  /** argon2id hash as PHC string. */
  hash: z.string(),
  /** Version of the password. It rises by one for a new password, not if the same password is hashed again. */
  version: z.int(),
});

/** The owner as a customer of the payment provider. */
const billingSchema = z.object({
  /** Customer id assigned by the payment provider. */
  customerId: z.string(),
  /** Subscription as last reported; null if there is none for a plan of this service. */
  subscription: subscriptionSchema.nullable(),
  /** Time of the last report. */
  syncedAt: instant,
  /** Time of the next attempt after a failed report; null if the last attempt succeeded. */
  retryAt: instant.nullable(),
  /** True if the owner's address has changed since the provider was told; absent otherwise. */
  isEmailOutdated: z.boolean().optional(),
  /**
   * While this time is ahead, reading the subscription asks the provider, because the owner is on one of its pages.
   * Null: reading does not ask.
   */
  watchedUntil: instant.nullable().default(null),
});
export type AccountBilling = RecordOf<typeof billingSchema>;

/** The account's own brands, which are stored separately (ADR 28). */
const ownBrandsSchema = z.object({
  /**
   * Ids of the stored pages with the brands, separated by spaces; empty if there are none. Each change gives new ids.
   */
  pages: z.string(),
  count: z.int(),
  /** Number of changes of all own brands so far, and so the newest version. */
  changes: z.int(),
});
export type AccountOwnBrands = RecordOf<typeof ownBrandsSchema>;

/**
 * Account record: everything that one command may change, saved as one. Fields that older records lack have defaults.
 */
export const accountSchema = z.object({
  id: branded<AccountId>(),
  /** Address as typed, trimmed, with the domain in ASCII. A pending change of the address is among the links. */
  email: z.string(),
  emailVerified: z.boolean(),
  password: passwordSchema,
  /**
   * Tier at the time of the last write: the operator's setting, else the subscription's, else free. Read it through
   * `tierAt` (`tier.ts`).
   */
  tier: z.enum(TIERS),
  /** Tier set by the operator; null if the subscription decides. */
  operatorTier: z.enum(TIERS).nullable(),
  /** Null until the owner's first purchase. */
  billing: billingSchema.nullable().default(null),
  suspended: z.boolean(),
  createdAt: instant,
  /** API key; null after the operator revoked it. */
  key: keySchema.nullable(),
  /** At most 10 keys, oldest first. */
  publishableKeys: z.array(publishableKeySchema).default([]),
  /** Null until the owner adds the first own brand. */
  ownBrands: ownBrandsSchema.nullable().default(null),
  /** At most 100 live sessions, oldest first. Ended sessions may remain until the next sign-in or the cleaning job. */
  sessions: z.array(sessionSchema),
  /** Unused mailed links, at most one per purpose. */
  links: z.array(linkSchema),
  /** Unsent mails, oldest first. */
  mails: z.array(mailSchema),
  /** Time of the last notice to the owner that sign-ins are throttled. */
  throttleNoticeAt: instant.nullable(),
  /**
   * Number of times that the operator has lifted the throttling of sign-ins. Each time resets the rate limits of
   * trusted devices.
   */
  unlocks: z.int(),
  /** Time at which the newest notice of each kind was sent, or will be sent. */
  noticedAt: z.partialRecord(z.enum(NOTICE_KINDS), instant).default({}),
  /** True once deletion has started: the account cannot be used, and its data is being removed. */
  deleting: z.boolean(),
  /** Version, raised by one with every save. A save names the version that it started from. */
  version: z.int(),
});
export type Account = RecordOf<typeof accountSchema>;

/** Account fields that a password check reads. */
export const passwordRecordSchema = accountSchema.pick({
  id: true,
  password: true,
  unlocks: true,
  deleting: true,
  version: true,
});
export type PasswordRecord = RecordOf<typeof passwordRecordSchema>;

/** Returns a form in which two spellings of one e-mail address are equal: NFC, lower case, the domain in ASCII. */
export function emailIdentity(email: string): string {
  return withAsciiDomain(email.normalize('NFC')).toLowerCase();
}
