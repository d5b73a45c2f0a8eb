// Account record: an account as a row of SQLite, and back.
import { z } from 'zod';
import { emailIdentity, type Account, type AccountId, type PasswordRecord } from '../../../domain/account/account.js';
import { billingDueAt } from '../../../domain/account/changes/billing.js';
import { LINK_LIFETIME_MS, type LinkPurpose } from '../../../domain/account/email-link.js';
import type { PublishableKey } from '../../../domain/account/publishable-key.js';
import { MAIL_KINDS, NOTICE_KINDS } from '../../../domain/account/pending-mail.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from '../../../domain/billing/subscription.js';
import type { Tier } from '../../../domain/metering/plan.js';
import { sessionEnd, type SessionId } from '../../../domain/account/session.js';

/** Named as the columns are; times in ms since the epoch. */
export interface AccountRecord {
  readonly id: string;
  readonly email: string;
  readonly email_identity: string;
  readonly email_verified: number;
  readonly password_hash: string;
  readonly password_version: number;
  readonly tier: Tier;
  readonly operator_tier: Tier | null;
  readonly customer_id: string | null;
  readonly suspended: number;
  readonly deleting: number;
  readonly created_at: number;
  readonly key_hash: string | null;
  readonly key_hint: string | null;
  readonly key_created_at: number | null;
  readonly key_last_used_at: number | null;
  readonly publishable_keys: string;
  readonly state: string;
  readonly unlocks: number;
  readonly tidy_at: number | null;
  readonly mail_at: number | null;
  readonly billing_at: number | null;
  readonly version: number;
}

const date = z.codec(z.int(), z.date(), { decode: (ms) => new Date(ms), encode: (at) => at.getTime() });
/** Of the column `publishable_keys`. */
export const publishableKeys = z.array(
  z.object({
    id: z.string(),
    raw: z.string(),
    name: z.string(),
    origins: z.array(z.string()),
    dailyLimit: z.int().nullable(),
    createdAt: date,
    lastUsedAt: date.nullable(),
  }),
);

export function publishableKeysText(keys: readonly PublishableKey[]): string {
  return JSON.stringify(keys, asMilliseconds);
}

const purposes = Object.keys(LINK_LIFETIME_MS) as [LinkPurpose, ...LinkPurpose[]];
const state = z.object({
  sessions: z.array(
    z.object({
      id: z.string().transform((id) => id as SessionId),
      tokenHash: z.string(),
      createdAt: date,
      lastUsedAt: date,
      userAgent: z.string().nullable(),
      address: z.string().nullable(),
    }),
  ),
  links: z.array(
    z.object({ purpose: z.enum(purposes), nonce: z.string(), expiresAt: date, newEmail: z.string().optional() }),
  ),
  mails: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(MAIL_KINDS),
      to: z.string().optional(),
      at: date,
      tries: z.int(),
      dueAt: date,
    }),
  ),
  throttleNoticeAt: date.nullable(),
  noticedAt: z.partialRecord(z.enum(NOTICE_KINDS), date).default({}),
  billing: z
    .object({
      customerId: z.string(),
      subscription: z
        .object({
          id: z.string(),
          plan: z.enum(PAID_PLANS),
          interval: z.enum(BILLING_INTERVALS),
          status: z.enum(SUBSCRIPTION_STATUSES),
          currentPeriodEnd: date,
          endsAt: date.nullable(),
          pastDueSince: date.nullable(),
        })
        .nullable(),
      syncedAt: date,
      retryAt: date.nullable(),
      isEmailOutdated: z.boolean().optional(),
    })
    .nullable()
    .default(null),
});

/** `tidy_at`: when the first session or link ends; `mail_at`: when the first mail is due; `billing_at`: `billingDueAt`. */
export function recordOf(account: Account): AccountRecord {
  const { key, sessions, links, mails, throttleNoticeAt, noticedAt, billing } = account;
  const ends = [...sessions.map(sessionEnd), ...links.map(({ expiresAt }) => expiresAt)];
  return {
    id: account.id,
    email: account.email,
    email_identity: emailIdentity(account.email),
    email_verified: Number(account.emailVerified),
    password_hash: account.password.hash,
    password_version: account.password.version,
    tier: account.tier,
    operator_tier: account.operatorTier,
    customer_id: billing?.customerId ?? null,
    suspended: Number(account.suspended),
    deleting: Number(account.deleting),
    created_at: account.createdAt.getTime(),
    key_hash: key?.hash ?? null,
    key_hint: key?.hint ?? null,
    key_created_at: key?.createdAt.getTime() ?? null,
    key_last_used_at: key?.lastUsedAt?.getTime() ?? null,
    publishable_keys: publishableKeysText(account.publishableKeys),
    state: JSON.stringify({ sessions, links, mails, throttleNoticeAt, noticedAt, billing }, asMilliseconds),
    unlocks: account.unlocks,
    tidy_at: earliest(ends),
    mail_at: earliest(mails.map(({ dueAt }) => dueAt)),
    billing_at: billingDueAt(account)?.getTime() ?? null,
    version: account.version,
  };
}

export function passwordRecordOf(
  record: Pick<AccountRecord, 'id' | 'password_hash' | 'password_version' | 'unlocks' | 'deleting' | 'version'>,
): PasswordRecord {
  const { id, password_hash: hash, password_version: passwordVersion, unlocks, deleting, version } = record;
  return {
    id: id as AccountId,
    password: { hash, version: passwordVersion },
    unlocks,
    deleting: deleting === 1,
    version,
  };
}

export function accountOf(record: AccountRecord): Account {
  const { key_hash: hash, key_hint: hint, key_created_at: keyCreatedAt, key_last_used_at: keyLastUsedAt } = record;
  const hasKey = hash !== null && hint !== null && keyCreatedAt !== null;
  return {
    id: record.id as AccountId,
    email: record.email,
    emailVerified: record.email_verified === 1,
    password: { hash: record.password_hash, version: record.password_version },
    tier: record.tier,
    operatorTier: record.operator_tier,
    suspended: record.suspended === 1,
    createdAt: new Date(record.created_at),
    key: hasKey
      ? {
          hash,
          hint,
          createdAt: new Date(keyCreatedAt),
          lastUsedAt: keyLastUsedAt === null ? null : new Date(keyLastUsedAt),
        }
      : null,
    publishableKeys: publishableKeys.parse(JSON.parse(record.publishable_keys)),
    ...state.parse(JSON.parse(record.state)),
    unlocks: record.unlocks,
    deleting: record.deleting === 1,
    version: record.version,
  };
}

/** JSON.stringify passes a replacer Dates as text already, but `this` still has them. */
function asMilliseconds(this: unknown, name: string, value: unknown): unknown {
  const raw = (this as Readonly<Record<string, unknown>>)[name];
  return raw instanceof Date ? raw.getTime() : value;
}

function earliest(times: readonly Date[]): number | null {
  return times.length === 0 ? null : Math.min(...times.map((time) => time.getTime()));
}
