// Middleware: cross-origin access (CORS) of each path, derived from its routes.
import type { Context, Middleware } from 'koa';
import { schemesOf } from '../platform/http/openapi/route-errors.js';
import type { HeaderFields } from '../platform/http/response/reply.js';
import { isMetered, type MeteredRoute, type Route } from '../platform/http/route.js';
import { matchedRoutes, routerPath } from './router.js';

/**
 * Sent with every response, even if the request has no `Origin`: a browser may reuse a response that it cached without
 * one. Sending these headers on demand would need `Vary: Origin`, and so halve the cache.
 */
const CORS: HeaderFields = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Disposition, Content-Location, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Blazon-Fallback, X-Blazon-Slug, X-Request-Id',
};

/** Unmatched paths get CORS headers only below these prefixes. */
const OPEN_PATH = /^\/(?:v1|iconify|compat|r)\//;
/** Headers that clients may send to any route. */
const COMMON_HEADERS = ['X-API-Key', 'X-Request-Id'];
/** One day; browsers enforce lower limits. */
const MAX_AGE_SECONDS = 86_400;

export function createCors(routes: readonly Route[]): Middleware {
  const closed = new Set<unknown>(routes.filter(({ cors }) => cors !== true).map(routerPath));

  /** Returns true if pages of other origins may read the response. */
  function isOpen(context: Context): boolean {
    const matched = matchedRoutes(context);
    return matched.length === 0 ? OPEN_PATH.test(context.req.url ?? '') : !matched.some(({ path }) => closed.has(path));
  }

  function preflightHeaders(context: Context): HeaderFields {
    const paths = new Set(matchedRoutes(context).map(({ path }) => path));
    const matched = routes.filter((route) => paths.has(routerPath(route)));
    return {
      'Access-Control-Allow-Methods': listOf(matched.flatMap(methodsOf)),
      'Access-Control-Allow-Headers': listOf([...COMMON_HEADERS, ...matched.flatMap(requestHeadersOf)]),
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    };
  }

  return async (context, next) => {
    await next();
    if (!isOpen(context)) return;
    context.state.headers.push(CORS);
    if (context.req.method === 'OPTIONS' && context.state.reply.status === 204)
      context.state.headers.push(preflightHeaders(context));
  };
}

const listOf = (names: readonly string[]): string => [...new Set(names)].sort().join(', ');

function methodsOf({ method }: Route): readonly string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** Returns the route's request headers that make a browser send a preflight request first. */
function requestHeadersOf(route: Route): readonly string[] {
  const schemes = schemesOf(route);
  // Clients of a compatible API send that API's credential.
  const isForeign = isMetered(route) && route.isForeign === true;
  const takesToken = isForeign || schemes.includes('bearer') || schemes.includes('bearerKey');
  const takesBody = route.body !== undefined || route.auth === 'signature' || ('binary' in route && route.binary);
  return [
    ...(takesToken ? ['Authorization'] : []),
    ...(takesBody ? ['Content-Type'] : []),
    ...conditionsOf(route.method),
    ...(isMetered(route) ? protocolHeadersOf(route) : []),
  ];
}

function protocolHeadersOf({ versionHeader, ignoredHeaders = [] }: MeteredRoute): readonly string[] {
  return versionHeader ? [versionHeader.name, ...ignoredHeaders] : ignoredHeaders;
}

function conditionsOf(method: Route['method']): readonly string[] {
  if (method === 'GET') return ['If-Modified-Since', 'If-None-Match'];
  return method === 'POST' ? [] : ['If-Match', 'If-None-Match'];
}
