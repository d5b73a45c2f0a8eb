// Account: the owner's e-mail address, password, API key and sessions, as one record.
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
  /** SHA-256 of the whole key, hex. */
  hash: z.string(),
  /** Last four characters. */
  hint: z.string(),
  createdAt: instant,
  /** Written at most once a minute, by admissions, without a new version. */
  lastUsedAt: instant.nullable().default(null),
});
export type AccountKey = RecordOf<typeof keySchema>;

const passwordSchema = z.object({
  /** argon2id, PHC string. */
  hash: z.string(),
  /** Rises by one whenever a new password is set; not when the same one is hashed anew. */
  version: z.int(),
});

/** The owner as a customer of the payment provider. */
const billingSchema = z.object({
  /** The payment provider's id. */
  customerId: z.string(),
  /** As last reported; null: none of a plan of this service. */
  subscription: subscriptionSchema.nullable(),
  /** When it was reported. */
  syncedAt: instant,
  /** When to ask for a report again that failed; null when the last one did not fail. */
  retryAt: instant.nullable(),
  /** The owner's address has changed since the provider was told; absent when it has not. */
  isEmailOutdated: z.boolean().optional(),
  /** Until then, reading the subscription asks the provider: the owner is at a page of it. Null: reading does not ask. */
  watchedUntil: instant.nullable().default(null),
});
export type AccountBilling = RecordOf<typeof billingSchema>;

/** The account's own brands, which are stored beside it (ADR 28). */
const ownBrandsSchema = z.object({
  /** Ids of the stored pages that they are on, separated by spaces; empty: there are none. Each change gives other ids. */
  pages: z.string(),
  count: z.int(),
  /** Number of changes that there have been, of all of them: the newest version. */
  changes: z.int(),
});
export type AccountOwnBrands = RecordOf<typeof ownBrandsSchema>;

/** Everything that one command may change, stored and saved as one. A field that older records lack has a default. */
export const accountSchema = z.object({
  id: branded<AccountId>(),
  /** As typed, trimmed, the domain in ASCII. A pending change of it is among the links. */
  email: z.string(),
  emailVerified: z.boolean(),
  password: passwordSchema,
  /** The operator's setting, else of a subscription, else free, when it was last written. Read through `tierAt` (`tier.ts`). */
  tier: z.enum(TIERS),
  /** Null: the subscription decides. */
  operatorTier: z.enum(TIERS).nullable(),
  /** Null until the owner first buys. */
  billing: billingSchema.nullable().default(null),
  suspended: z.boolean(),
  createdAt: instant,
  /** Null after the operator revoked it. */
  key: keySchema.nullable(),
  /** At most 10, oldest first. */
  publishableKeys: z.array(publishableKeySchema).default([]),
  /** Null until there is a first one. */
  ownBrands: ownBrandsSchema.nullable().default(null),
  /** At most 100 live ones, oldest first; ended ones may be among them until the next sign-in or the cleaning job. */
  sessions: z.array(sessionSchema),
  /** Mailed links that were not used yet; at most one of each purpose. */
  links: z.array(linkSchema),
  /** Mails that were not sent yet, oldest first. */
  mails: z.array(mailSchema),
  /** When the owner was last notified that sign-ins are throttled. */
  throttleNoticeAt: instant.nullable(),
  /** Number of times that the operator has lifted the throttling of sign-ins: each starts the rate limits of trusted devices anew. */
  unlocks: z.int(),
  /** When the newest notice of each kind was, or is to be, sent. */
  noticedAt: z.partialRecord(z.enum(NOTICE_KINDS), instant).default({}),
  /** Deletion has begun: the account cannot be used, and its data is being removed. */
  deleting: z.boolean(),
  /** Rises by one with every save; a save names the one it started from. */
  version: z.int(),
});
export type Account = RecordOf<typeof accountSchema>;

/** The part of an account that a password check reads. */
export const passwordRecordSchema = accountSchema.pick({
  id: true,
  password: true,
  unlocks: true,
  deleting: true,
  version: true,
});
export type PasswordRecord = RecordOf<typeof passwordRecordSchema>;

/** The form in which two spellings of one e-mail address are equal: NFC, lower case, the domain in ASCII. */
export function emailIdentity(email: string): string {
  return withAsciiDomain(email.normalize('NFC')).toLowerCase();
}
