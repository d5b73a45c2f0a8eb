// Preflight requests (CORS): the methods and headers that pages of other origins may send to each URL.
import { expect } from 'chai';
import { allRoutes } from '../../support/features.js';
import { suiteServer } from '../../support/server.js';

const OPEN_ROUTES = (await allRoutes({ minPasswordCharacters: 12 })).filter(({ cors }) => cors === true);

/** URL → the methods and headers that its preflight response allows. */
const ALLOWED: Readonly<Record<string, readonly [methods: string, headers: string]>> = {
  '/v1/svg/github': ['GET, HEAD', 'If-Modified-Since, If-None-Match, X-API-Key, X-Request-Id'],
  '/v1/brands/acme': [
    'DELETE, GET, HEAD, PATCH, PUT',
    'Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, X-API-Key, X-Request-Id',
  ],
  '/v1/brands/acme/variants/default': [
    'DELETE, PUT',
    'Authorization, Content-Type, If-Match, If-None-Match, X-API-Key, X-Request-Id',
  ],
  '/v1/subscription/cancel': ['POST', 'Content-Type, X-API-Key, X-Request-Id'],
  '/v1/billing/checkout': ['POST', 'Authorization, Content-Type, X-API-Key, X-Request-Id'],
  '/v1/analytics/usage': ['GET, HEAD', 'Authorization, If-Modified-Since, If-None-Match, X-API-Key, X-Request-Id'],
  '/r/github.json': ['GET, HEAD', 'Authorization, If-Modified-Since, If-None-Match, X-API-Key, X-Request-Id'],
  '/compat/blzp_x/logodev/github.com': [
    'GET, HEAD',
    'Authorization, If-Modified-Since, If-None-Match, X-API-Key, X-Request-Id',
  ],
  '/mcp': [
    'POST',
    'Authorization, Content-Type, Last-Event-ID, MCP-Protocol-Version, Mcp-Session-Id, X-API-Key, X-Request-Id',
  ],
};

describe('preflights', () => {
  const server = suiteServer();
  const preflight = (path: string, method: string) =>
    fetch(server.base + path, {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': method },
    });
  const listIn = ({ headers }: Response, name: string) =>
    headers.get(`access-control-allow-${name}`)?.split(', ') ?? [];

  it('allow the methods and headers of the routes at the path, and no others', async () => {
    for (const [path, [methods, headers]] of Object.entries(ALLOWED)) {
      const response = await preflight(path, 'POST');
      expect([response.status, response.headers.get('access-control-allow-origin')], path).to.deep.equal([204, '*']);
      expect([listIn(response, 'methods').join(', '), listIn(response, 'headers').join(', ')], path).to.deep.equal([
        methods,
        headers,
      ]);
    }
  });

  for (const { method, path, ...route } of OPEN_ROUTES)
    it(`allow ${method} ${path} from every origin`, async () => {
      const response = await preflight(path.replaceAll(/\{\+?\w+\}/g, 'x'), method);
      expect([response.status, response.headers.get('access-control-allow-origin')]).to.deep.equal([204, '*']);
      expect(response.headers.get('access-control-allow-credentials')).to.equal(null);
      expect(listIn(response, 'methods')).to.include(method);
      expect(listIn(response, 'headers')).to.include('X-API-Key');
      if (route.body !== undefined) expect(listIn(response, 'headers')).to.include('Content-Type');
    });

  it('let pages read every header that the document names, except transfer headers', async () => {
    const UNREAD = ['allow', 'content-encoding', 'location', 'vary', 'www-authenticate'];
    // Scripts can always read these response headers (Fetch standard).
    const SAFE = ['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified'];
    const { paths } = (await (await fetch(`${server.base}/openapi.json`)).json()) as {
      readonly paths: Record<string, Record<string, { responses?: Record<string, { headers?: object }> }>>;
    };
    const documented = OPEN_ROUTES.flatMap(({ method, path }) =>
      Object.values(paths[path]?.[method.toLowerCase()]?.responses ?? {}).flatMap(({ headers = {} }) =>
        Object.keys(headers).map((name) => name.toLowerCase()),
      ),
    );
    const { headers } = await fetch(`${server.base}/v1/svg/github`);
    const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
    const readable = new Set([...exposed, ...SAFE, ...UNREAD]);
    expect([...new Set(documented)].filter((name) => !readable.has(name))).to.deep.equal([]);
    expect(documented).to.include('content-disposition');
  });

  it('allow nothing if other origins have no access', async () => {
    for (const path of ['/auth/login', '/auth/me', '/healthz', '/', '/dashboard/svg/github']) {
      const response = await preflight(path, 'POST');
      const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([response.status, names], path).to.deep.equal([204, []]);
    }
  });

  it('are 404 for an unknown path, which pages of other origins may read below the prefixes of the API', async () => {
    for (const [path, origin] of [
      ['/v1/unknown', '*'],
      ['/r/unknown/x', '*'],
      ['/unknown', null],
    ] as const) {
      const response = await preflight(path, 'GET');
      expect([response.status, response.headers.get('access-control-allow-origin')], path).to.deep.equal([404, origin]);
    }
  });
});
