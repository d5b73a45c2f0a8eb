// Pages show the progress of the first import. After the import, they show their own content.
import { expect } from 'chai';
import { DASHBOARD_PAGES } from '../../../src/platform/http/pages/pages.routes.js';
import { publishEntries } from '../../support/catalog-imports.js';
import { startServer, type TestServer } from '../../support/server.js';

/** `Accept` header that Chromium sends for a typed URL. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const PAGES = [...Object.keys(DASHBOARD_PAGES).map((path) => path.replace('{slug}', 'github')), '/docs'];

describe('pages before there is a catalog', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({}, Date.now, 'none');
  });
  afterEach(() => server.close());

  const open = (path: string) => server.get(path, undefined, { Accept: BROWSER });

  it('answer 503 with Retry-After, and load only files of this service', async () => {
    for (const path of PAGES) {
      const response = await open(path);
      expect(response.status, path).to.equal(503);
      expect(response.headers.get('retry-after')).to.match(/^\d+$/);
      expect(response.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(response.headers.get('vary')).to.equal('Accept');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'").and.not.include('unsafe');
      const html = await response.text();
      expect(html).to.include('<h1>Blazon is starting</h1>');
      expect(html).to.not.match(/<script(?![^>]* src=)|<style|style=|\son\w+="|(?:src|href)="(?:https?:)?\/\//);
      for (const [, file = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g))
        expect((await server.get(file)).status, file).to.equal(200);
    }
  });

  it('answer a program with JSON, and HEAD with no body', async () => {
    for (const accept of ['application/json', '*/*']) {
      const response = await server.get('/', undefined, { Accept: accept });
      expect(response.status).to.equal(503);
      expect(response.headers.get('retry-after')).to.match(/^\d+$/);
      expect(response.headers.get('vary')).to.equal('Accept');
      expect(await response.json()).to.have.property('error', 'unavailable');
    }
    const head = await fetch(`${server.base}/`, { method: 'HEAD', headers: { Accept: BROWSER } });
    expect(head.status).to.equal(503);
    expect(await head.text()).to.equal('');
  });

  it('do not affect the other routes', async () => {
    for (const path of ['/healthz', '/openapi.json', '/favicon.ico'])
      expect((await open(path)).status, path).to.equal(200);
    const ready = await open('/readyz');
    expect(ready.status).to.equal(503);
    expect(await ready.json())
      .to.have.nested.property('checks.catalog')
      .that.includes('empty');
    const picture = await server.get('/v1/svg/github', await server.key(), { Accept: BROWSER });
    expect(picture.status).to.equal(503);
    expect(await picture.json()).to.have.property('error', 'unavailable');
    expect((await open('/nothing')).status).to.equal(404);
  });

  it('show what is counted, and the progress of the import', async () => {
    server.service.showImport({ phase: 'read', source: 'package:simple-icons', done: 5210, total: 14_172 });
    const html = await (await open('/')).text();
    expect(html).to.include('5,210 of 14,172 icons read').and.include('33 %');
    expect(html).to.match(/<progress [^>]*\bvalue="33"/);
  });

  it('have no counts while another process imports', async () => {
    server.service.showImport({ phase: 'elsewhere' });
    const html = await (await open('/')).text();
    expect(html).to.include('another process is importing the catalog').and.not.include('%');
    expect(html)
      .to.match(/<progress /)
      .and.not.match(/\bvalue=/);
  });

  it('reload in a browser without scripts, and then are the requested pages', async () => {
    for (const path of ['/', '/catalog/github?from=mail', '/docs']) {
      const html = await (await open(path)).text();
      // The refresh has no URL. The browser therefore reloads the requested URL, including query and fragment.
      expect(html).to.match(/<noscript>\s*<meta http-equiv="refresh" content="\d+" \/>\s*<\/noscript>/);
    }
    await publishEntries(server.stores.catalog, []);
    await server.service.refreshCatalog();
    for (const path of PAGES) {
      const response = await open(path);
      expect(response.status, path).to.equal(200);
      expect(await response.text()).to.include('data-settings=');
    }
  });
});
