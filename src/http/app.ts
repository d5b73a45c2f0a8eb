// The Koa application: router, request id, CORS, errors, and one way to write an answer.
import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import { AppError } from '../errors.js';
import type { ResponseCounts } from '../services/response-counts.js';
import type { Authentication } from './auth/authentication.js';
import { encoded, isNegotiated } from './response/content-coding.js';
import { createNotFound, type NotFoundPage } from './pages/not-found-page.js';
import { createStartPage, type StartPage } from './pages/start-page.js';
import { errorReply, type HeaderFields, type Reply } from './response/reply.js';
import { rejectUnusable, wantsOtherProtocol } from './request/request-head.js';
import { requestIdOf } from './request-id.js';
import type { RouteServices } from './route-services.js';
import { isMetered, type Route } from './route.js';
import { createRouters, routerPath } from './routers.js';
import { serveRoute } from './serve-route.js';
import { streamPages } from './response/stream-pages.js';
import { createTickThrottle } from './tick-throttle.js';

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

interface AppOptions {
  readonly routes: readonly Route[];
  readonly services: RouteServices;
  readonly identify: Authentication;
  /** Counts the answers to keys that were verified; undefined: none are counted. */
  readonly responses?: Pick<ResponseCounts, 'count'> | undefined;
  readonly log: Log;
  /** Of PUBLIC_URL. */
  readonly origin: string;
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly trustedProxies: number;
  /** While true, every answer has `Connection: close`. */
  readonly isDraining: () => boolean;
  /** For browsers, at an address where nothing is. Undefined: they get JSON too. */
  readonly notFoundPage?: NotFoundPage;
  /** In the place of all pages until there is a catalog. Undefined: they are served without one. */
  readonly startPage?: StartPage;
  /** Called after every answer. */
  readonly onAnswer?: (request: AnsweredRequest) => void;
}

/**
 * On every answer, whether or not the request has `Origin`: a browser may reuse an answer cached without it. Sending
 * these on demand would need `Vary: Origin`, and so halve the cache.
 */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Location, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Blazon-Fallback, X-Blazon-Slug, X-Request-Id',
};
/** On every answer, beside CORS. */
const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' };
/** A year (RFC 6797, section 6.1.1). */
const HTTPS_ONLY = { 'Strict-Transport-Security': 'max-age=31536000' };
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'X-API-Key, Content-Type, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** Here every error is JSON, whatever the client accepts. */
const API_PATH = /^\/(?:v1|auth|iconify)\//;

/** What pages of any origin may ask for. */
const OPEN_PATH = /^\/(?:v1|iconify)\//;

/** Keys have 54 characters, tokens more. */
const LONG_SEGMENT = /\/[^/]{41,}/g;

/** Of throttled routes: a picture waits for no more than these. */
const THROTTLED_REQUESTS_PER_TICK = 4;

export function createHttpApp(options: AppOptions): Koa {
  const { routes, services, identify, responses, log, trustedProxies, isDraining } = options;
  const app = new QuietKoa({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });

  const nextTick = createTickThrottle(THROTTLED_REQUESTS_PER_TICK);
  const allowsCors = corsOf(routes);
  const commonHead = commonHeadOf(options);
  const notFound = createNotFound(options.notFoundPage);
  const startPage = createStartPage(options.startPage);
  const observe = createObserver(options);

  function answer(context: Koa.Context, reply: Reply): void {
    // Node then writes `Connection: close` and ends the connection after this answer.
    if (isDraining() || wantsOtherProtocol(context.req)) context.res.shouldKeepAlive = false;
    write(context, reply, allowsCors(context) ? commonHead.open : commonHead.closed);
    if (reply.pages)
      streamPages(context.req, context.res, reply.pages).catch((error: unknown) =>
        log.error({ err: error, requestId: String(context.state.requestId) }, 'an answer broke off'),
      );
  }

  function failure(context: Koa.Context, error: AppError, ...headers: HeaderFields[]): Reply {
    if (error.code !== 'route_not_found' || API_PATH.test(context.req.url ?? '')) return errorReply(error, ...headers);
    return notFound(error, context.accepts('json', 'html') === 'html', ...headers);
  }

  const dispatch = createRouters(routes, (route) => {
    const serve = serveRoute(route, { services, identify, responses });
    return async (context) => {
      context.state.route = route.path;
      const starting = startPage(route, context);
      if (starting) {
        answer(context, starting);
        return;
      }
      if (isThrottled(route)) {
        await nextTick();
        if (context.req.socket.destroyed)
          throw new AppError('invalid_request', 'The connection was closed before its request was read.');
      }
      const reply = await serve(context);
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
      if (context.respond !== false) answer(context, unrouted(context, allowsCors(context) ? PREFLIGHT : {}));
    } catch (error) {
      if (!(error instanceof AppError))
        log.error({ err: error, requestId, method: req.method, path: pathOf(req) }, 'request failed');
      else if (error.cause !== undefined) log.error({ err: error, requestId }, error.code);
      // What is left of a body that was given up would be taken for the next request.
      const unread = req.complete ? [] : [{ Connection: 'close' }];
      answer(context, failure(context, error instanceof AppError ? error : new AppError('internal_error'), ...unread));
    }
    observe(context, requestId, performance.now() - beganMs);
  });
  app.use(dispatch);
  return app;
}

/** Header fields of every answer; `open`: of those that pages of other origins may read. */
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
      log.info({ requestId, method, path: pathOf(req), status, ms: Math.round(ms * 10) / 10 }, 'answered');
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

/** Routes that took this path, whatever the method; none when the request was rejected before, or nothing is there. */
function matchedLayers(
  context: Koa.Context,
): readonly { readonly path: unknown; readonly methods: readonly string[] }[] {
  return (context.matched ?? []) as readonly { readonly path: unknown; readonly methods: readonly string[] }[];
}

/** Whether pages of other origins may read the answer. */
function corsOf(routes: readonly Route[]): (context: Koa.Context) => boolean {
  const closed = new Set<unknown>(routes.filter(({ cors }) => cors !== true).map(routerPath));
  return (context) => {
    const matched = matchedLayers(context);
    // Where no route is, nor the router was reached, only below the API's own path.
    return matched.length === 0 ? OPEN_PATH.test(context.req.url ?? '') : !matched.some(({ path }) => closed.has(path));
  };
}

/** No route took it: a preflight, a wrong method, or an unknown path. */
function unrouted(context: Koa.Context, preflight: HeaderFields): Reply {
  const matched = matchedLayers(context);
  if (matched.length === 0) throw new AppError('route_not_found');
  const allow = [...new Set(matched.flatMap(({ methods }) => methods)), 'OPTIONS'].sort().join(', ');
  if (context.method === 'OPTIONS') {
    return { kind: 'reply', status: 204, headers: [preflight, { Allow: allow }], body: null };
  }
  return errorReply(new AppError('method_not_allowed', `${context.method} is not for this path; allowed: ${allow}.`), {
    Allow: allow,
  });
}

/** Names and values in turn, by their fields: most of them are of an answer that is sent again and again. */
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
function write(context: Koa.Context, { status, headers: groups, body, pages }: Reply, common: readonly string[]): void {
  context.respond = false;
  const { res, req } = context;
  const head: string[] = [];
  for (const fields of groups) head.push(...pairsOf(fields));
  head.push('X-Request-Id', String(context.state.requestId), ...common);
  const byteLength = body ? Buffer.byteLength(body) : 0;
  if (status !== 304 && status !== 204 && body !== undefined) head.push('Content-Length', String(byteLength));
  res.writeHead(status, head);
  if (pages) return;
  if (!body || req.method === 'HEAD') res.end();
  // Text that is all ASCII (most SVG and JSON) needs no UTF-8 encoder.
  else if (typeof body === 'string') res.end(body, byteLength === body.length ? 'latin1' : 'utf8');
  else res.end(body);
}
