// Security events of an account, in the OWASP logging vocabulary
// (cheatsheetseries.owasp.org/cheatsheets/Logging_Vocabulary_Cheat_Sheet.html).
import { z } from 'zod';
import type { Account, AccountId } from './account.js';
import { randomBase62 } from '../platform/text/base62.js';
import { ipv6Prefix, parseIpAddress } from '../platform/web/ip-address.js';
import { branded, instant, type RecordOf } from '../platform/stores/stored-record.js';

export const AUDIT_TYPES = {
  user_created: 'The account was created.',
  user_updated: 'The account was changed. The detail says what.',
  user_deleted: 'The deletion of the account was started.',
  authn_login_success: 'Signed in.',
  authn_login_fail: 'A wrong password was entered, at sign-in or to confirm a change.',
  authn_login_fail_max: 'Sign-ins were blocked for a while after too many wrong passwords.',
  authn_login_lock: 'The operator suspended the account.',
  authn_password_change: 'A new password was set.',
  authn_token_created: 'An API key, a publishable key or a link was created.',
  authn_token_revoked: 'An API key or a publishable key stopped working.',
  authz_change: 'The tier changed.',
  session_expired: 'Sessions were ended.',
  sensitive_read: 'All data of the account was exported, or its billing page was opened.',
} as const;
export type AuditType = keyof typeof AUDIT_TYPES;

export const auditActorSchema = z.object({
  kind: z.enum(['customer', 'operator', 'system']),
  /** Shortened client address (`shortAddress`); null if no client is involved. */
  address: z.string().nullable(),
});
export type AuditActor = RecordOf<typeof auditActorSchema>;

export const SYSTEM: AuditActor = { kind: 'system', address: null };

export const auditEventSchema = z.object({
  /**
   * Event id. If the events of an account are sorted by id as text, they are in the order in which the changes were
   * made.
   */
  id: z.string(),
  accountId: branded<AccountId>(),
  at: instant,
  type: z.enum(Object.keys(AUDIT_TYPES) as [AuditType, ...AuditType[]]),
  by: auditActorSchema,
  /** Details for the message about the event: hints, counts and names, never a secret. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type AuditEvent = RecordOf<typeof auditEventSchema>;
export interface AuditFact extends Pick<AuditEvent, 'type' | 'detail'> {
  /**
   * Names of all own brands that a change concerns, for listeners. Not stored, because a change may concern a thousand
   * brands.
   */
  readonly subjects?: readonly string[];
}
export type AuditDetail = NonNullable<AuditEvent['detail']>;

/**
 * Topics of events. Topics can be read separately, so that thousands of events about own brands do not hide the event
 * about a new API key.
 */
export const AUDIT_TOPICS = ['account', 'own-brands'] as const;
export type AuditTopic = (typeof AUDIT_TOPICS)[number];

export function auditTopic({ detail }: AuditFact): AuditTopic {
  return detail?.ownBrand === undefined ? 'account' : 'own-brands';
}

/**
 * Format of `AuditEvent.id`: time, account version, index of the event among the events of its change, random
 * characters.
 */
export const AUDIT_ID_PATTERN = /^[0-9a-z]{16}[0-9A-Za-z]{6}$/;

export function auditEvents(
  facts: readonly AuditFact[],
  {
    account,
    by,
    at,
  }: { readonly account: Pick<Account, 'id' | 'version'>; readonly by: AuditActor; readonly at: Date },
): AuditEvent[] {
  return facts.map(({ type, detail }, index) => {
    const place = [
      at.getTime().toString(36).padStart(9, '0'),
      account.version.toString(36).padStart(6, '0'),
      index.toString(36),
    ];
    const id = place.join('') + randomBase62(6);
    return { type, ...(detail && { detail }), id, accountId: account.id, at, by };
  });
}

export const AUDIT_KEPT_DAYS = 400;

/**
 * Shortens an IPv4 address to its /24 network, and an IPv6 address to its /48 network, so that the result does not
 * identify a person. Returns null for any other text.
 */
export function shortAddress(address: string): string | null {
  const parsed = parseIpAddress(address);
  if (!parsed) return null;
  return parsed.family === 4 ? `${parsed.bytes.slice(0, 3).join('.')}.0/24` : `${ipv6Prefix(parsed.parts, 3)}::/48`;
}
