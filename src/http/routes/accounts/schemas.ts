// What /auth answers, and what it refuses, where several routes say the same.
import { z } from 'zod';
import type { Account, AccountKey } from '../../../domain/account/account.js';
import {
  AUDIT_ID_PATTERN,
  AUDIT_TYPES,
  type AuditEvent,
  type AuditFact,
  type AuditType,
} from '../../../domain/account/audit-event.js';
import { auditText } from '../../../domain/account/audit-message.js';
import { ACCOUNT_ID_LENGTH } from '../../../domain/base62.js';
import { TIERS } from '../../../domain/metering/plan.js';
import type { ErrorCode } from '../../../errors.js';
import type { SessionView } from '../../../services/accounts/sessions.js';
import { moment } from '../../scalars.js';

/** Of every command to an account. */
export const CHANGE_ERRORS: readonly ErrorCode[] = ['conflict', 'busy'];
/** Of every question for a password. */
export const PASSWORD_ERRORS: readonly ErrorCode[] = [
  'invalid_credentials',
  'login_throttled',
  'rate_limited',
  ...CHANGE_ERRORS,
];

const address = z.string().nullable().meta({ description: 'Shortened to the network.', example: '203.0.113.0/24' });

export const keySchema = z.object({
  hint: z.string().meta({ description: 'The last four characters.', example: '9fK2' }),
  createdAt: moment,
});

export const accountSchema = z
  .object({
    id: z.string().length(ACCOUNT_ID_LENGTH).meta({ example: '7hGk2LmNp4Qr' }),
    email: z.string().meta({ example: 'ada@example.com' }),
    emailVerified: z.boolean().meta({ example: true }),
    tier: z.enum(TIERS),
    createdAt: moment,
    key: keySchema
      .extend({ lastUsedAt: moment.nullable() })
      .nullable()
      .meta({ description: 'Null after the operator revoked it.' }),
  })
  .meta({ id: 'Account' });

export const sessionSchema = z
  .object({
    id: z.string().meta({ example: 'p3VnX0wQ7sLk2RtY' }),
    current: z.boolean().meta({ description: 'The one that asks.' }),
    createdAt: moment,
    lastUsedAt: moment.meta({ description: 'To the minute.' }),
    expiresAt: moment.meta({ description: 'Unless it is used before; at the latest 30 days after sign-in.' }),
    userAgent: z
      .string()
      .nullable()
      .meta({ example: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' }),
    address,
  })
  .meta({ id: 'Session' });

const EVENT: AuditFact = { type: 'authn_token_created', detail: { token: 'API key', hint: '9fK2', replaced: 'x7Qp' } };

/** Also the cursor of the record. */
export const eventId = z.string().regex(AUDIT_ID_PATTERN);

export const eventSchema = z
  .object({
    id: eventId.meta({ example: '0mhzk3p7w00000302fQx9Z' }),
    at: moment,
    type: z.enum(Object.keys(AUDIT_TYPES) as [AuditType, ...AuditType[]]).meta({ example: EVENT.type }),
    message: z.string().meta({ example: auditText(EVENT) }),
    by: z.enum(['customer', 'operator', 'system']),
    address,
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ example: EVENT.detail }),
  })
  .meta({ id: 'Event' });

/** An answer that says no more than that something is under way. */
export const messageSchema = z.object({ message: z.string() }).meta({ id: 'Message' });

export function presentKey({ hint, createdAt }: AccountKey): z.input<typeof keySchema> {
  return { hint, createdAt: createdAt.toISOString() };
}

export function presentAccount({
  id,
  email,
  emailVerified,
  tier,
  createdAt,
  key,
}: Account): z.input<typeof accountSchema> {
  return {
    id,
    email,
    emailVerified,
    tier,
    createdAt: createdAt.toISOString(),
    key: key && { ...presentKey(key), lastUsedAt: key.lastUsedAt?.toISOString() ?? null },
  };
}

export function presentSession({ session, expiresAt, current }: SessionView): z.input<typeof sessionSchema> {
  const { id, createdAt, lastUsedAt, userAgent, address } = session;
  return {
    id,
    current,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    userAgent,
    address,
  };
}

export function presentEvent(event: AuditEvent): z.input<typeof eventSchema> {
  const { id, at, type, by, detail = {} } = event;
  return { id, at: at.toISOString(), type, message: auditText(event), by: by.kind, address: by.address, detail };
}
