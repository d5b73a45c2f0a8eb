// One good call per route, for the tests that run against all of them.

export interface RouteCall {
  readonly path: string;
  readonly body?: unknown;
}

/** `METHOD path` as in the route list → a call that answers well. */
export const ROUTE_CALLS: Readonly<Record<string, RouteCall>> = {
  'POST /auth/register': { path: '/auth/register', body: { email: 'every-route@example.com', password: 'a long pass phrase' } },
  'GET /v1/svg/{slug}': { path: '/v1/svg/github' },
  'GET /v1/png/{slug}': { path: '/v1/png/github?size=32' },
  'GET /v1/webp/{slug}': { path: '/v1/webp/github?size=32' },
  'GET /v1/catalog/{slug}': { path: '/v1/catalog/github' },
  'POST /v1/catalog/batch': { path: '/v1/catalog/batch', body: { slugs: ['github', 'no-such-brand'] } },
  'GET /v1/search': { path: '/v1/search?q=github' },
  'GET /v1/brand': { path: '/v1/brand?domain=github.com' },
  'GET /v1/usage': { path: '/v1/usage' },
  'GET /healthz': { path: '/healthz' },
  'GET /readyz': { path: '/readyz' },
  'GET /openapi.json': { path: '/openapi.json' },
  'GET /docs': { path: '/docs' },
  'GET /docs/{file}': { path: '/docs/blazon.css' },
  'GET /reset-password': { path: '/reset-password' },
  'GET /verify-email': { path: '/verify-email' },
  'GET /links/{file}': { path: '/links/page.js' },
  'GET /': { path: '/' },
};
