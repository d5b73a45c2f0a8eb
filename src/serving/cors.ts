// Middleware: headers for cross-origin access (CORS), depending on the routes of the path.
import type { Context, Middleware } from 'koa';
import { schemesOf } from '../platform/http/openapi/route-errors.js';
import type { HeaderFields } from '../platform/http/response/reply.js';
import { isMetered, type MeteredRoute, type Route } from '../platform/http/route.js';
import { matchedRoutes, routerPath } from './router.js';

/**
 * Headers of every response that pages of other origins may read. They are sent even if the request has no `Origin`,
 * because a browser may reuse a cached response for a cross-origin request. Sending them only on demand would need
 * `Vary: Origin`, which would halve the effect of caches.
 */
const CORS: HeaderFields = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Content-Disposition, Content-Location, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Blazon-Fallback, X-Blazon-Slug, X-Blazon-Source, X-Request-Id',
};

/** Path prefixes. Below these prefixes, responses to unmatched paths also have CORS headers. */
const OPEN_PATH = /^\/(?:v1|iconify|compat|r)\//;
const COMMON_HEADERS = ['X-API-Key', 'X-Request-Id'];
/** Cache lifetime of a preflight response in seconds: one day. Browsers reduce it to their own maximum. */
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

/** Returns the request headers of this route that make browsers send a preflight request. */
function requestHeadersOf(route: Route): readonly string[] {
  const schemes = schemesOf(route);
  // A foreign route imitates the API of another service. Its clients send the credential of that service, often in
  // `Authorization`.
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
