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
  /** Last four characters of the key, shown to tell keys apart. */
  hint: z.string(),
  createdAt: instant,
  /**
   * Time of the last use. Requests with the key update it at most once a minute, without increasing the version number
   * of the account record.
   */
  lastUsedAt: instant.nullable().default(null),
});
export type AccountKey = RecordOf<typeof keySchema>;

const passwordSchema = z.object({
  /** Argon2id hash as a PHC string. */
  hash: z.string(),
  /** Version of the password. Each new password increases it by one. A new hash of the same password does not. */
  version: z.int(),
});

const billingSchema = z.object({
  customerId: z.string(),
  /**
   * Subscription in the last report of the payment provider; null if the report contained no subscription to a plan of
   * this service.
   */
  subscription: subscriptionSchema.nullable(),
  /** Time of the payment provider's last report. */
  syncedAt: instant,
  /** Time of the next sync after a failed sync; null if the last sync succeeded. */
  retryAt: instant.nullable(),
  /**
   * True if the e-mail address has changed and the payment provider does not have the new address yet; absent
   * otherwise.
   */
  isEmailOutdated: z.boolean().optional(),
  /**
   * Until this time, each read of the subscription asks the payment provider, because the owner has recently opened one
   * of the provider's pages. Null means that reads return the stored subscription.
   */
  watchedUntil: instant.nullable().default(null),
});
export type AccountBilling = RecordOf<typeof billingSchema>;

/** Reference to the account's own brands (logos that the account has added), which are stored separately (ADR 28). */
const ownBrandsSchema = z.object({
  /**
   * Ids of the stored pages, separated by spaces; empty if there are no own brands. A page is a record with a part of
   * the own brands. Each change writes new pages with new ids.
   */
  pages: z.string(),
  count: z.int(),
  /** Number of changes to own brands so far. It serves as the version of the own brands. */
  changes: z.int(),
});
export type AccountOwnBrands = RecordOf<typeof ownBrandsSchema>;

/**
 * Value that another feature stores with the account. It has only JSON types, because SQLite and MongoDB both return
 * these types unchanged.
 */
const featureValueSchema = z.object({
  /** Time in ms since the epoch at which the feature must process this account; null if never. */
  dueAt: z.int().nullable(),
  value: z.unknown(),
});

/** Account record, always saved as a whole. Fields missing in older records have defaults. */
export const accountSchema = z.object({
  id: branded<AccountId>(),
  /** E-mail address as typed, trimmed, with the domain in ASCII. The new address of a pending change is in `links`. */
  email: z.string(),
  emailVerified: z.boolean(),
  password: passwordSchema,
  /**
   * Tier at the time of the last save: set by the operator, else by the subscription, else `free`. Read the tier with
   * `tierAt` (`tier.ts`), because a subscription may have ended since the save.
   */
  tier: z.enum(TIERS),
  /** Tier set by the operator; null if the subscription decides. */
  operatorTier: z.enum(TIERS).nullable(),
  /** Customer at the payment provider; null until the owner's first purchase. */
  billing: billingSchema.nullable().default(null),
  suspended: z.boolean(),
  createdAt: instant,
  /** API key; null after the operator has revoked the key. */
  key: keySchema.nullable(),
  /** Publishable keys, at most 10, oldest first. */
  publishableKeys: z.array(publishableKeySchema).default([]),
  /** Own brands; null until the owner adds the first one. */
  ownBrands: ownBrandsSchema.nullable().default(null),
  /** At most 100 live sessions, oldest first. Ended sessions may remain until the next sign-in or the cleanup job. */
  sessions: z.array(sessionSchema),
  /** Unused mailed links, at most one per purpose. */
  links: z.array(linkSchema),
  /** Unsent mails, oldest first. */
  mails: z.array(mailSchema),
  /**
   * Time of the last notice to the owner that sign-ins are throttled; null if no notice was sent since the operator
   * last ended the throttling.
   */
  throttleNoticeAt: instant.nullable(),
  /**
   * Number of times that the operator has ended the throttling of sign-ins. Rate limits of trusted devices have this
   * number in their keys, so each increment resets these limits.
   */
  unlocks: z.int(),
  /** Due time of the newest notice of each kind. That notice may have been sent already. */
  noticedAt: z.partialRecord(z.enum(NOTICE_KINDS), instant).default({}),
  /** Values that other features store with the account, by feature. Each feature parses its own value. */
  features: z.record(z.string(), featureValueSchema).default({}),
  /** True once deletion has started. The account cannot be used, and its data is being removed. */
  deleting: z.boolean(),
  /** Version for compare-and-set writes. Each save increases it by one. */
  version: z.int(),
});
export type Account = RecordOf<typeof accountSchema>;

export const passwordRecordSchema = accountSchema.pick({
  id: true,
  password: true,
  unlocks: true,
  deleting: true,
  version: true,
});
export type PasswordRecord = RecordOf<typeof passwordRecordSchema>;

/**
 * Returns the canonical form of an e-mail address (NFC, lower case, ASCII domain). Two addresses with the same
 * canonical form are treated as one address.
 */
export function emailIdentity(email: string): string {
  return withAsciiDomain(email.normalize('NFC')).toLowerCase();
}
