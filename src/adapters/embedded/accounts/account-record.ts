// Account record: an account as a row of SQLite, and back.
import { z } from 'zod';
import {
  accountSchema,
  emailIdentity,
  type Account,
  type AccountId,
  type PasswordRecord,
} from '../../../domain/account/account.js';
import { billingDueAt } from '../../../domain/account/changes/billing.js';
import { publishableKeySchema, type PublishableKey } from '../../../domain/account/publishable-key.js';
import type { Tier } from '../../../domain/metering/plan.js';
import { sessionEnd } from '../../../domain/account/session.js';
import { readRecord } from '../../../domain/stored-record.js';

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

/** The column `publishable_keys`. */
export const publishableKeys = z.array(publishableKeySchema);

export function publishableKeysText(keys: readonly PublishableKey[]): string {
  return JSON.stringify(keys, asMilliseconds);
}

const state = accountSchema.pick({
  sessions: true,
  links: true,
  mails: true,
  throttleNoticeAt: true,
  noticedAt: true,
  billing: true,
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
    ...readRecord(state, JSON.parse(record.state), `the record of account ${record.id}`),
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
