// Router: the middleware of each route, and responses to unmatched paths and methods.
import Router, { type RouterMiddleware } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { AppError } from '../platform/errors.js';
import { startPage, type StartPage } from '../catalog/start-page.routes.js';
import type { RouteUploads } from '../platform/http/request/binary-body.js';
import { createUploadMemory } from '../platform/http/request/upload-memory.js';
import { UploadSlots } from '../platform/http/request/upload-slots.js';
import { errorReply } from '../platform/http/response/reply.js';
import { isMetered, type Route } from '../platform/http/route.js';
import { serveRoute, type ServedRoute } from './serve-route.js';
import { createThrottle } from './throttle.js';
import { createAddressCache, UrlReader } from './url-reader.js';

export interface RouterOptions extends Omit<ServedRoute, 'route' | 'urls' | 'uploads'> {
  readonly routes: readonly Route[];
  /**
   * Memory limits in bytes for all routes together. `uploadBytes`: unfinished uploads. `addressBytes`: cached parsed
   * URLs.
   */
  readonly bounds: { readonly uploadBytes: number; readonly addressBytes: number };
  /** Page that replaces all other pages until the catalog is imported; undefined if there is no replacement. */
  readonly startPage?: StartPage;
}

/**
 * Maximum number of throttled requests per tick of the event loop. A picture request waits for at most this many
 * throttled requests.
 */
const THROTTLED_REQUESTS_PER_TICK = 4;

/**
 * Creates one router per path prefix, such as `/v1/svg` or `/iconify`, because a router compares a path with all its
 * routes. With a single router for all hundred routes, a small response would take 20 % longer. The service could then
 * not reach its performance goal, which is 0.8 times the request rate of Iconify's API.
 */
export function createRouter(options: RouterOptions): Middleware {
  const routers = new Map<string, Router>();
  const middlewareOf = createRouteMiddleware(options);
  for (const route of options.routes) {
    const [first, both] = beginningsOf(route.path);
    const beginning = both.includes('{') ? first : both;
    const router = routers.get(beginning) ?? new Router({ strict: true, sensitive: true });
    routers.set(beginning, router);
    router.register(routerPath(route), [route.method], middlewareOf(route));
  }
  const dispatchers = new Map([...routers].map(([beginning, router]) => [beginning, router.routes() as Middleware]));
  return async (context, next) => {
    const [first, both] = beginningsOf(context.path);
    const dispatch = dispatchers.get(both) ?? dispatchers.get(first);
    await (dispatch ? dispatch(context, next) : next());
  };
}

/** Returns the first segment of a path, and its first two segments. Either may be the prefix of a router. */
function beginningsOf(path: string): readonly [string, string] {
  const [, first = '', second = ''] = path.split('/', 3);
  return [first, `${first}/${second}`];
}

function createRouteMiddleware(options: RouterOptions): (route: Route) => RouterMiddleware[] {
  const addresses = createAddressCache(options.bounds.addressBytes);
  const uploadsOf = createUploads(options.bounds.uploadBytes);
  const throttle = createThrottle(THROTTLED_REQUESTS_PER_TICK);
  return (route) => [
    named(route),
    ...(options.startPage && isHtmlPage(route) ? [startPage(options.startPage)] : []),
    ...(isThrottled(route) ? [throttle] : []),
    serve({ ...options, route, urls: new UrlReader(route, addresses), uploads: uploadsOf(route) }),
  ];
}

/** Returns the route's path in the syntax of Koa's router. */
export function routerPath({ path }: Pick<Route, 'path'>): string {
  return path.replaceAll(/\{(\+?)(\w+)\}/g, (_, plus: string, name: string) => (plus === '' ? ':' : '*') + name);
}

function createUploads(maxBytes: number): (route: Route) => RouteUploads | undefined {
  const memory = createUploadMemory({ maxBytes, now: () => performance.now() });
  return (route) => ('binary' in route ? { memory, slots: new UploadSlots(route.binary.slots) } : undefined);
}

function named({ path }: Route): Middleware {
  return (context, next) => {
    context.state.route = path;
    return next();
  };
}

function serve(served: ServedRoute): RouterMiddleware {
  return async (context) => {
    context.state.reply = await serveRoute(served, context);
  };
}

function isHtmlPage({ page, responses }: Route): boolean {
  return page === true && responses[200]?.media === 'text/html';
}

/** Returns true if the route is throttled: it has the field `throttled`, or its requests cost more than one token. */
function isThrottled(route: Route): boolean {
  return route.throttled ?? (isMetered(route) && route.cost !== 1);
}

/**
 * Returns the routes with a matching path, for any method. Returns no routes if the request was rejected before the
 * router.
 */
export function matchedRoutes(context: Context): readonly Layer[] {
  return (context.matched ?? []) as readonly Layer[];
}

interface Layer {
  readonly path: unknown;
  readonly methods: readonly string[];
}

/** Middleware after the router: responds to OPTIONS, a wrong method, and an unknown path. */
export const unrouted: Middleware = (context) => {
  const matched = matchedRoutes(context);
  if (matched.length === 0) throw new AppError('route_not_found');
  const allow = [...new Set(matched.flatMap(({ methods }) => methods)), 'OPTIONS'].sort().join(', ');
  context.state.reply =
    context.method === 'OPTIONS'
      ? { kind: 'reply', status: 204, headers: [{ Allow: allow }], body: null }
      : errorReply(
          new AppError('method_not_allowed', `${context.method} is not supported for this path; allowed: ${allow}.`),
          {
            Allow: allow,
          },
        );
};
