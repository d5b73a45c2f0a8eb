// Iconify's components in a browser. With one line of configuration, they load brands and an imported set from Blazon.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { withBrowser } from '../support/browser.js';
import { importIconSets, SHAPES } from '../support/icon-sets.js';
import { pageKey } from '../support/page-keys.js';
import { startServer, type TestServer } from '../support/server.js';

const BRANDS = ['github', 'docker', 'google', 'k8s', 'npm', 'react', 'vuedotjs', 'typescript', 'python', 'rust'];
const NAMES = [...BRANDS.map((name) => `blazon:${name}`), 'shapes:home', 'shapes:arrow-up', 'shapes:colored'];
const UNKNOWN = ['blazon:no-such-brand', 'shapes:no-such-shape', 'nowhere:home'];

/** The one line of configuration that a web page needs. */
const configure = (from: string): string => `
  import { addAPIProvider } from '${from}';
  addAPIProvider('', { resources: [window.blazon] });
`;
const WEB_COMPONENT = `
  ${configure('iconify-icon')}
  document.body.innerHTML = window.names.map((name) => '<iconify-icon icon="' + name + '"></iconify-icon>').join('');
`;
const REACT = `
  ${configure('@iconify/react')}
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import { Icon } from '@iconify/react';
  const root = document.createElement('main');
  document.body.append(root);
  const icons = (extra) => createElement('div', { style: { color: 'rgb(200, 0, 0)' } },
    [...window.names, ...extra].map((icon, at) => createElement(Icon, { key: at, icon, id: 'i' + at })));
  const app = createRoot(root);
  app.render(icons([]));
  window.again = () => app.render(icons(window.names));
`;

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    // Bundles the React of this project. Without this option, the components would bundle a second copy.
    preserveSymlinks: true,
    format: 'iife',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}

/** Returns the visible drawings, including drawings in shadow trees. */
const SHOWN = `[...document.querySelectorAll('iconify-icon, main svg')].map((element) => {
  const svg = element.tagName === 'svg' ? element : element.shadowRoot?.querySelector('svg');
  return svg === null || svg === undefined ? null : svg.innerHTML.length;
}).filter((size) => size > 0).length`;

describe("Iconify's components in a browser", function () {
  const browser = withBrowser();
  let server: TestServer;
  let pages: Server;
  let address: string;
  const scripts = new Map<string, string>();
  before(async () => {
    server = await startServer({}, Date.now, 'whole');
    await importIconSets(server.stores.catalog, [SHAPES]);
    await server.service.refreshCatalog();
    scripts.set('/web-component.js', await bundle(WEB_COMPONENT));
    scripts.set('/react.js', await bundle(REACT));
    // Serves the pages from another origin, like the websites of Blazon's users.
    pages = createServer((request, response) => {
      const script = scripts.get(request.url ?? '');
      response.setHeader('Content-Type', script === undefined ? 'text/html' : 'text/javascript');
      response.end(script ?? '<!doctype html><title>page</title><body></body>');
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    address = `http://localhost:${(pages.address() as AddressInfo).port}`;
  });
  after(async () => {
    // The servers are undefined if the tests were skipped because Chromium is missing.
    (pages as Server | undefined)?.close();
    await (server as TestServer | undefined)?.close();
  });

  /**
   * Opens a page with these icons. Returns the page, its errors, the paths that it requested, and the status of the
   * first icon response.
   */
  async function open(script: string, key: string, names: readonly string[]) {
    const page = await browser().newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (url.startsWith(`${server.base}/iconify/`))
        asked.push(decodeURIComponent(url.slice(`${server.base}/iconify/${key}`.length)));
      else if (!url.startsWith(address)) faults.push(url);
    });
    const show = async (): Promise<void> => {
      await page.goto(address);
      const facts = JSON.stringify({ blazon: `${server.base}/iconify/${key}`, names });
      await page.evaluate(`Object.assign(window, ${facts})`);
      await page.addScriptTag({ url: script });
    };
    const first = page.waitForResponse(/\.json/);
    await show();
    return { page, show, asked, faults, firstStatus: (await first).status() };
  }

  const untilShown = (page: Page, count: number) =>
    page.waitForFunction(`${SHOWN} === ${count}`, undefined, { timeout: 30_000 });

  for (const script of ['/web-component.js', '/react.js']) {
    describe(script, () => {
      it('renders brands and an imported set, with one request for all icons of a set', async () => {
        const { raw } = await pageKey(server, { origins: ['localhost'] });
        const { page, asked, faults } = await open(script, raw, NAMES);
        await untilShown(page, NAMES.length);
        expect(asked.filter((path) => path.includes('.json'))).to.have.length(2);
        expect(asked.find((path) => path.startsWith('/blazon.json'))?.split(',')).to.have.length(BRANDS.length);
        expect(faults).to.deep.equal([]);
        await page.close();
      });

      it("requests nothing again in the page, and later uses the browser's cache", async () => {
        const { raw, apiKey } = await pageKey(server, { tier: 'free' });
        const { page, show, asked } = await open(script, raw, NAMES);
        await untilShown(page, NAMES.length);
        const before = asked.length;
        if (script === '/react.js') {
          await page.evaluate('window.again()');
          await untilShown(page, 2 * NAMES.length);
          expect(asked).to.have.length(before);
        }
        await show();
        await untilShown(page, NAMES.length);
        const usage = (await (await server.get('/v1/usage', apiKey)).json()) as {
          endpoints: { svg: { used: number } };
        };
        expect(usage.endpoints.svg.used).to.equal(NAMES.length);
        await page.close();
      });

      it('survives unknown names and sets', async () => {
        const { raw } = await pageKey(server);
        const { page, faults } = await open(script, raw, [...UNKNOWN, ...NAMES]);
        await untilShown(page, NAMES.length);
        expect(faults).to.deep.equal([]);
        await page.close();
      });

      it('shows nothing to a page that the key is not for', async () => {
        const { raw } = await pageKey(server, { origins: ['example.com'] });
        const { page, firstStatus } = await open(script, raw, ['blazon:github']);
        expect(firstStatus).to.equal(403);
        expect(await page.evaluate(SHOWN)).to.equal(0);
        await page.close();
      });
    });
  }
});
