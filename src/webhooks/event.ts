// Webhook events: their kinds, and which changes of an account cause them.
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import type { AuditDetail, AuditFact, AuditType } from '../accounts/audit-event.js';
import type { QuotaReport } from '../metering/quota-reports.js';
import type { RecordOf } from '../platform/stores/stored-record.js';

/** Kinds of events, and when each occurs. */
export const EVENTS = {
  'quota.threshold': 'A bucket has passed 80 % of its limit; once per bucket and day.',
  'quota.exhausted': 'A bucket has reached its limit; once per bucket and day.',
  'key.regenerated': 'The API key was replaced.',
  'publishable_key.changed': 'A publishable key was created, updated or revoked.',
  'sessions.ended':
    'Sessions were ended by a sign-out, a new password, or a sign-in beyond the limit; not by their age.',
  'account.email_changed': 'The e-mail address of the account was changed.',
  'subscription.updated': 'The tier or the subscription has changed.',
  'brand.updated': 'An own brand, or one of its drawings, was added or changed.',
  'brand.removed': 'An own brand was removed.',
  'webhook.test': 'The owner requested a test of the endpoint.',
};
export type EventKind = keyof typeof EVENTS;
export const EVENT_KINDS = Object.keys(EVENTS) as [EventKind, ...EventKind[]];

export const eventSchema = z.object({
  /** Ids sort in the order of the account's changes. */
  id: z.string(),
  kind: z.enum(EVENT_KINDS),
  /**
   * Time in ms since the epoch. Later than the time of the account's previous event, unless that event got the time of
   * a wrong clock.
   */
  atMs: z.int(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Id of the only endpoint that receives the event. If absent, all endpoints with this kind receive it. */
  endpointId: z.string().optional(),
});
export type WebhookEvent = RecordOf<typeof eventSchema>;
export type NewEvent = Omit<WebhookEvent, 'id' | 'atMs'>;

export function quotaEvents({ bucket, used, limit, day, percents }: QuotaReport): NewEvent[] {
  const data = { bucket, used, limit, date: day };
  return percents.map((percent) =>
    percent === 100 ? { kind: 'quota.exhausted', data } : { kind: 'quota.threshold', data: { ...data, percent } },
  );
}

/** Returns the events of a change, in order. `account` is the changed account. */
export function eventsOf(account: Account, facts: readonly AuditFact[]): NewEvent[] {
  const events = facts.flatMap((fact) => eventsOfFact(account, fact));
  // A purchase has two facts, about the subscription and about the tier. Both cause `subscription.updated`, and only
  // the first of these events is kept.
  const first = events.find(({ kind }) => kind === 'subscription.updated');
  return events.filter((event) => event.kind !== 'subscription.updated' || event === first);
}

function eventsOfFact(account: Account, { type, detail = {}, subjects }: AuditFact): readonly NewEvent[] {
  const { emailVerified, key } = account;
  const { token, ownBrand, emailChanged, subscription } = detail;
  if (token === 'publishable key') return [publishableKeyEvent(type, detail)];
  if (token === 'API key' && type === 'authn_token_created' && key)
    return [{ kind: 'key.regenerated', data: { hint: key.hint, createdAt: key.createdAt.toISOString() } }];
  if (ownBrand !== undefined) {
    const kind = detail.change === 'removed' ? 'brand.removed' : 'brand.updated';
    return (subjects ?? [String(ownBrand)]).map((slug) => ({ kind, data: { slug } }));
  }
  if (emailChanged === true) return [{ kind: 'account.email_changed', data: { emailVerified } }];
  if (type === 'authz_change' || subscription !== undefined) return [subscriptionEvent(account)];
  const count = endedSessions(type, detail);
  return count > 0 ? [{ kind: 'sessions.ended', data: { count } }] : [];
}

function publishableKeyEvent(type: AuditType, { id = null, name = null }: AuditDetail): NewEvent {
  const change = type === 'authn_token_created' ? 'created' : type === 'authn_token_revoked' ? 'revoked' : 'updated';
  return { kind: 'publishable_key.changed', data: { id, name, change } };
}

function subscriptionEvent({ tier, billing }: Account): NewEvent {
  const { plan = null, status = null } = billing?.subscription ?? {};
  return { kind: 'subscription.updated', data: { tier, plan, status } };
}

function endedSessions(type: AuditType, { endedSessions: ended = 0, why, sessions = 1 }: AuditDetail): number {
  if (type === 'authn_password_change') return Number(ended);
  // A session that ends because of its age causes no event.
  return type === 'session_expired' && why !== 'time' ? Number(sessions) : 0;
}
