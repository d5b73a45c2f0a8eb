// /docs and /openapi.json without a browser: tags, and what is not there.
import { expect } from 'chai';
import { startServer, type TestServer } from '../support/server.js';

describe('the documents over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  it('are not sent again to a client that has them', async () => {
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

  it('say 404 to a file that the page does not have', async () => {
    for (const path of ['/docs/nothing.js', '/docs/toString', '/docs/..%2Fpackage.json']) {
      const response = await server.get(path);
      expect(response.status, path).to.equal(404);
      expect(await response.json()).to.have.property('error', 'route_not_found');
    }
  });
});
