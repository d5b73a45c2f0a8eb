// Handling of one request, in order: validation, authentication, then the handler, or metering and rendering.
import type { RouterContext } from '@koa/router';
import type { Deadline } from '../domain/deadline.js';
import { AppError } from '../errors.js';
import type { Client } from '../services/accounts/client-info.js';
import type { Caller } from '../services/accounts/sessions.js';
import type { Credential } from '../services/metering.js';
import { hasBody, readRawBody } from './request/body.js';
import { notModified } from './response/conditional.js';
import { presentedKey, rejectPublishableKey, type Authentication } from './auth/authentication.js';
import { errorReply, VARY_ACCEPT, type ConditionalReply, type Reply } from './response/reply.js';
import { beginReadLimit, isRead } from './read-limit.js';
import type { Format, MeteredRoute, OpenRoute, Route, SignedRoute } from './route.js';
import { publishableKeyIn, rejectKeyInQuery } from './request/validation.js';
import { renderClient, serveCounted, type Counting } from './serve-metered.js';
import { createUrlReader, isForPages, searchOf, type MeteredCall, type UrlReader } from './url-reader.js';

interface Options extends Counting {
  readonly identify: Authentication;
}

/** Answers one route. Throws AppError for every documented error, or rejects with it. */
export function serveRoute(route: Route, options: Options): (context: RouterContext) => Promise<Reply> | Reply {
  const urls = createUrlReader(route);
  const serve = route.auth === 'key' ? serveKeyed(route, options, urls) : serveOther(route, options, urls);
  return (context) => {
    const { url = '/' } = context.req;
    if (!urls.isKnown(url)) rejectKeyInQuery(searchOf(url));
    if (!isForPages(route)) rejectPublishableKey(context.req.headers, publishableKeyIn(searchOf(url)));
    return serve(context, url);
  };
}

type Serve = (context: RouterContext, url: string) => Promise<Reply> | Reply;

/** A malformed credential is rejected before any other work; a well-formed key is checked at admission. */
function serveKeyed(route: MeteredRoute, options: Options, urls: UrlReader): Serve {
  const { identify } = options;
  return (context, url) => {
    const inHeader = keyInHeader(route, identify, context);
    const { params, query, key } = urls.read(context, url);
    const credential = key || !inHeader ? identify.pictureKey(key, context) : inHeader;
    const serve = (body: MeteredCall['body']): Promise<Reply> =>
      serveCounted(route, options, { params, query, body, url, credential }, context);
    return route.body || hasBody(context) ? urls.readFields(context).then(serve) : serve({});
  };
}

/** Undefined: there may be a publishable key in the address. */
function keyInHeader(route: MeteredRoute, identify: Authentication, context: RouterContext): Credential | undefined {
  const { req } = context;
  if (!isForPages(route)) return presentedKey(req);
  return req.headers['x-api-key'] === undefined ? undefined : identify.pictureKey(undefined, context);
}

function serveOther(route: OpenRoute | SignedRoute, options: Options, urls: UrlReader): Serve {
  const { timers } = options;
  const find = route.auth === 'signature' ? findSigned(route, options, urls) : findOpen(route, options, urls);
  return async (context, url) => {
    const limit = beginReadLimit(timers);
    // A body takes as long as its client needs.
    const isLimited = isRead(route) && !hasBody(context);
    const { answer, ...visitor } = await (isLimited ? limit.within(find(context, url)) : find(context, url));
    if (answer.kind === 'reply') return answer;
    return serveOpen(answer, visitor, context, isLimited ? limit : beginReadLimit(timers));
  };
}

/** Who an answer is drawn for, when it is still to be drawn. */
interface Visitor {
  readonly client: Client;
  readonly caller?: Caller | undefined;
}

interface Found extends Visitor {
  readonly answer: Reply | ConditionalReply;
}

type Find = (context: RouterContext, url: string) => Promise<Found>;

function findOpen(route: OpenRoute, { identify, services }: Options, urls: UrlReader): Find {
  const identifyCaller = identify.callers[route.auth];
  // A session may have ended while the body was on its way.
  const isRepeated = (route.auth === 'bearer' || route.auth === 'cookie') && route.method !== 'GET';
  return async (context, url) => {
    const client = identify.client(context);
    const identified = await identifyCaller(context, route);
    const input = await urls.readAll(context, url);
    const who = isRepeated ? await identifyCaller(context, route) : identified;
    const format = preferredFormat(route, context);
    if (format === undefined) return { answer: notAcceptable(route), client };
    const { method, req } = context;
    const sent = { ...input, client, format, isHead: method === 'HEAD', pageOrigin: req.headers.origin };
    return { answer: await route.handle({ ...sent, ...who }, services), client, ...who };
  };
}

function findSigned(route: SignedRoute, { identify, services }: Options, urls: UrlReader): Find {
  return async (context, url) => {
    route.assertOpen(services);
    urls.read(context, url);
    const signature = context.req.headers[route.signatureHeader];
    if (typeof signature !== 'string') throw new AppError('invalid_request', noSignatureText(route));
    const payload = await readRawBody(context, route.maxBodyBytes);
    return { answer: await route.handle({ payload, signature }, services), client: identify.client(context) };
  };
}

function noSignatureText({ signatureHeader }: SignedRoute): string {
  return `The ${signatureHeader.replaceAll(/(^|-)(\w)/g, (_, dash: string, letter: string) => dash + letter.toUpperCase())} header is missing.`;
}

const JSON_ONLY = ['application/json'] as const;

/** Undefined: `Accept` allows none. */
function preferredFormat({ formats }: OpenRoute, context: RouterContext): Format | undefined {
  if (!formats) return JSON_ONLY[0];
  const accepted = context.accepts(...formats);
  return formats.find((format) => format === accepted);
}

function notAcceptable({ formats = JSON_ONLY }: OpenRoute): Reply {
  const detail = { field: 'Accept', reason: 'allows none of the formats', allowed: formats };
  return errorReply(new AppError('not_acceptable', undefined, { details: [detail] }), VARY_ACCEPT);
}

async function serveOpen(
  answer: ConditionalReply,
  { client, caller }: Visitor,
  context: RouterContext,
  limit: Deadline,
): Promise<Reply> {
  const { headers, codings, render, peek } = answer;
  const held = notModified(context.req.headers, answer, headers);
  if (held) return { kind: 'reply', status: 304, headers: [held], body: null };
  const fairnessKey = caller ? caller.account.id : client.fairnessKey;
  const reply =
    context.method === 'HEAD' && peek
      ? await peek()
      : await render(renderClient({ fairnessKey, isStranger: !caller }, context, limit));
  return { ...reply, headers: [headers, ...reply.headers], codings, caller: fairnessKey };
}
