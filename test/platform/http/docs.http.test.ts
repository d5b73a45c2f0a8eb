// /docs and /openapi.json without a browser: entity tags, the icon, and responses for unknown URLs.
import { expect } from 'chai';
import { pageFile } from '../../../src/platform/http/pages/page-files.js';
import { someClient } from '../../support/pictures.js';
import { suiteServer } from '../../support/server.js';

/** `Accept` header that Chromium sends for a typed URL. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

describe('the documents over HTTP', () => {
  const server = suiteServer();

  it('answer 304 to a client that has them', async () => {
    const files = ['example.svg', 'example.webp', 'example.png'].map((name) => `/docs/${name}`);
    for (const path of ['/openapi.json', '/llms.txt', '/docs', '/favicon.ico', '/', '/reset-password', ...files]) {
      const first = await server.get(path);
      const etag = first.headers.get('etag') ?? '';
      expect(etag, path).to.match(/^"[0-9a-f]{32}(-gz)?"$/);
      expect((await first.arrayBuffer()).byteLength).to.be.above(100);
      const again = await server.get(path, undefined, { 'If-None-Match': etag });
      expect(again.status, path).to.equal(304);
      expect(again.headers.get('etag')).to.equal(etag);
      expect(again.headers.get('cache-control')).to.equal(first.headers.get('cache-control'));
      expect((await server.get(path, undefined, { 'If-None-Match': '"other"' })).status).to.equal(200);
    }
  });

  it('share their bytes among all connections', async () => {
    const file = pageFile('assets/example.png');
    const [one, other] = [await file.make(someClient()), await file.make(someClient())];
    expect(one.body).to.be.instanceOf(Buffer).and.equal(other.body);
  });

  it('name the document if scripts are disabled', async () => {
    expect(await (await server.get('/docs')).text()).to.match(/<noscript>[^]*href="\/openapi\.json"[^]*<\/noscript>/);
  });

  it('have an icon of three sizes, which is cached, public and not in the document', async () => {
    const icon = await server.get('/favicon.ico');
    expect(icon.headers.get('content-type')).to.equal('image/x-icon');
    expect(icon.headers.get('cache-control')).to.equal('public, max-age=86400');
    const bytes = Buffer.from(await icon.arrayBuffer());
    expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).to.deep.equal([1, 3]);
    const { paths } = (await (await server.get('/openapi.json')).json()) as { paths: object };
    expect(paths).not.to.have.property('/favicon.ico');
  });

  it('include a text for agents that names every route and stays short', async () => {
    const answer = await server.get('/llms.txt');
    expect(answer.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    const text = await answer.text();
    expect(text).to.match(/^# Blazon\n\n> [^\n]+\n\n/);
    const { paths } = (await (await server.get('/openapi.json')).json()) as { paths: Record<string, object> };
    for (const [path, operations] of Object.entries(paths))
      for (const method of Object.keys(operations)) expect(text).to.include(`[${method.toUpperCase()} ${path}](`);
    expect(text.length).to.be.lessThan(40_000);
    expect(text.indexOf('GET /v1/strip]')).to.be.lessThan(text.indexOf('## Optional'));
  });

  describe('where nothing is', () => {
    for (const path of ['/nothing', '/docs/nothing.js', '/docs/toString', '/docs/..%2Fpackage.json']) {
      it(`answers 404 with a page to a browser, else with JSON: ${path}`, async () => {
        const page = await server.get(path, undefined, { Accept: BROWSER });
        expect(page.status).to.equal(404);
        expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
        expect(page.headers.get('cache-control')).to.equal('no-store');
        expect(page.headers.get('vary')).to.equal('Accept');
        expect(page.headers.get('content-security-policy')).to.include("default-src 'none'");
        expect(await page.text())
          .to.include('href="/docs"')
          .and.not.include(path);
        for (const accept of [
          '*/*',
          'application/json',
          'application/json, text/html;q=0.9',
          'text/html;q=0',
          'image/png',
          '?',
        ]) {
          const json = await server.get(path, undefined, { Accept: accept });
          expect(json.status).to.equal(404);
          expect(json.headers.get('vary')).to.equal('Accept');
          expect(await json.json(), accept).to.have.property('error', 'route_not_found');
        }
      });
    }

    it('answers 404 with JSON below /v1 and /auth for any Accept header', async () => {
      for (const [path, origin] of [
        ['/v1/nothing', '*'],
        ['/auth/nothing', null],
      ] as const) {
        const response = await server.get(path, undefined, { Accept: BROWSER });
        expect([response.status, response.headers.get('access-control-allow-origin')]).to.deep.equal([404, origin]);
        expect(await response.json()).to.have.property('error', 'route_not_found');
      }
    });

    it('answers HEAD with the headers of GET, and no body', async () => {
      const get = await server.get('/nothing', undefined, { Accept: BROWSER });
      const head = await fetch(`${server.base}/nothing`, { method: 'HEAD', headers: { Accept: BROWSER } });
      expect(head.status).to.equal(404);
      expect(head.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(await head.text()).to.equal('');
      for (const name of ['content-type', 'content-length', 'vary', 'cache-control'])
        expect(head.headers.get(name), name).to.equal(get.headers.get(name));
    });

    it('answers other errors to a browser with JSON', async () => {
      const response = await server.get('/v1/svg/github', undefined, { Accept: BROWSER });
      expect(response.status).to.equal(401);
      expect(await response.json()).to.have.property('error', 'invalid_api_key');
    });
  });
});
