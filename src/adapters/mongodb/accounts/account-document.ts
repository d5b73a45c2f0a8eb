// Account document: an account as MongoDB keeps it, and back.
import {
  accountSchema,
  emailIdentity,
  type Account,
  type AccountId,
  type PasswordRecord,
} from '../../../domain/account/account.js';
import type { AuditActor, AuditDetail, AuditEvent, AuditType } from '../../../domain/account/audit-event.js';
import { billingDueAt } from '../../../domain/account/changes/billing.js';
import { sessionEnd } from '../../../domain/account/session.js';
import { readRecord } from '../../../domain/stored-record.js';

/** Everything that a save replaces. */
export interface AccountFields extends Omit<Account, 'id' | 'key'> {
  readonly _id: string;
  readonly emailIdentity: string;
  readonly key: Omit<NonNullable<Account['key']>, 'lastUsedAt'> | null;
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

export function fieldsOf({ id: _id, key, ...account }: Account): AccountFields {
  return {
    _id,
    ...account,
    emailIdentity: emailIdentity(account.email),
    key: key && { hash: key.hash, hint: key.hint, createdAt: key.createdAt },
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

/** Throws when a field is missing or of another type. */
export function accountOf(document: Omit<AccountDocument, keyof typeof NOT_OF_ACCOUNT>): Account {
  const { _id: id, key, keyUse } = document;
  const lastUsedAt = keyUse?.hash === key?.hash ? keyUse?.at : null;
  return readRecord(
    accountSchema,
    { ...document, id, key: key && { ...key, lastUsedAt } },
    `the document of account ${id}`,
  );
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
