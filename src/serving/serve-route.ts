// Handling of one request: validates the input, authenticates the caller, and calls the handler. Metered requests are
// also counted.
import type { RouterContext } from '@koa/router';
import type { Deadline } from '../platform/concurrency/deadline.js';
import { AppError, invalidField } from '../platform/errors.js';
import type { Client } from '../accounts/client-info.js';
import type { Caller } from '../accounts/sessions.js';
import type { Credential } from '../accounts/credential.js';
import {
  credentialForPicture,
  presentedKey,
  presentedOrBearerKey,
  rejectPublishableKey,
  type Authentication,
} from '../accounts/authentication/authentication.js';
import type { CallerKind, Callers } from '../accounts/authentication/callers.js';
import { withUpload, type RouteUploads } from '../platform/http/request/binary-body.js';
import { hasBody, readRawBody } from '../platform/http/request/body.js';
import { preconditionOf } from '../platform/http/request/precondition.js';
import { isSpeculative } from '../platform/http/request/speculative.js';
import { publishableKeyIn, rejectKeyInQuery, rejectOwnKeyInQuery } from '../platform/http/request/validation.js';
import { notModified } from '../platform/http/response/conditional.js';
import { errorReply, VARY_ACCEPT, type ConditionalReply, type Reply } from '../platform/http/response/reply.js';
import type { Format, MeteredRoute, OpenRoute, Route, SignedRoute } from '../platform/http/route.js';
import { noteCaller } from '../accounts/authentication/known-account.js';
import { beginReadLimit, isRead } from '../platform/http/read-limit.js';
import { waitingClient, serveCounted, type Counting } from './serve-metered.js';
import { isForeign, isForPages, searchOf, type MeteredCall, type UrlReader } from './url-reader.js';

export interface ServedRoute extends Counting {
  readonly route: Route;
  readonly urls: UrlReader;
  readonly identify: Authentication;
  /** Upload limits; absent if the route accepts only JSON. */
  readonly uploads?: RouteUploads | undefined;
}

/** Serves a request. Throws an AppError for a documented error, or rejects with it. */
export function serveRoute(served: ServedRoute, context: RouterContext): Promise<Reply> | Reply {
  const { route, urls } = served;
  const { url = '/', headers } = context.req;
  if (!urls.isKnown(url))
    (isForeign(route) || route.takesToken === true ? rejectOwnKeyInQuery : rejectKeyInQuery)(searchOf(url));
  if (!isForPages(route)) rejectPublishableKey(headers, publishableKeyIn(searchOf(url)));
  return route.auth === 'key' ? serveKeyed(route, served, context) : serveOther(route, served, context);
}

/**
 * Serves a route that takes a key. A malformed credential is rejected before any other work. A well-formed key is
 * verified later, when the request is counted.
 */
function serveKeyed(route: MeteredRoute, served: ServedRoute, context: RouterContext): Promise<Reply> {
  const { urls } = served;
  const { url = '/' } = context.req;
  const inHeader = keyInHeader(route, context);
  assertVersion(route, context);
  const { params, query, key } = urls.read(context, url);
  const credential = key || !inHeader ? credentialForPicture(key, context, route) : inHeader;
  const catalog = served.services.accountCatalogs.cached(credential);
  const serve = (body: MeteredCall['body']): Promise<Reply> =>
    serveCounted(route, served, { params, query, body, url, credential, catalog }, context);
  return route.body || hasBody(context) ? urls.readFields(context).then(serve) : serve({});
}

function assertVersion({ versionHeader }: MeteredRoute, { req }: RouterContext): void {
  if (versionHeader === undefined) return;
  const { name, allowed } = versionHeader;
  const version = req.headers[name.toLowerCase()];
  if (version !== undefined && !allowed.includes(String(version)))
    throw invalidField(name, 'not a supported version', allowed);
}

/**
 * Returns the key in the headers. If the route accepts publishable keys and `X-API-Key` is missing, returns undefined,
 * because the key may be in the URL.
 */
function keyInHeader(route: MeteredRoute, context: RouterContext): Credential | undefined {
  const { req } = context;
  if (!isForPages(route)) return route.isBearerKey === true ? presentedOrBearerKey(req) : presentedKey(req);
  return req.headers['x-api-key'] === undefined ? undefined : credentialForPicture(undefined, context, route);
}

async function serveOther(route: OpenRoute | SignedRoute, served: ServedRoute, context: RouterContext): Promise<Reply> {
  const limit = beginReadLimit(served.timers);
  // Requests with a body have no time limit, because a client may send its body slowly.
  const isLimited = isRead(route) && !hasBody(context);
  const handling =
    route.auth === 'signature' ? handleSigned(route, served, context) : handleOpen(route, served, context);
  const handled = await (isLimited ? limit.within(handling) : handling);
  if (handled.answer.kind === 'reply') return handled.answer;
  return serveOpen(handled.answer, handled, context, isLimited ? limit : beginReadLimit(served.timers));
}

/** Reply of a handler, with the request's client and caller. The body of the reply may not exist yet. */
interface Handled {
  readonly answer: Reply | ConditionalReply;
  readonly client: Client;
  readonly caller?: Caller | undefined;
}

async function handleOpen(route: OpenRoute, served: ServedRoute, context: RouterContext): Promise<Handled> {
  const { identify, urls, uploads, services } = served;
  const client = identify.client(context);
  const identified = await identify.callers[route.auth](context, route);
  noteCaller(context, identified, new Date(services.now()));
  const { params, query } = urls.read(context, context.req.url ?? '/');
  const handle = (sent: Pick<SentRequest, 'body' | 'bytes'>): Promise<Handled> =>
    handleSent({ route, client, identified, params, query, ...sent }, served, context);
  if (!route.binary || !uploads) return handle({ body: await urls.readFields(context), bytes: NO_BYTES });
  const { owner } = identified as Partial<Callers['account']>;
  const upload = { ...uploads, body: route.binary, owner: owner?.accountId ?? client.fairnessKey };
  return withUpload(context, upload, (bytes) => handle({ body: {}, bytes }));
}

interface SentRequest extends Pick<MeteredCall, 'params' | 'query'> {
  readonly route: OpenRoute;
  readonly client: Client;
  readonly identified: Callers[CallerKind];
  readonly body: Record<string, unknown>;
  readonly bytes: Buffer;
}

async function handleSent(
  { route, client, identified, ...read }: SentRequest,
  { identify, services }: ServedRoute,
  context: RouterContext,
): Promise<Handled> {
  const { method, req } = context;
  // Authenticates again after the body has arrived, because the session may have ended in the meantime.
  const isRepeated = (route.auth === 'bearer' || route.auth === 'cookie') && !isRead(route);
  const who = isRepeated ? await identify.callers[route.auth](context, route) : identified;
  const format = preferredFormat(route, context);
  if (format === undefined) return { answer: notAcceptable(route), client };
  const precondition = preconditionOf(req.headers);
  const sent = {
    ...{ ...read, url: req.url ?? '/', client, format, precondition },
    ...{ isHead: method === 'HEAD', pageOrigin: req.headers.origin, isSpeculative: isSpeculative(req.headers) },
  };
  const answer = await route.handle({ ...sent, ...who }, services);
  return { answer, client, ...(who as { readonly caller?: Caller }) };
}

async function handleSigned(
  route: SignedRoute,
  { identify, services, urls }: ServedRoute,
  context: RouterContext,
): Promise<Handled> {
  route.assertOpen(services);
  urls.read(context, context.req.url ?? '/');
  const signature = context.req.headers[route.signatureHeader.toLowerCase()];
  if (typeof signature !== 'string')
    throw new AppError('invalid_request', `The ${route.signatureHeader} header is missing.`);
  const payload = await readRawBody(context, route.maxBodyBytes);
  return { answer: await route.handle({ payload, signature }, services), client: identify.client(context) };
}

const NO_BYTES = Buffer.alloc(0);
const JSON_ONLY = ['application/json'] as const;

/** Returns the preferred format of the response, or undefined if `Accept` rejects all formats of the route. */
function preferredFormat({ formats }: OpenRoute, context: RouterContext): Format | undefined {
  if (!formats) return JSON_ONLY[0];
  const accepted = context.accepts(...formats);
  return formats.find((format) => format === accepted);
}

function notAcceptable({ formats = JSON_ONLY }: OpenRoute): Reply {
  const detail = { field: 'Accept', reason: 'does not allow any of the formats', allowed: formats };
  return errorReply(new AppError('not_acceptable', undefined, { details: [detail] }), VARY_ACCEPT);
}

async function serveOpen(
  answer: ConditionalReply,
  { client, caller }: Handled,
  context: RouterContext,
  limit: Deadline,
): Promise<Reply> {
  const { headers, codings, make, peek } = answer;
  const held = notModified(context.req.headers, answer, headers);
  if (held) return { kind: 'reply', status: 304, headers: [held], body: null };
  const fairnessKey = caller ? caller.account.id : client.fairnessKey;
  const reply =
    context.method === 'HEAD' && peek
      ? await peek()
      : await make(waitingClient({ fairnessKey, isStranger: !caller }, context, limit));
  return { ...reply, headers: [headers, ...reply.headers], codings, caller: fairnessKey };
}
