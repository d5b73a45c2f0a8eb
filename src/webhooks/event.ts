// Events: what a change of an account means to its webhook endpoints.
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import type { AuditDetail, AuditFact } from '../accounts/audit-event.js';
import type { QuotaReport } from '../metering/quota-reports.js';
import { randomBase62 } from '../platform/text/base62.js';
import { CLOCK_TOLERANCE_MS } from '../platform/time.js';
import type { RecordOf } from '../platform/stores/stored-record.js';

export const EVENT_KINDS = [
  'quota.threshold',
  'quota.exhausted',
  'key.regenerated',
  'publishable_key.changed',
  'sessions.ended',
  'account.email_changed',
  'subscription.updated',
  'brand.updated',
  'brand.removed',
  'webhook.test',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

type EventData = Readonly<Record<string, string | number | boolean | null>>;

export const eventSchema = z.object({
  /** Ids sort in the order of the account's changes. */
  id: z.string(),
  kind: z.enum(EVENT_KINDS),
  /**
   * Time of the event, ms since the epoch. Each event of an account has a later time than the event before it, unless a
   * wrong clock was corrected in between.
   */
  atMs: z.int(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Id of the only endpoint that receives the event. If absent, all endpoints with this kind receive it. */
  endpointId: z.string().optional(),
});
export type WebhookEvent = RecordOf<typeof eventSchema>;

export interface NewEvent {
  readonly kind: EventKind;
  readonly data: EventData;
  readonly endpointId?: string;
}

const VERSION_CHARACTERS = 8;
const INDEX_CHARACTERS = 2;

/** Gives events their ids and times. `lastMs`: time of the account's previous event; 0 without one. */
export function datedEvents(
  events: readonly NewEvent[],
  { version, atMs, lastMs }: { readonly version: number; readonly atMs: number; readonly lastMs: number },
): WebhookEvent[] {
  // A previous time that is far ahead was written by a wrong clock and is ignored. Correct clocks differ by less than
  // the tolerance.
  const firstMs = lastMs > atMs + CLOCK_TOLERANCE_MS ? atMs : Math.max(atMs, lastMs + 1);
  const part = (value: number, length: number): string => value.toString(36).padStart(length, '0');
  return events.map((event, index) => ({
    ...event,
    id: `evt_${part(version, VERSION_CHARACTERS)}${part(index, INDEX_CHARACTERS)}${randomBase62(8)}`,
    atMs: firstMs + index,
  }));
}

/** Returns the body of the requests about an event, the same for every try. */
export function eventBody({ kind, atMs, data }: WebhookEvent): string {
  return JSON.stringify({ type: kind, timestamp: new Date(atMs).toISOString(), data });
}

export function quotaEvents({ bucket, used, limit, day, percents }: QuotaReport): NewEvent[] {
  const data = { bucket, used, limit, date: day };
  return percents.map((percent) =>
    percent === 100 ? { kind: 'quota.exhausted', data } : { kind: 'quota.threshold', data: { ...data, percent } },
  );
}

/** Returns the events of a change, in order. `account` is the changed account. */
export function eventsOf(account: Account, facts: readonly AuditFact[]): NewEvent[] {
  const events = facts.flatMap((fact) => eventsOfFact(account, fact));
  // A purchase has two facts, one about the subscription and one about the tier. Only the first of their events is
  // kept.
  const first = events.find(({ kind }) => kind === 'subscription.updated');
  return events.filter((event) => event.kind !== 'subscription.updated' || event === first);
}

function eventsOfFact(account: Account, { type, detail = {}, subjects }: AuditFact): readonly NewEvent[] {
  if (type === 'user_updated') return updateEvents(account, detail, subjects);
  if (type === 'authn_token_created')
    return detail.token === 'API key' ? keyEvents(account) : publishableKeyEvents(detail, 'created');
  if (type === 'authn_token_revoked') return publishableKeyEvents(detail, 'revoked');
  if (type === 'authn_password_change') return sessionEvents(Number(detail.endedSessions ?? 0));
  // A session that ends because of its age causes no event.
  if (type === 'session_expired') return detail.why === 'time' ? [] : sessionEvents(Number(detail.sessions ?? 1));
  return type === 'authz_change' ? [subscriptionEvent(account)] : [];
}

function updateEvents(account: Account, detail: AuditDetail, subjects: AuditFact['subjects']): readonly NewEvent[] {
  if (detail.subscription !== undefined) return [subscriptionEvent(account)];
  if (detail.emailChanged === true)
    return [{ kind: 'account.email_changed', data: { emailVerified: account.emailVerified } }];
  if (detail.ownBrand !== undefined) return brandEvents(detail, subjects);
  return publishableKeyEvents(detail, 'updated');
}

function keyEvents({ key }: Account): readonly NewEvent[] {
  return key ? [{ kind: 'key.regenerated', data: { hint: key.hint, createdAt: key.createdAt.toISOString() } }] : [];
}

function publishableKeyEvents(
  { token, id = null, name = null }: AuditDetail,
  change: 'created' | 'updated' | 'revoked',
): readonly NewEvent[] {
  return token === 'publishable key' ? [{ kind: 'publishable_key.changed', data: { id, name, change } }] : [];
}

function sessionEvents(count: number): readonly NewEvent[] {
  return count > 0 ? [{ kind: 'sessions.ended', data: { count } }] : [];
}

function subscriptionEvent({ tier, billing }: Account): NewEvent {
  const { plan = null, status = null } = billing?.subscription ?? {};
  return { kind: 'subscription.updated', data: { tier, plan, status } };
}

function brandEvents(
  { ownBrand, change }: AuditDetail,
  subjects: readonly string[] = [String(ownBrand)],
): readonly NewEvent[] {
  const kind = change === 'removed' ? 'brand.removed' : 'brand.updated';
  return subjects.map((slug) => ({ kind, data: { slug } }));
}
