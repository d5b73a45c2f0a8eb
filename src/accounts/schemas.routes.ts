// Schemas, presenters and error codes shared by the routes under /auth.
import { z } from 'zod';
import type { Account, AccountKey } from './account.js';
import { AUDIT_ID_PATTERN, AUDIT_TYPES, type AuditEvent, type AuditFact, type AuditType } from './audit-event.js';
import { tierAt } from './tier.js';
import { storedEmail } from './email.js';
import { auditText } from './audit-message.js';
import { API_KEY_PATTERN } from './api-key.js';
import { MAX_ORIGINS } from './page-origin.js';
import { PUBLISHABLE_KEY_ID_PATTERN, PUBLISHABLE_KEY_PATTERN, type PublishableKey } from './publishable-key.js';
import { SESSION_ID_PATTERN } from './session.js';
import { ACCOUNT_ID_LENGTH } from '../platform/text/base62.js';
import { TIERS } from './plan.js';
import type { ErrorCode } from '../platform/errors.js';
import type { SessionView } from './sessions.js';
import type { ResponseDoc } from '../platform/http/route.js';
import { moment, type Presented } from '../platform/http/openapi/times-and-counts.js';

export const CHANGE_ERRORS: readonly ErrorCode[] = ['conflict', 'busy'];
export const PASSWORD_ERRORS: readonly ErrorCode[] = [
  'invalid_credentials',
  'login_throttled',
  'rate_limited',
  ...CHANGE_ERRORS,
];

const address = z
  .string()
  .nullable()
  .meta({ description: 'IP address of the client, shortened to its network.', example: '203.0.113.0/24' });

export const apiKey = z.string().regex(API_KEY_PATTERN).meta({
  description: 'Shown in this response only. The service stores only its hash.',
  example: 'blz_7hGk2LmNp4QrExampleExampleExampleExampleExamp009fK2',
});

export const keyHint = z
  .string()
  .regex(/^[0-9A-Za-z]{4}$/)
  .meta({ description: 'The last four characters of the key.', example: '9fK2' });

export const keySchema = z
  .object({ hint: keyHint, createdAt: moment.meta({ description: 'When the key was created.' }) })
  .meta({ description: 'Metadata of the API key.' });

export const publishableKeyResponse = z.object({
  id: z
    .string()
    .regex(PUBLISHABLE_KEY_ID_PATTERN)
    .meta({ description: 'ID of the key, for the routes that update or revoke it.', example: '9f86d081884c7d65' }),
  key: z.string().regex(PUBLISHABLE_KEY_PATTERN).meta({
    description: 'The key itself. It is public: you can use it in pages and read it again.',
    example: 'blzp_7hGk2LmNp4QrExampleExampleExampleExampleExamp009fK2',
  }),
  name: z.string().meta({ description: 'Display name, to tell keys apart.', example: 'Website' }),
  origins: z
    .array(z.string())
    .max(MAX_ORIGINS)
    .meta({
      description: 'Hosts of the pages that can use the key. If empty: all pages.',
      example: ['example.com', '*.example.com'],
    }),
  dailyLimit: z.int().nullable().meta({
    description: 'Requests per UTC day; null means that only the limits of the account apply.',
    example: 10_000,
  }),
  createdAt: moment.meta({ description: 'When the key was created.' }),
  lastUsedAt: moment.nullable().meta({ description: 'Time of last use, to the minute; null if never used.' }),
});

export const accountResponse = z
  .object({
    id: z
      .string()
      .regex(new RegExp(`^[0-9A-Za-z]{${ACCOUNT_ID_LENGTH}}$`))
      .meta({ description: 'ID of the account. It never changes.', example: '7hGk2LmNp4Qr' }),
    email: storedEmail().meta({
      description: 'E-mail address, used to sign in and to receive e-mails.',
      example: 'ada@example.com',
    }),
    emailVerified: z
      .boolean()
      .meta({ description: 'Whether the owner opened a link that was sent to this address.', example: true }),
    tier: z.enum(TIERS).meta({ description: 'Tier whose limits currently apply.' }),
    createdAt: moment.meta({ description: 'When the account was registered.' }),
    key: keySchema
      .extend({
        lastUsedAt: moment.nullable().meta({ description: 'Time of last use, to the minute; null if never used.' }),
      })
      .nullable()
      .meta({ description: 'API key; null after the operator revoked it.' }),
  })
  .meta({ id: 'Account', description: 'An account, without secrets.' });

export const sessionResponse = z
  .object({
    id: z
      .string()
      .regex(SESSION_ID_PATTERN)
      .meta({ description: 'ID of the session, for the route that ends it.', example: 'p3VnX0wQ7sLk2RtY' }),
    current: z.boolean().meta({ description: 'Whether this is the session of this request.' }),
    createdAt: moment.meta({ description: 'When the session was started by a sign-in.' }),
    lastUsedAt: moment.meta({ description: 'Time of last use, to the minute.' }),
    expiresAt: moment.meta({ description: 'When the session ends. Each use extends it, up to 30 days after sign-in.' }),
    userAgent: z.string().nullable().meta({
      description: '`User-Agent` header of the sign-in.',
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    }),
    address,
  })
  .meta({ id: 'Session' });

const EVENT: AuditFact = { type: 'authn_token_created', detail: { token: 'API key', hint: '9fK2', replaced: 'x7Qp' } };

/** Event id. The activity log uses it as the cursor. */
export const eventId = z.string().regex(AUDIT_ID_PATTERN);

export const eventSchema = z
  .object({
    id: eventId.meta({ description: 'ID of the event. IDs sort by time.', example: '0mhzk3p7w00000302fQx9Z' }),
    at: moment.meta({ description: 'When the event happened.' }),
    type: z
      .enum(Object.keys(AUDIT_TYPES) as [AuditType, ...AuditType[]])
      .meta({ description: 'Kind of the event.', example: EVENT.type }),
    message: z.string().meta({ description: 'Human-readable description of the event.', example: auditText(EVENT) }),
    by: z.enum(['customer', 'operator', 'system']).meta({ description: 'Who caused the event.' }),
    address,
    detail: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Additional data about the event, by name.', example: EVENT.detail }),
  })
  .meta({ id: 'Event' });

export const messageResponse = z
  .object({ message: z.string().meta({ description: 'Human-readable description of the next step.' }) })
  .meta({ id: 'Message' });

/** Documents the 202 response of requests that do not reveal whether a mail is sent. */
export function acceptedDoc(message: string): ResponseDoc {
  return {
    description: 'Accepted. If there is something to send, an e-mail is on its way',
    schema: messageResponse,
    example: { message },
  };
}

export function presentKey({ hint, createdAt }: AccountKey): Presented<typeof keySchema> {
  return { hint, createdAt };
}

export function presentPublishableKey(key: PublishableKey): Presented<typeof publishableKeyResponse> {
  const { id, raw, name, origins, dailyLimit, createdAt, lastUsedAt } = key;
  return { id, key: raw, name, origins, dailyLimit, createdAt, lastUsedAt };
}

export function presentAccount(account: Account, nowMs: number): Presented<typeof accountResponse> {
  const { id, email, emailVerified, createdAt, key } = account;
  const tier = tierAt(account, new Date(nowMs));
  return {
    ...{ id, email, emailVerified, tier, createdAt },
    key: key && { ...presentKey(key), lastUsedAt: key.lastUsedAt },
  };
}

export function presentSession({ session, expiresAt, current }: SessionView): Presented<typeof sessionResponse> {
  const { id, createdAt, lastUsedAt, userAgent, address } = session;
  return { id, current, createdAt, lastUsedAt, expiresAt, userAgent, address };
}

export function presentEvent(event: AuditEvent): Presented<typeof eventSchema> {
  const { id, at, type, by, detail = {} } = event;
  return { id, at, type, message: auditText(event), by: by.kind, address: by.address, detail };
}
