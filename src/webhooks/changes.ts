// Changes of endpoints, alerts and events of an account. Each change is one write, together with its audit event and
// its mail.
import type { Account } from '../accounts/account.js';
import type { AuditFact } from '../accounts/audit-event.js';
import { unchanged, type Change } from '../accounts/changes/change.js';
import { withNotice, withWrittenMail } from '../accounts/changes/mails.js';
import { assertStillSignedIn } from '../accounts/changes/reauthentication.js';
import type { SessionId } from '../accounts/session.js';
import { AppError } from '../platform/errors.js';
import {
  endpointIn,
  MAX_ENDPOINTS,
  newEndpoint,
  webhooksOf,
  withReason,
  withWebhooks,
  type DisabledReason,
  type Endpoint,
  type EndpointSettings,
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

/** Proof of a change: the owner's session, or undefined for the operator. */
export type ChangeProof = SessionId | undefined;

/** Returns only the host, because the path of a URL may contain a secret. */
const hostOf = ({ url }: Pick<Endpoint, 'url'>): string => new URL(url).host;

function factOf(endpoint: Endpoint, change: ChangeWord): AuditFact {
  return { type: 'user_updated', detail: { webhook: hostOf(endpoint), id: endpoint.id, change } };
}

function changed<Result>(
  account: Account,
  endpoints: readonly Endpoint[],
  { endpoint, change, at }: { readonly endpoint: Endpoint; readonly change: ChangeWord; readonly at: Date },
  result: Result,
): Change<Result> {
  const next = withNotice(withWebhooks(account, { endpoints }), 'webhooks-changed', at, {
    subject: 'Webhook endpoints changed',
    lines: [
      'A webhook endpoint of this account was added, changed or removed. Endpoints receive events of the account.',
      'If this was not you, sign out everywhere and change your password immediately: someone else was signed in.',
    ],
    page: PAGE,
  });
  return { account: next, facts: [factOf(endpoint, change)], result };
}

/** Adds an endpoint. Throws `conflict` if there are already five, and the errors of `assertStillSignedIn`. */
export function addEndpoint(
  account: Account,
  { session, settings, secret }: { session: SessionId; settings: EndpointSettings; secret: StoredSecret },
  at: Date,
): Change<Endpoint> {
  assertStillSignedIn(account, session, at);
  const { endpoints } = webhooksOf(account);
  if (endpoints.length >= MAX_ENDPOINTS)
    throw new AppError(
      'conflict',
      `There are ${MAX_ENDPOINTS} webhook endpoints already. Remove one with DELETE /auth/webhooks/{id}.`,
    );
  const endpoint = newEndpoint(account.id, settings, secret, at);
  return changed(account, [...endpoints, endpoint], { endpoint, change: 'added', at }, endpoint);
}

interface Edit {
  readonly proof: ChangeProof;
  readonly id: string;
  readonly settings: Partial<EndpointSettings>;
}

/** Changes an endpoint. The result is the updated endpoint, or undefined if none has this id. */
export function editEndpoint(account: Account, { proof, id, settings }: Edit, at: Date): Change<Endpoint | undefined> {
  if (proof !== undefined) assertStillSignedIn(account, proof, at);
  const before = endpointIn(account, id);
  if (!before) return unchanged(account);
  const isToggled = settings.enabled !== undefined && settings.enabled !== before.enabled;
  const edited = { ...before, ...settings };
  const after = isToggled ? withReason(edited, proof === undefined ? 'operator' : 'owner') : edited;
  if (JSON.stringify(after) === JSON.stringify(before)) return { account, facts: [], result: before };
  const change = isToggled && !after.enabled ? 'disabled' : 'changed';
  return changed(account, replaced(account, after), { endpoint: after, change, at }, after);
}

/** Replaces the secret. The result is the updated endpoint, or undefined if none has this id. */
export function rotateSecret(
  account: Account,
  { session, id, secret }: { session: SessionId; id: string; secret: StoredSecret },
  at: Date,
): Change<Endpoint | undefined> {
  assertStillSignedIn(account, session, at);
  const before = endpointIn(account, id);
  if (!before) return unchanged(account);
  const endpoint = { ...before, secrets: rotated(before.secrets, secret, at.getTime()) };
  return changed(account, replaced(account, endpoint), { endpoint, change: 'given another secret', at }, endpoint);
}

/** Removes an endpoint. The result is false if none has this id. */
export function removeEndpoint(
  account: Account,
  { session, id }: { session: SessionId; id: string },
  at: Date,
): Change<boolean> {
  assertStillSignedIn(account, session, at);
  const endpoint = endpointIn(account, id);
  if (!endpoint) return { account, facts: [], result: false };
  const rest = webhooksOf(account).endpoints.filter((one) => one.id !== id);
  return changed(account, rest, { endpoint, change: 'removed', at }, true);
}

/** Disables an endpoint, and mails the owner the reason. */
export function disableEndpoint(
  account: Account,
  id: string,
  reason: Extract<DisabledReason, 'gone' | 'failing'>,
  at: Date,
): Change {
  const before = endpointIn(account, id);
  if (!before?.enabled) return unchanged(account);
  const endpoint: Endpoint = { ...before, enabled: false, disabledReason: reason };
  const mailed = withWrittenMail(
    withWebhooks(account, { endpoints: replaced(account, endpoint) }),
    'webhook-disabled',
    at,
    {
      subject: 'Webhook endpoint disabled',
      lines: [
        reason === 'gone'
          ? `The webhook endpoint at ${hostOf(endpoint)} was disabled, because it returned 410 (Gone).`
          : `The webhook endpoint at ${hostOf(endpoint)} was disabled, because every request to it failed for 5 days.`,
        'It receives no events. Enable it again when its receiver works, then replay the failed deliveries.',
      ],
      page: PAGE,
    },
  );
  return { account: mailed, facts: [factOf(endpoint, 'disabled')], result: undefined };
}

function replaced(account: Account, endpoint: Endpoint): readonly Endpoint[] {
  return webhooksOf(account).endpoints.map((one) => (one.id === endpoint.id ? endpoint : one));
}

/**
 * Adds events to an account that is about to be saved. Drops the events that no endpoint receives. Throws `busy` if too
 * many events wait for their deliveries.
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

/**
 * Adds `webhook.test` for one endpoint. The result is undefined if none has this id. Throws `conflict` if the endpoint
 * is disabled.
 */
export function testEndpoint(
  account: Account,
  { session, id }: { session: SessionId; id: string },
  at: Date,
): Change<Endpoint | undefined> {
  assertStillSignedIn(account, session, at);
  const endpoint = endpointIn(account, id);
  if (!endpoint) return unchanged(account);
  if (!endpoint.enabled) throw disabledError();
  const event = { kind: 'webhook.test', data: { webhookId: id }, endpointId: id } as const;
  // Event ids contain the version with which the account is saved: the next version.
  const next = withEvents({ ...account, version: account.version + 1 }, [event], at);
  return { account: next, facts: [], result: endpoint };
}

export function disabledError(): AppError {
  return new AppError(
    'conflict',
    'This endpoint is disabled. Enable it first: PATCH /auth/webhooks/{id} {"enabled": true}.',
  );
}

/** Removes the events up to this id, because their deliveries exist. */
export function dropEvents(account: Account, lastId: string): Change {
  const { events } = webhooksOf(account);
  const rest = events.filter(({ id }) => id > lastId);
  if (rest.length === events.length) return unchanged(account);
  return { account: withWebhooks(account, { events: rest }), facts: [], result: undefined };
}

export function setQuotaAlerts(account: Account, on: boolean): Change {
  if (webhooksOf(account).quotaAlerts === on) return unchanged(account);
  return { account: withWebhooks(account, { quotaAlerts: on }), facts: [], result: undefined };
}
