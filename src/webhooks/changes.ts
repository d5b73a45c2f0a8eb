// Changes of the endpoints and events of an account. Each is one write, together with its audit event and its mail.
// Unless their comment says otherwise, they throw `not_found` if no endpoint has the id.
import type { Account } from '../accounts/account.js';
import type { AuditFact } from '../accounts/audit-event.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { withNotice, withWrittenMail } from '../accounts/changes/mails.js';
import { AppError } from '../platform/errors.js';
import {
  endpointIn,
  MAX_ENDPOINTS,
  newEndpoint,
  webhooksOf,
  withWebhooks,
  type DisabledReason,
  type Endpoint,
  type NewEndpoint,
  type StoredSecret,
} from './endpoint.js';
import { datedEvents, type NewEvent } from './event.js';
import { rotated } from './signing-secret.js';

/**
 * Maximum number of an account's events whose deliveries are not created yet. Only an outage of the store lets that
 * number grow.
 */
const MAX_EVENTS = 5000;
const PAGE = { label: 'Open your account', path: '/account' };

type ChangeWord = 'added' | 'changed' | 'removed' | 'disabled' | 'given another secret';

/** Returns the endpoint. Throws `not_found` if none has this id. */
export function existingEndpoint(account: Account, id: string): Endpoint {
  const endpoint = endpointIn(account, id);
  if (!endpoint) throw new AppError('not_found', 'There is no such webhook endpoint.');
  return endpoint;
}

/** Returns the endpoint. Also throws `conflict` if it is disabled. */
export function enabledEndpoint(account: Account, id: string): Endpoint {
  const endpoint = existingEndpoint(account, id);
  if (endpoint.enabled) return endpoint;
  throw new AppError(
    'conflict',
    'This endpoint is disabled. Enable it first: PATCH /auth/webhooks/{id} {"enabled": true}.',
  );
}

/** Returns only the host, because the path of a URL may contain a secret. */
const hostOf = ({ url }: Endpoint): string => new URL(url).host;

function factOf(endpoint: Endpoint, change: ChangeWord): AuditFact {
  return { type: 'user_updated', detail: { webhook: hostOf(endpoint), id: endpoint.id, change } };
}

/** Adds the audit event and the mail about a change of an endpoint to the changed account. */
function noticed(account: Account, endpoint: Endpoint, change: ChangeWord, at: Date): Change<Endpoint> {
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

function withReplaced(account: Account, endpoint: Endpoint): Account {
  const endpoints = webhooksOf(account).endpoints.map((one) => (one.id === endpoint.id ? endpoint : one));
  return withWebhooks(account, { endpoints });
}

/** Adds an endpoint. Throws `conflict` if there are already five. */
export function addEndpoint(account: Account, settings: NewEndpoint, secret: StoredSecret, at: Date): Change<Endpoint> {
  const { endpoints } = webhooksOf(account);
  if (endpoints.length >= MAX_ENDPOINTS)
    throw new AppError(
      'conflict',
      `There are ${MAX_ENDPOINTS} webhook endpoints already. Remove one with DELETE /auth/webhooks/{id}.`,
    );
  const endpoint = newEndpoint(account.id, settings, secret, at);
  return noticed(withWebhooks(account, { endpoints: [...endpoints, endpoint] }), endpoint, 'added', at);
}

/** Fields that change. */
export type EndpointEdit = {
  readonly [Name in keyof NewEndpoint | 'enabled']?: Endpoint[Name] | undefined;
} & {
  /** Who changes the endpoint. */
  readonly by: 'owner' | 'operator';
};

export function editEndpoint(account: Account, id: string, edit: EndpointEdit, at: Date): Change<Endpoint> {
  const before = existingEndpoint(account, id);
  const { url = before.url, kinds = before.kinds, description = before.description, enabled = before.enabled } = edit;
  const disabledReason = enabled ? null : (before.disabledReason ?? edit.by);
  const after = { ...before, url, kinds, description, enabled, disabledReason };
  if (JSON.stringify(after) === JSON.stringify(before)) return { account, facts: [], result: before };
  const change = before.enabled && !enabled ? 'disabled' : 'changed';
  return noticed(withReplaced(account, after), after, change, at);
}

export function rotateSecret(account: Account, id: string, secret: StoredSecret, at: Date): Change<Endpoint> {
  const before = existingEndpoint(account, id);
  const after = { ...before, secrets: rotated(before.secrets, secret, at.getTime()) };
  return noticed(withReplaced(account, after), after, 'given another secret', at);
}

export function removeEndpoint(account: Account, id: string, at: Date): Change<Endpoint> {
  const endpoint = existingEndpoint(account, id);
  const endpoints = webhooksOf(account).endpoints.filter((one) => one.id !== id);
  return noticed(withWebhooks(account, { endpoints }), endpoint, 'removed', at);
}

/** Disables an endpoint, and mails the owner the reason. Changes nothing if no enabled endpoint has this id. */
export function disableEndpoint(
  account: Account,
  id: string,
  reason: Extract<DisabledReason, 'gone' | 'failing'>,
  at: Date,
): Change {
  const before = endpointIn(account, id);
  if (!before?.enabled) return unchanged(account);
  const endpoint: Endpoint = { ...before, enabled: false, disabledReason: reason };
  const why = reason === 'gone' ? 'it returned 410 (Gone)' : 'every request to it failed for 5 days';
  const mailed = withWrittenMail(withReplaced(account, endpoint), 'webhook-disabled', at, {
    subject: 'Webhook endpoint disabled',
    lines: [
      `The webhook endpoint at ${hostOf(endpoint)} was disabled, because ${why}.`,
      'It receives no events. Enable it again when its receiver works, then replay the failed deliveries.',
    ],
    page: PAGE,
  });
  return { account: mailed, facts: [factOf(endpoint, 'disabled')], result: undefined };
}

/** Adds `webhook.test` for one endpoint. Throws `conflict` if the endpoint is disabled. */
export function testEndpoint(account: Account, id: string, at: Date): Change<Endpoint> {
  const endpoint = enabledEndpoint(account, id);
  const event = { kind: 'webhook.test', data: { webhookId: id }, endpointId: id } as const;
  const saved = { ...account, version: account.version + 1 };
  return { account: withEvents(saved, [event], at), facts: [], result: endpoint };
}

/**
 * Adds events to an account. Its version must be the one with which it is saved, because event ids contain it. Drops
 * the events that no endpoint receives. Throws `busy` if too many events wait for their deliveries.
 */
export function withEvents(account: Account, events: readonly NewEvent[], at: Date): Account {
  if (account.suspended || account.deleting) return account;
  const { endpoints, events: waiting, lastEventMs } = webhooksOf(account);
  const wanted = new Set(endpoints.flatMap(({ enabled, kinds }) => (enabled ? kinds : [])));
  const kept = events.filter(({ kind, endpointId }) => endpointId !== undefined || wanted.has(kind));
  if (kept.length === 0) return account;
  if (waiting.length + kept.length > MAX_EVENTS)
    throw new AppError('busy', 'Too many webhook events of this account wait to be stored. Try again in a moment.');
  const { version } = account;
  const dated = datedEvents(kept, { version, atMs: at.getTime(), lastMs: lastEventMs });
  return withWebhooks(account, { events: [...waiting, ...dated], lastEventMs: dated.at(-1)?.atMs ?? lastEventMs });
}

/** Removes the events up to this id, because their deliveries exist. */
export function dropEvents(account: Account, lastId: string): Change {
  const { events } = webhooksOf(account);
  const rest = events.filter(({ id }) => id > lastId);
  if (rest.length === events.length) return unchanged(account);
  return { account: withWebhooks(account, { events: rest }), facts: [], result: undefined };
}
