// Handling of one request, in order: validation, authentication, metering, rendering.
import type { IncomingMessage } from 'node:http';
import type { RouterContext } from '@koa/router';
import type { Bucket } from '../domain/metering/plan.js';
import { AppError } from '../errors.js';
import type { Credential, Metering, QuotaReading } from '../services/metering.js';
import type { ResponseCounts } from '../services/response-counts.js';
import type { RenderClient } from '../services/images/render-request.js';
import { hasBody, readRawBody } from './request/body.js';
import { notModified } from './response/conditional.js';
import { presentedKey, rejectPublishableKey, type Authentication, type Requester } from './auth/authentication.js';
import { quotaExceeded, rateLimitHeaders } from './response/rate-limit-headers.js';
import { errorReply, VARY_ACCEPT, type ConditionalReply, type HeaderFields, type Reply } from './response/reply.js';
import {
  bucketOf,
  isMetered,
  type AccountRoute,
  type Format,
  type MeteredRoute,
  type Route,
  type SignedRoute,
} from './route.js';
import { publishableKeyIn, rejectKeyInQuery } from './request/validation.js';
import { createUrlReader, isForPages, searchOf, type MeteredCall, type UrlReader } from './url-reader.js';

/** Shared by all requests of routes that need no account. */
const ANONYMOUS = 'anonymous';

interface Services {
  readonly metering: Metering;
  readonly identify: Authentication;
  /** Undefined: none are counted. */
  readonly responses?: Pick<ResponseCounts, 'count'> | undefined;
}

/** Answers one route. Throws AppError for every documented error, or rejects with it. */
export function serveRoute(route: Route, services: Services): (context: RouterContext) => Promise<Reply> | Reply {
  const urls = createUrlReader(route);
  const serve = isMetered(route) ? serveKeyed(route, services, urls) : serveOther(route, services, urls);
  return (context) => {
    const { url = '/' } = context.req;
    if (!urls.isKnown(url)) rejectKeyInQuery(searchOf(url));
    if (!isForPages(route)) rejectPublishableKey(context.req.headers, publishableKeyIn(searchOf(url)));
    return serve(context, url);
  };
}

type Serve = (context: RouterContext, url: string) => Promise<Reply> | Reply;

/** A malformed credential is rejected before any other work; a well-formed key is checked at admission. */
function serveKeyed(route: MeteredRoute, services: Services, urls: UrlReader): Serve {
  const { identify } = services;
  return (context, url) => {
    const { req } = context;
    const inHeader = keyInHeader(route, identify, req);
    const { params, query, key } = urls.read(context, url);
    const credential = key || !inHeader ? identify.keyOfPage(key, req) : inHeader;
    const serve = (body: MeteredCall['body']): Promise<Reply> =>
      serveCounted(route, services, { params, query, body, url, credential }, context);
    return route.body || hasBody(context) ? urls.readFields(context).then(serve) : serve({});
  };
}

/** Undefined: there may be a publishable key in the address. */
function keyInHeader(route: MeteredRoute, identify: Authentication, req: IncomingMessage): Credential | undefined {
  if (!isForPages(route)) return presentedKey(req);
  return req.headers['x-api-key'] === undefined ? undefined : identify.keyOfPage(undefined, req);
}

function serveOther(route: Exclude<Route, MeteredRoute>, { identify }: Services, urls: UrlReader): Serve {
  return async (context, url) => {
    switch (route.auth) {
      case 'none': {
        const { method, req } = context;
        const sender = { client: identify.client(context), isHead: method === 'HEAD', pageOrigin: req.headers.origin };
        return serveOpen(await route.handle({ ...(await urls.readAll(context, url)), ...sender }), context);
      }
      case 'visitor': {
        const caller = await identify.visitor(context);
        const call = { ...(await urls.readAll(context, url)), caller, client: identify.client(context) };
        return serveOpen(await route.handle(call), context);
      }
      case 'bearer':
      case 'cookie': {
        const caller = await identify[route.auth](context);
        const input = await urls.readAll(context, url);
        // A session may have ended while the body was on its way.
        const stillCaller = route.method === 'GET' ? caller : await identify[route.auth](context);
        return route.handle({ ...input, caller: stillCaller, client: identify.client(context) });
      }
      case 'bearer-or-cookie': {
        const caller = await identify.bearerOrCookie(context);
        return route.handle({ ...(await urls.readAll(context, url)), caller, client: identify.client(context) });
      }
      case 'key-or-bearer':
      case 'own-key': {
        const requester = await requesterOf(identify, route.auth, context);
        const input = await urls.readAll(context, url);
        return serveAccount(route, { ...input, requester, client: identify.client(context) }, context);
      }
      case 'signature':
        urls.read(context, url);
        return serveSigned(route, context);
    }
  };
}

async function requesterOf(
  identify: Authentication,
  kind: 'key-or-bearer' | 'own-key',
  context: RouterContext,
): Promise<Requester> {
  if (kind === 'key-or-bearer') return identify.keyOrBearer(context);
  return { kind: 'key', credential: presentedKey(context.req) };
}

function serveAccount(
  route: AccountRoute,
  call: Omit<Parameters<AccountRoute['handle']>[0], 'format'>,
  context: RouterContext,
): Promise<Reply> | Reply {
  const format = preferredFormat(route, context);
  return format === undefined ? notAcceptable(route) : route.handle({ ...call, format });
}

async function serveSigned(route: SignedRoute, context: RouterContext): Promise<Reply> {
  const signature = context.req.headers[route.signatureHeader];
  if (typeof signature !== 'string') throw new AppError('invalid_request', noSignatureText(route));
  return route.handle({ payload: await readRawBody(context, route.maxBodyBytes), signature });
}

function noSignatureText({ signatureHeader }: SignedRoute): string {
  return `The ${signatureHeader.replaceAll(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())} header is missing.`;
}

const JSON_ONLY = ['application/json'] as const;

/** Undefined: `Accept` allows none. */
function preferredFormat({ formats }: AccountRoute, context: RouterContext): Format | undefined {
  if (!formats) return JSON_ONLY[0];
  const accepted = context.accepts(...formats);
  return formats.find((format) => format === accepted);
}

function notAcceptable({ formats = JSON_ONLY }: AccountRoute): Reply {
  const detail = { field: 'Accept', reason: 'allows none of the formats', allowed: formats };
  return errorReply(new AppError('not_acceptable', undefined, { details: [detail] }), VARY_ACCEPT);
}

async function serveOpen(answer: Reply | ConditionalReply, context: RouterContext): Promise<Reply> {
  if (answer.kind === 'reply') return answer;
  const { headers, codings, render } = answer;
  const held = notModified(context.req.headers, answer, headers);
  if (held) return { kind: 'reply', status: 304, headers: [held], body: null };
  const reply = await render(renderClient(ANONYMOUS, context));
  return { ...reply, headers: [headers, ...reply.headers], codings };
}

/** Counts the answer where the key was verified. */
async function serveCounted(
  route: MeteredRoute,
  services: Services,
  call: MeteredCall,
  context: RouterContext,
): Promise<Reply> {
  const { responses } = services;
  const { accountId } = call.credential;
  try {
    const reply = await serveMetered(route, services, call, context);
    responses?.count(accountId, reply.status, reply.slug);
    return reply;
  } catch (error) {
    // Only a right key meets the limit of its burst.
    if (error instanceof AppError && error.code === 'rate_limited') responses?.count(accountId, error.status);
    throw error;
  }
}

/** Look up → 304 when the client has it → admit → render → answer, or refund the admission. */
async function serveMetered(
  route: MeteredRoute,
  services: Services,
  call: MeteredCall,
  context: RouterContext,
): Promise<Reply> {
  const { metering } = services;
  const bucket = bucketOf(route, call.query);
  const { credential } = call;
  const { accountId, keyHash, page } = credential;
  const prepared = await prepare(route, call);

  if ('error' in prepared || prepared.kind === 'reply') {
    // Not counted, but only for those with a right key, and not faster than their burst.
    const { quota } = await metering.admit({ ...credential, bucket, charge: 'burst' });
    const fields = rateLimitHeaders(bucket, quota);
    return 'error' in prepared
      ? errorReply(prepared.error, fields)
      : { ...prepared, headers: [...prepared.headers, fields] };
  }

  const { units = 1 } = prepared;
  const held = notModified(context.req.headers, prepared, fieldsOf(prepared, credential, context));
  if (held) {
    const { quota } = await metering.admit({ accountId, keyHash, page, bucket, charge: 'verify', units });
    return { kind: 'reply', status: 304, headers: [held, rateLimitHeaders(bucket, quota)], body: null };
  }

  const charge = context.method === 'HEAD' || units === 0 ? 'burst' : 'count';
  const { quota, admitted } = await metering.admit({ accountId, keyHash, page, bucket, charge, units });
  if (!admitted) return errorReply(quotaExceeded(bucket, quota), rateLimitHeaders(bucket, quota));
  return serveAdmitted(services, { call, bucket, charge, quota, prepared }, context);
}

/** Header fields of the answer and of a 304. */
function fieldsOf(
  { headers, publicHeaders }: ConditionalReply,
  { page }: Credential,
  { req }: RouterContext,
): HeaderFields {
  if (page === undefined || !publicHeaders) return headers;
  // Sent in the header, the key is no part of the address that a shared cache goes by.
  if (req.headers['x-api-key'] === undefined) return publicHeaders;
  const { Vary } = publicHeaders;
  return { ...publicHeaders, Vary: Vary === undefined ? 'X-API-Key' : `${Vary}, X-API-Key` };
}

interface Admitted {
  readonly call: MeteredCall;
  readonly bucket: Bucket;
  readonly charge: 'count' | 'burst';
  readonly quota: QuotaReading;
  readonly prepared: ConditionalReply;
}

async function serveAdmitted(
  { metering, responses }: Services,
  { call: { credential }, bucket, charge, quota, prepared }: Admitted,
  context: RouterContext,
): Promise<Reply> {
  const { accountId } = credential;
  const { units = 1 } = prepared;
  const isHead = context.method === 'HEAD';
  try {
    const {
      status,
      headers: rendered,
      body,
    } = isHead && prepared.peek ? prepared.peek() : await prepared.render(renderClient(accountId, context));
    return {
      kind: 'reply',
      status,
      headers: [fieldsOf(prepared, credential, context), ...rendered, rateLimitHeaders(bucket, quota)],
      body,
      slug: isHead ? undefined : prepared.slug,
      codings: prepared.codings,
    };
  } catch (error) {
    const isRefunded = charge === 'count' && !(error instanceof AppError && error.counts);
    // Should that fail too, the first error is still the one to report.
    if (isRefunded) await metering.refund({ ...credential, bucket, day: quota.day, units }).catch(() => undefined);
    if (!(error instanceof AppError)) {
      responses?.count(accountId, 500);
      throw error;
    }
    return errorReply(error, rateLimitHeaders(bucket, { ...quota, used: quota.used - (isRefunded ? units : 0) }));
  }
}

function renderClient(fairnessKey: string, { res }: RouterContext): RenderClient {
  return {
    fairnessKey,
    signal() {
      const left = new AbortController();
      const leave = (): void => {
        // Closed after its answer: nobody has left.
        if (!res.writableEnded)
          left.abort(new AppError('busy', 'The connection was closed before the picture was drawn.'));
      };
      if (res.destroyed) leave();
      else res.once('close', leave);
      return left.signal;
    },
  };
}

type Prepared = Reply | ConditionalReply | { readonly error: AppError };

/** No promise where the handler needs none. */
function prepare(route: MeteredRoute, call: MeteredCall): Prepared | Promise<Prepared> {
  try {
    const prepared = route.handle(call);
    return prepared instanceof Promise ? prepared.catch(preparedError) : prepared;
  } catch (error) {
    return preparedError(error);
  }
}

function preparedError(error: unknown): Prepared {
  if (error instanceof AppError) return { error };
  throw error;
}
