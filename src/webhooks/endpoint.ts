// Webhook endpoints and events that an account stores, and the changes of both. A change is written together with its
// audit event and its mail. Changes of one endpoint throw `not_found` if no endpoint has the id.
import { z } from 'zod';
import type { AccountStore } from '../accounts/account-store.js';
import type { Account, AccountId } from '../accounts/account.js';
import type { AuditFact } from '../accounts/audit-event.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { withNotice, withWrittenMail } from '../accounts/changes/mails.js';
import { featureValue } from '../accounts/feature-value.js';
import { AppError } from '../platform/errors.js';
import type { RecordOf } from '../platform/stores/stored-record.js';
import { ACCOUNT_ID_LENGTH, randomBase62 } from '../platform/text/base62.js';
import { CLOCK_TOLERANCE_MS } from '../platform/time.js';
import { EVENT_KINDS, eventSchema, type NewEvent } from './event.js';
import { rotated, storedSecretSchema, type StoredSecret } from './signing-secret.js';

export const MAX_ENDPOINTS = 5;
export const MAX_DESCRIPTION_CHARACTERS = 200;
export const ENDPOINT_ID_PATTERN = /^[0-9A-Za-z]{24}$/;
export const DISABLED_REASONS = ['owner', 'operator', 'gone', 'failing'] as const;

/**
 * Maximum number of events of an account whose deliveries are not created yet. They accumulate only while the store is
 * unavailable.
 */
const MAX_EVENTS = 5000;
const PAGE = { label: 'Open your account', path: '/account' };

const endpointSchema = z.object({
  /** The account's id, and 12 random characters. */
  id: z.string(),
  url: z.string(),
  kinds: z.array(z.enum(EVENT_KINDS)),
  description: z.string(),
  enabled: z.boolean(),
  /** Null while the endpoint is enabled. */
  disabledReason: z.enum(DISABLED_REASONS).nullable(),
  createdAtMs: z.int(),
  /** The current secret first, then replaced ones that still sign. */
  secrets: z.array(storedSecretSchema),
});
export type Endpoint = RecordOf<typeof endpointSchema>;

export type NewEndpoint = Pick<Endpoint, 'url' | 'kinds'> & { readonly description?: string | undefined };

const stored = featureValue(
  'webhooks',
  z.object({
    /** Oldest first. */
    endpoints: z.array(endpointSchema).default([]),
    /** Events without deliveries yet, in order. */
    events: z.array(eventSchema).default([]),
    /** Time of the newest event. */
    lastEventMs: z.int().default(0),
  }),
);

export const webhooksOf = stored.of;

function withWebhooks(account: Account, changed: Partial<ReturnType<typeof webhooksOf>>): Account {
  const value = { ...webhooksOf(account), ...changed };
  // The time 0 makes the account due at once. The time of the event could be in the future, if the clock of its host
  // was wrong. The dispatcher would then find the account too late.
  return stored.set(account, value, value.events.length === 0 ? null : 0);
}

/** Returns an endpoint and its account, or undefined if there is none with this id. */
export async function findEndpoint(accounts: Pick<AccountStore, 'find'>, id: string) {
  if (!ENDPOINT_ID_PATTERN.test(id)) return undefined;
  const account = await accounts.find(id.slice(0, ACCOUNT_ID_LENGTH) as AccountId);
  const endpoint = account && !account.deleting ? endpointIn(account, id) : undefined;
  return account && endpoint && { account, endpoint };
}

export function endpointIn(account: Pick<Account, 'id' | 'features'>, endpointId: string): Endpoint | undefined {
  return webhooksOf(account).endpoints.find(({ id }) => id === endpointId);
}

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Returns the endpoint. Throws `not_found` if none has this id. */
export function existingEndpoint(account: Account, id: string): Endpoint {
  const endpoint = endpointIn(account, id);
  if (!endpoint) throw new AppError('not_found', 'There is no such webhook endpoint.');
  return endpoint;
}

/** Returns the endpoint. Throws `not_found` if none has this id, and `conflict` if the endpoint is disabled. */
export function enabledEndpoint(account: Account, id: string): Endpoint {
  const endpoint = existingEndpoint(account, id);
  if (endpoint.enabled) return endpoint;
  throw conflict('This endpoint is disabled. Enable it first: PATCH /auth/webhooks/{id} {"enabled": true}.');
}

/** Adds an endpoint. Throws `conflict` if there are already five. */
export function addEndpoint(account: Account, settings: NewEndpoint, secret: StoredSecret, at: Date): Change<Endpoint> {
  const { endpoints } = webhooksOf(account);
  if (endpoints.length >= MAX_ENDPOINTS)
    throw conflict(`There are ${MAX_ENDPOINTS} webhook endpoints already. Remove one with DELETE /auth/webhooks/{id}.`);
  const { url, kinds, description = '' } = settings;
  const state = { enabled: true, disabledReason: null, createdAtMs: at.getTime() };
  const endpoint = { id: account.id + randomBase62(12), url, kinds, description, ...state, secrets: [secret] };
  return noticed(withWebhooks(account, { endpoints: [...endpoints, endpoint] }), endpoint, 'added', at);
}

export type EndpointEdit = {
  readonly [Name in keyof NewEndpoint | 'enabled']?: Endpoint[Name] | undefined;
} & { readonly by: 'owner' | 'operator' };

export function editEndpoint(account: Account, id: string, edit: EndpointEdit, at: Date): Change<Endpoint> {
  const before = existingEndpoint(account, id);
  const { url = before.url, kinds = before.kinds, description = before.description, enabled = before.enabled } = edit;
  const disabledReason = enabled ? null : (before.disabledReason ?? edit.by);
  const after = { ...before, url, kinds, description, enabled, disabledReason };
  if (JSON.stringify(after) === JSON.stringify(before)) return { account, facts: [], result: before };
  return noticed(replaced(account, after), after, before.enabled && !enabled ? 'disabled' : 'changed', at);
}

export function rotateSecret(account: Account, id: string, secret: StoredSecret, at: Date): Change<Endpoint> {
  const before = existingEndpoint(account, id);
  const after = { ...before, secrets: rotated(before.secrets, secret, at.getTime()) };
  return noticed(replaced(account, after), after, 'given another secret', at);
}

export function removeEndpoint(account: Account, id: string, at: Date): Change<Endpoint> {
  const endpoint = existingEndpoint(account, id);
  const endpoints = webhooksOf(account).endpoints.filter((one) => one.id !== id);
  return noticed(withWebhooks(account, { endpoints }), endpoint, 'removed', at);
}

/** Disables an endpoint, and mails the owner the reason. Changes nothing if no enabled endpoint has this id. */
export function disableEndpoint(account: Account, id: string, reason: 'gone' | 'failing', at: Date): Change {
  const before = endpointIn(account, id);
  if (!before?.enabled) return unchanged(account);
  const endpoint: Endpoint = { ...before, enabled: false, disabledReason: reason };
  const why = reason === 'gone' ? 'it returned 410 (Gone)' : 'every request to it failed for 5 days';
  const mailed = withWrittenMail(replaced(account, endpoint), 'webhook-disabled', at, {
    subject: 'Webhook endpoint disabled',
    lines: [
      `The webhook endpoint at ${hostOf(endpoint)} was disabled, because ${why}.`,
      'It receives no events. Enable it again when its receiver works, then replay the failed deliveries.',
    ],
    page: PAGE,
  });
  return { account: mailed, facts: [factOf(endpoint, 'disabled')], result: undefined };
}

function replaced(account: Account, endpoint: Endpoint): Account {
  const endpoints = webhooksOf(account).endpoints.map((one) => (one.id === endpoint.id ? endpoint : one));
  return withWebhooks(account, { endpoints });
}

/** Adds a mail and an audit event about the change of an endpoint. `account` already contains the change. */
function noticed(account: Account, endpoint: Endpoint, change: string, at: Date): Change<Endpoint> {
  const next = withNotice(account, 'webhooks-changed', at, {
    subject: 'Webhook endpoints changed',
    lines: [
      'A webhook endpoint of this account was added, changed or removed. Endpoints receive events of the account.',
      'If this was not you, sign out everywhere and change your password immediately: someone else was signed in.',
    ],
    page: PAGE,
  });
  return { account: next, facts: [factOf(endpoint, change)], result: endpoint };
}

function factOf(endpoint: Endpoint, change: string): AuditFact {
  return { type: 'user_updated', detail: { webhook: hostOf(endpoint), id: endpoint.id, change } };
}

/** Returns only the host, because the path of a URL may contain a secret. */
const hostOf = ({ url }: Endpoint): string => new URL(url).host;

/** Adds `webhook.test` for one endpoint. Throws `conflict` if the endpoint is disabled. */
export function testEndpoint(account: Account, id: string, at: Date): Change<Endpoint> {
  const endpoint = enabledEndpoint(account, id);
  const event = { kind: 'webhook.test', data: { webhookId: id }, endpointId: id } as const;
  const saved = { ...account, version: account.version + 1 };
  return { account: withEvents(saved, [event], at), facts: [], result: endpoint };
}

/**
 * Adds events to an account, except events that no endpoint receives. `account` must already have its new version
 * number, because event ids contain this number. Throws `busy` if too many events wait for their deliveries.
 */
export function withEvents(account: Account, events: readonly NewEvent[], at: Date): Account {
  if (account.suspended || account.deleting) return account;
  const { endpoints, events: waiting, lastEventMs } = webhooksOf(account);
  const kept = events.filter((event) => endpoints.some((endpoint) => receives(endpoint, event)));
  if (kept.length === 0) return account;
  if (waiting.length + kept.length > MAX_EVENTS)
    throw new AppError('busy', 'Too many webhook events of this account wait to be stored. Try again in a moment.');
  const nowMs = at.getTime();
  // If `lastEventMs` is further in the future than the tolerance for clocks, a wrong clock has set it. It is then
  // ignored.
  const firstMs = lastEventMs > nowMs + CLOCK_TOLERANCE_MS ? nowMs : Math.max(nowMs, lastEventMs + 1);
  const base36 = (value: number, length: number): string => value.toString(36).padStart(length, '0');
  const dated = kept.map((event, index) => ({
    ...event,
    id: `evt_${base36(account.version, 8)}${base36(index, 2)}${randomBase62(8)}`,
    atMs: firstMs + index,
  }));
  return withWebhooks(account, { events: [...waiting, ...dated], lastEventMs: firstMs + kept.length - 1 });
}

export function receives({ id, enabled, kinds }: Endpoint, { kind, endpointId }: NewEvent): boolean {
  return enabled && (endpointId === undefined ? kinds.includes(kind) : endpointId === id);
}

/** Removes the events up to this id, because their deliveries exist. */
export function dropEvents(account: Account, lastId: string): Change {
  const { events } = webhooksOf(account);
  const rest = events.filter(({ id }) => id > lastId);
  if (rest.length === events.length) return unchanged(account);
  return { account: withWebhooks(account, { events: rest }), facts: [], result: undefined };
}
