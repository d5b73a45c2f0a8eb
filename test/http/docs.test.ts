// GET /docs, /openapi.json: conditional requests, and unknown files.
import { expect } from 'chai';
import { docsRoutes } from '../../src/http/routes/docs.js';
import { createClient } from '../../src/services/accounts/client-info.js';
import { startServer, type TestServer } from '../support/server.js';

const NOBODY = createClient({
  address: '',
  rateLimitKey: '',
  fairnessKey: '',
  userAgent: undefined,
  deviceToken: undefined,
});

describe('the documents over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  it('answer 304 to a client that has them', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/blazon.css', '/docs/swagger-ui.css', '/docs/blazon.svg']) {
      const first = await server.get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag, path).to.match(/^"[0-9a-f]{32}"$/);
      expect((await first.arrayBuffer()).byteLength).to.be.above(100);
      const again = await server.get(path, undefined, { 'If-None-Match': etag });
      expect(again.status, path).to.equal(304);
      expect(again.headers.get('etag')).to.equal(etag);
      expect(again.headers.get('cache-control')).to.equal(first.headers.get('cache-control'));
      expect((await server.get(path, undefined, { 'If-None-Match': '"other"' })).status).to.equal(200);
    }
  });

  it('are read once for all requests that arrive before the first response', async () => {
    const route = docsRoutes(() => ({})).find(({ path }) => path === '/docs/{file}')!;
    if (route.auth !== 'none') throw new Error('the page is for everybody');
    const { handle } = route;
    const call = {
      params: { file: 'swagger-ui-bundle.js' },
      query: {},
      body: {},
      url: '/docs/swagger-ui-bundle.js',
      client: NOBODY,
    };
    const answers = await Promise.all(Array.from({ length: 100 }, async () => handle(call)));
    expect(new Set(answers).size).to.equal(1);
    expect(new Set([handle(call), handle(call)]).size).to.equal(1);
  });

  it('answer 404 for an unknown file', async () => {
    for (const path of ['/docs/nothing.js', '/docs/toString', '/docs/..%2Fpackage.json']) {
      const response = await server.get(path);
      expect(response.status, path).to.equal(404);
      expect(await response.json()).to.have.property('error', 'route_not_found');
    }
  });
});
