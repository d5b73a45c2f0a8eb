// The element <blazon-logo>: it shows the picture for the page's color scheme in a box of the picture's size.
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from 'esbuild';
import { withBrowser } from '../support/browser.js';
import { pageKey } from '../support/page-keys.js';
import { ROOT } from '../support/service-process.js';
import { startServer, type TestServer } from '../support/server.js';

describe('the element <blazon-logo>', function () {
  const browser = withBrowser();
  let server: TestServer;
  let key: string;
  let script: string;
  before(async () => {
    server = await startServer();
    key = (await pageKey(server)).raw;
    const { outputFiles } = await build({
      entryPoints: [join(ROOT, 'dist/src/client/index.js')],
      ...{
        bundle: true,
        format: 'iife',
        globalName: 'blazon',
        footer: { js: 'globalThis.blazon = blazon;' },
        platform: 'browser',
        write: false,
      },
    });
    script = outputFiles[0]!.text;
  });
  // `server` is undefined if the tests were skipped because Chromium is missing.
  after(() => (server as TestServer | undefined)?.close());

  async function shown(html: string, colorScheme: 'light' | 'dark') {
    const page = await browser().newPage({ colorScheme });
    await page.goto(`${server.base}/docs`);
    const found = await page.evaluate(
      `(async () => {
        document.body.innerHTML = ${JSON.stringify(html)};
        (0, eval)(${JSON.stringify(script)});
        blazon.defineLogoElement(${JSON.stringify({ url: server.base, key })});
        const element = document.querySelector('blazon-logo');
        const before = element.getBoundingClientRect();
        const image = element.shadowRoot.querySelector('img');
        await new Promise((resolve) => (image.complete ? resolve() : (image.onload = image.onerror = resolve)));
        const after = element.getBoundingClientRect();
        return { address: image.currentSrc, drawn: image.naturalWidth > 0, alt: image.alt, sizes: [before.width, before.height, after.width, after.height] };
      })()`,
    );
    await page.close();
    return found as { address: string; drawn: boolean; alt: string; sizes: number[] };
  }

  for (const scheme of ['light', 'dark'] as const)
    it(`shows a logo on ${scheme} pages`, async () => {
      const { address, drawn, alt, sizes } = await shown(
        '<blazon-logo domain="github.com" size="48"></blazon-logo>',
        scheme,
      );
      expect(address).to.include(`/v1/logo/github.com?`).and.include(`on=${scheme}`);
      expect({ drawn, alt, sizes }).to.deep.equal({ drawn: true, alt: 'github.com', sizes: [48, 48, 48, 48] });
    });

  it('takes a size from 8 to 2048 px, and has 32 px otherwise', async () => {
    for (const [size, px] of [
      ['8', 8],
      ['2048', 2048],
      ['7', 32],
      ['2049', 32],
      ['9.5', 32],
      ['large', 32],
    ] as const)
      expect(
        (await shown(`<blazon-logo slug="figma" size="${size}"></blazon-logo>`, 'light')).sizes,
        size,
      ).to.deep.equal([px, px, px, px]);
    expect((await shown('<blazon-logo slug="figma"></blazon-logo>', 'light')).sizes).to.deep.equal([32, 32, 32, 32]);
  });

  it('shows initials for unknown domains, and entries by slug', async () => {
    expect((await shown('<blazon-logo domain="no-such-brand.example.com"></blazon-logo>', 'light')).drawn).to.equal(
      true,
    );
    expect((await shown('<blazon-logo slug="figma" alt="Figma"></blazon-logo>', 'light')).alt).to.equal('Figma');
  });
});
