// The Koa application: router, request id, CORS, errors, and one way to write an answer.
import type { IncomingMessage, RequestListener } from 'node:http';
import Koa from 'koa';
import { AppError } from '../errors.js';
import { SUBSTITUTE_PAGE_FIELDS } from './pages/page-files.js';
import { startPageReply, type StartPage } from './pages/start-page.js';
import type { RouteUploads } from './request/binary-body.js';
import { rejectUnusable, wantsOtherProtocol } from './request/request-head.js';
import { requestIdOf } from './request/request-id.js';
import { createUploadMemory } from './request/upload-memory.js';
import { UploadSlots } from './request/upload-slots.js';
import { encoded, isNegotiated } from './response/content-coding.js';
import { errorReply, VARY_ACCEPT, type HeaderFields, type Reply } from './response/reply.js';
import { streamBody } from './response/stream-body.js';
import { isMetered, type Route } from './route.js';
import { CORS, createCors, matchedLayers } from './cors.js';
import { accountOfFailure, knownAccount } from '../../accounts/authentication/known-account.js';
import { createRouters } from './routers.js';
import { serveRoute, type ServedRoute } from './serve-route.js';
import { createTickThrottle } from './tick-throttle.js';
import { createAddressCache, UrlReader } from './url-reader.js';

/** The part of a logger that this layer needs. */
export interface Log {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

/** An answered request, for the metrics. */
export interface AnsweredRequest {
  /** Path of the route, with its parameters as names; `unrouted` where there is none. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

interface AppOptions extends Omit<ServedRoute, 'route' | 'urls'> {
  readonly routes: readonly Route[];
  readonly log: Log;
  /** PUBLIC_URL without a slash at its end. */
  readonly origin: string;
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
  /** Memory of uploads that are not answered yet, and of parsed addresses, of all routes. */
  readonly bounds: { readonly uploadBytes: number; readonly addressBytes: number };
  /** While true, every answer has `Connection: close`. */
  readonly isDraining: () => boolean;
  /** HTML for browsers at a URL without a route. Undefined: they get JSON too. */
  readonly notFoundPage?: string;
  /** Sent in place of all pages until there is a catalog. Undefined: they are served without one. */
  readonly startPage?: StartPage;
  /** Called after every answer. */
  readonly onAnswer?: (request: AnsweredRequest) => void;
}

/** On every answer, beside CORS. */
const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' };
/** A year (RFC 6797, section 6.1.1). */
const HTTPS_ONLY = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Here every error is JSON, whatever the client accepts. */
const API_PATH = /^\/(?:v1|auth|iconify|compat)\//;

/** Keys have 54 characters, tokens more. */
const LONG_SEGMENT = /\/[^/]{41,}/g;

/** A picture waits for no more requests to throttled routes. */
const THROTTLED_REQUESTS_PER_TICK = 4;

export function createHttpApp(options: AppOptions): RequestListener {
  const { routes, log, trustedProxies, isDraining } = options;
  const app = new QuietKoa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });

  const uploadsOf = createUploads(options.bounds.uploadBytes);
  const addresses = createAddressCache(options.bounds.addressBytes);
  const nextTick = createTickThrottle(THROTTLED_REQUESTS_PER_TICK);
  const cors = createCors(routes);
  const commonHead = commonHeadOf(options);
  const observe = createObserver(options);

  function answer(context: Koa.Context, reply: Reply): void {
    // Node then writes `Connection: close` and ends the connection after this answer.
    if (isDraining() || wantsOtherProtocol(context.req)) context.res.shouldKeepAlive = false;
    write(context, reply, cors.isOpen(context) ? commonHead.open : commonHead.closed);
    if (reply.chunks)
      streamBody(context.req, context.res, reply.chunks).catch((error: unknown) =>
        log.error({ err: error, requestId: String(context.state.requestId) }, 'an answer broke off'),
      );
  }

  const dispatch = createRouters(routes, (route) => {
    const served = { ...options, route, urls: new UrlReader(route, addresses), uploads: uploadsOf(route) };
    return async (context) => {
      context.state.route = route.path;
      const starting = startPageReply(route, context, options.startPage);
      if (!starting && isThrottled(route)) {
        await nextTick();
        if (context.req.socket.destroyed)
          throw new AppError('invalid_request', 'The connection was closed before its request was read.');
      }
      const reply = starting ?? (await serveRoute(served, context));
      answer(context, isNegotiated(reply) ? await encoded(context.req, reply) : reply);
    };
  });

  app.use(async (context, next) => {
    const { req } = context;
    const beganMs = performance.now();
    const requestId = requestIdOf(req);
    context.state.requestId = requestId;
    try {
      rejectUnusable(req);
      await next();
      if (context.respond !== false) answer(context, unrouted(context, cors));
    } catch (error) {
      const known = accountOfFailure(context, error);
      if (!(error instanceof AppError))
        log.error({ err: error, requestId, ...known, method: req.method, path: pathOf(req) }, 'request failed');
      else if (error.cause !== undefined) log.error({ err: error, requestId, ...known }, error.code);
      const appError = error instanceof AppError ? error : new AppError('internal_error');
      answer(context, failureReply(appError, context, options.notFoundPage));
    }
    observe(context, requestId, performance.now() - beganMs);
  });
  app.use(dispatch);
  const handle = app.callback();
  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request could not be answered');
      response.destroy();
    });
  };
}

function createUploads(maxBytes: number): (route: Route) => RouteUploads | undefined {
  const memory = createUploadMemory({ maxBytes, now: () => performance.now() });
  return (route) => ('binary' in route ? { memory, slots: new UploadSlots(route.binary.slots) } : undefined);
}

/** A URL without a route has a page for browsers, JSON for all other clients (`Accept`: RFC 9110, section 12.5.1). */
function failureReply(error: AppError, context: Koa.Context, notFoundPage: string | undefined): Reply {
  // The rest of a body that was given up would be taken for the next request.
  const unread = context.req.complete ? [] : [{ Connection: 'close' }];
  if (error.code !== 'route_not_found' || API_PATH.test(context.req.url ?? '')) return errorReply(error, ...unread);
  if (notFoundPage === undefined || context.accepts('json', 'html') !== 'html')
    return errorReply(error, VARY_ACCEPT, ...unread);
  return { kind: 'reply', status: error.status, headers: [SUBSTITUTE_PAGE_FIELDS, ...unread], body: notFoundPage };
}

/** Header fields of every answer; `open` for those that pages of other origins may read. */
function commonHeadOf({ origin }: Pick<AppOptions, 'origin'>) {
  const closed = pairsOf({ ...NO_SNIFFING, ...(origin.startsWith('https:') && HTTPS_ONLY) });
  return { closed, open: [...closed, ...pairsOf(CORS)] };
}

/** Reading the request is work, too, where the answer is. */
function isThrottled(route: Route): boolean {
  return route.throttled ?? (isMetered(route) && route.cost !== 1);
}

/** One line of the log, and one record for the metrics, for every answer. */
function createObserver({ log, onAnswer }: AppOptions) {
  const isLogged = log.isLevelEnabled('info');
  const isQuietLogged = log.isLevelEnabled('debug');
  return ({ req, res, state }: Koa.Context, requestId: string, ms: number): void => {
    const { method = '' } = req;
    const { statusCode: status } = res;
    if (state.isQuiet === true ? isQuietLogged : isLogged)
      log.info(
        { requestId, ...knownAccount({ state }), method, path: pathOf(req), status, ms: Math.round(ms * 10) / 10 },
        'answered',
      );
    onAnswer?.({
      route: state.route === undefined ? 'unrouted' : String(state.route),
      method,
      status,
      seconds: ms / 1000,
    });
  };
}

/** For the log: without the query, and without segments as long as a key or a token. */
function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path.replaceAll(LONG_SEGMENT, '/…');
}

/**
 * Koa watches every response for its end, to report errors to `app.onerror`. Here every error is caught below and every
 * answer is written by `write`, so the watching (a tenth of the time of a small answer) has nothing to do.
 */
class QuietKoa extends Koa {
  handleRequest(context: Koa.Context, answer: (context: Koa.Context) => Promise<void>): Promise<void> {
    return answer(context);
  }
}

/** No route took it: a preflight, a wrong method, or an unknown path. */
function unrouted(context: Koa.Context, { preflight }: ReturnType<typeof createCors>): Reply {
  const matched = matchedLayers(context);
  if (matched.length === 0) throw new AppError('route_not_found');
  const allow = [...new Set(matched.flatMap(({ methods }) => methods)), 'OPTIONS'].sort().join(', ');
  if (context.method === 'OPTIONS') {
    return { kind: 'reply', status: 204, headers: [preflight(context), { Allow: allow }], body: null };
  }
  return errorReply(new AppError('method_not_allowed', `${context.method} is not for this path; allowed: ${allow}.`), {
    Allow: allow,
  });
}

/** Names and values in turn, by their fields: most answers are sent again and again. */
const knownPairs = new WeakMap<HeaderFields, readonly string[]>();

function pairsOf(fields: HeaderFields): readonly string[] {
  const known = knownPairs.get(fields);
  if (known) return known;
  const pairs = Object.entries(fields).flat();
  knownPairs.set(fields, pairs);
  return pairs;
}

/**
 * Writes head and body in one call, past Koa's own response: setting headers one by one and reading them again costs
 * a third of the time of a small answer (docs/performance.md).
 */
function write(
  context: Koa.Context,
  { status, headers: groups, body, chunks }: Reply,
  common: readonly string[],
): void {
  context.respond = false;
  const { res, req } = context;
  const head: string[] = [];
  for (const fields of groups) head.push(...pairsOf(fields));
  head.push('X-Request-Id', String(context.state.requestId), ...common);
  const byteLength = body ? Buffer.byteLength(body) : 0;
  if (status !== 304 && status !== 204 && body !== undefined) head.push('Content-Length', String(byteLength));
  res.writeHead(status, head);
  if (chunks) return;
  if (!body || req.method === 'HEAD') res.end();
  // Text that is all ASCII (most SVG and JSON) needs no UTF-8 encoder.
  else if (typeof body === 'string') res.end(body, byteLength === body.length ? 'latin1' : 'utf8');
  else res.end(body);
}
