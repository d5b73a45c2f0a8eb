// Account document: an account as MongoDB keeps it, and back.
import {
  emailIdentity,
  type Account,
  type AccountBilling,
  type AccountId,
  type PasswordRecord,
} from '../../../domain/account/account.js';
import type { AuditActor, AuditDetail, AuditEvent, AuditType } from '../../../domain/account/audit-event.js';
import { billingDueAt } from '../../../domain/account/changes/billing.js';
import { LINK_LIFETIME_MS, type OpenLink } from '../../../domain/account/email-link.js';
import type { PublishableKey } from '../../../domain/account/publishable-key.js';
import { MAIL_KINDS, NOTICE_KINDS, type PendingMail } from '../../../domain/account/pending-mail.js';
import { sessionEnd, type Session } from '../../../domain/account/session.js';
import { BILLING_INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from '../../../domain/billing/subscription.js';
import { TIERS, type Tier } from '../../../domain/metering/plan.js';
import {
  checkList,
  checkRecord,
  isBoolean,
  isDate,
  isNumber,
  isOneOf,
  isText,
  orAbsent,
  orNull,
  type Check,
} from './checked-fields.js';

/** Everything that a save replaces. */
export interface AccountFields {
  readonly email: string;
  readonly emailIdentity: string;
  readonly emailVerified: boolean;
  readonly password: { readonly hash: string; readonly version: number };
  readonly tier: Tier;
  /** This and `billing` are absent from documents of releases before billing. */
  readonly operatorTier?: Tier | null;
  readonly billing?: AccountBilling | null;
  readonly suspended: boolean;
  readonly deleting: boolean;
  readonly createdAt: Date;
  readonly key: { readonly hash: string; readonly hint: string; readonly createdAt: Date } | null;
  /** Absent from documents of releases before publishable keys. */
  readonly publishableKeys?: readonly PublishableKey[];
  readonly sessions: readonly Session[];
  readonly links: readonly OpenLink[];
  readonly mails: readonly PendingMail[];
  readonly throttleNoticeAt: Date | null;
  readonly unlocks: number;
  readonly noticedAt: Account['noticedAt'];
  readonly version: number;
}

/** Indexed where they are present. */
export interface DueTimes {
  /** When the first session or link ends. */
  readonly tidyAt?: Date;
  /** When the first mail is due. */
  readonly mailAt?: Date;
  /** `billingDueAt` */
  readonly billingAt?: Date;
}

/** An event of this account that is not in the audit log yet. */
export interface CarriedEvent {
  readonly id: string;
  readonly at: Date;
  readonly type: AuditType;
  readonly by: AuditActor;
  readonly detail?: AuditDetail;
}

export interface AccountDocument extends AccountFields, DueTimes {
  readonly _id: string;
  /** Last use of a key; written by admissions without a version, and void for any other key. */
  readonly keyUse?: { readonly hash: string; readonly at: Date };
  /** Of the last versions, the newest at the end: whose write each was. */
  readonly writeIds: readonly string[];
  readonly events: readonly CarriedEvent[];
  /** Since when there are events to be moved; absent while there are none. */
  readonly eventsAt?: Date;
}

/** The parts of a document that no account is made of. */
export const NOT_OF_ACCOUNT = { writeIds: 0, events: 0, eventsAt: 0 } as const;

export function fieldsOf(account: Account): AccountFields {
  const { email, emailVerified, password, tier, operatorTier, billing, suspended, deleting, createdAt, key } = account;
  const { publishableKeys, sessions, links, mails, throttleNoticeAt, unlocks, noticedAt, version } = account;
  return {
    email,
    emailIdentity: emailIdentity(email),
    emailVerified,
    password: { hash: password.hash, version: password.version },
    tier,
    operatorTier,
    billing,
    suspended,
    deleting,
    createdAt,
    key: key && { hash: key.hash, hint: key.hint, createdAt: key.createdAt },
    publishableKeys,
    sessions,
    links,
    mails,
    throttleNoticeAt,
    unlocks,
    noticedAt,
    version,
  };
}

export function dueTimesOf(account: Account): DueTimes {
  const { sessions, links, mails } = account;
  const tidyAt = earliest([...sessions.map(sessionEnd), ...links.map(({ expiresAt }) => expiresAt)]);
  const mailAt = earliest(mails.map(({ dueAt }) => dueAt));
  const billingAt = billingDueAt(account);
  return { ...(tidyAt && { tidyAt }), ...(mailAt && { mailAt }), ...(billingAt && { billingAt }) };
}

export function carried({ id, at, type, by, detail }: AuditEvent): CarriedEvent {
  return { id, at, type, by: { kind: by.kind, address: by.address }, ...(detail !== undefined && { detail }) };
}

const CHECKS: Readonly<Record<keyof AccountFields, Check>> = {
  email: isText,
  emailIdentity: isText,
  emailVerified: isBoolean,
  password: checkRecord({ hash: isText, version: isNumber }),
  tier: isOneOf(TIERS),
  operatorTier: orAbsent(orNull(isOneOf(TIERS))),
  billing: orAbsent(
    orNull(
      checkRecord({
        customerId: isText,
        subscription: orNull(
          checkRecord({
            id: isText,
            plan: isOneOf(PAID_PLANS),
            interval: isOneOf(BILLING_INTERVALS),
            status: isOneOf(SUBSCRIPTION_STATUSES),
            currentPeriodEnd: isDate,
            endsAt: orNull(isDate),
            pastDueSince: orNull(isDate),
          }),
        ),
        syncedAt: isDate,
        retryAt: orNull(isDate),
        isEmailOutdated: orAbsent(isBoolean),
      }),
    ),
  ),
  suspended: isBoolean,
  deleting: isBoolean,
  createdAt: isDate,
  key: orNull(checkRecord({ hash: isText, hint: isText, createdAt: isDate })),
  publishableKeys: orAbsent(
    checkList(
      checkRecord({
        id: isText,
        raw: isText,
        name: isText,
        origins: checkList(isText),
        dailyLimit: orNull(isNumber),
        createdAt: isDate,
        lastUsedAt: orNull(isDate),
      }),
    ),
  ),
  sessions: checkList(
    checkRecord({
      id: isText,
      tokenHash: isText,
      createdAt: isDate,
      lastUsedAt: isDate,
      userAgent: orNull(isText),
      address: orNull(isText),
    }),
  ),
  links: checkList(
    checkRecord({
      purpose: isOneOf(Object.keys(LINK_LIFETIME_MS)),
      nonce: isText,
      expiresAt: isDate,
      newEmail: orAbsent(isText),
    }),
  ),
  mails: checkList(
    checkRecord({
      id: isText,
      kind: isOneOf(MAIL_KINDS),
      to: orAbsent(isText),
      at: isDate,
      tries: isNumber,
      dueAt: isDate,
    }),
  ),
  throttleNoticeAt: orNull(isDate),
  unlocks: isNumber,
  noticedAt: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([kind, at]) => isOneOf(NOTICE_KINDS)(kind) && isDate(at)),
  version: isNumber,
};
const isWhole = checkRecord(CHECKS);

/** Throws when a field is missing or of another type. */
export function accountOf(document: Omit<AccountDocument, keyof typeof NOT_OF_ACCOUNT>): Account {
  if (!isWhole(document)) {
    const wrong = (Object.keys(CHECKS) as (keyof AccountFields)[]).filter((name) => !CHECKS[name](document[name]));
    throw new Error(`the document of account ${document._id} cannot be read: ${wrong.join(', ')}`);
  }
  const { _id, key, keyUse, email, emailVerified, password, tier, operatorTier, billing, suspended, createdAt } =
    document;
  const {
    publishableKeys = [],
    sessions,
    links,
    mails,
    throttleNoticeAt,
    unlocks,
    noticedAt,
    deleting,
    version,
  } = document;
  return {
    id: _id as AccountId,
    email,
    emailVerified,
    password,
    tier,
    // Before billing only the operator could set a tier.
    operatorTier: operatorTier === undefined ? (tier === 'free' ? null : tier) : operatorTier,
    billing: billing ?? null,
    suspended,
    createdAt,
    key: key && { ...key, lastUsedAt: keyUse?.hash === key.hash ? keyUse.at : null },
    publishableKeys,
    sessions,
    links,
    mails,
    throttleNoticeAt,
    unlocks,
    noticedAt,
    deleting,
    version,
  };
}

/** The fields of `passwordRecordOf`. */
export const PASSWORD_FIELDS = { password: 1, unlocks: 1, deleting: 1, version: 1 } as const;

export function passwordRecordOf({
  _id,
  password,
  unlocks,
  deleting,
  version,
}: Pick<AccountDocument, '_id' | keyof typeof PASSWORD_FIELDS>): PasswordRecord {
  return { id: _id as AccountId, password, unlocks, deleting, version };
}

function earliest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())));
}
