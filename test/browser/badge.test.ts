// Badges in a browser: they render in a page and as documents, whatever their label, and run no script.
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { startServer, type TestServer } from '../support/server.js';

const BADGE = '/v1/public/visitor-counter/example/badge.svg';
const LABELS: Readonly<Record<string, string>> = {
  usual: 'visitors',
  long: 'A label of the greatest length, which has a hundred characters, so that the badge is as wide as it gets.',
  empty: '',
  'right-to-left': 'זוּגוֹת מבקרים',
  mixed: 'زوار github.com \u202eabc',
  wide: '訪問者数 👩‍👩‍👧‍👦',
  script: '<script>document.title = "broken"</script>',
  attribute: '" onload="document.title=\'broken\'" x="',
  element: '</text></g><image href="x" onerror="document.title=\'broken\'"/>',
  entity: '&lt;b&gt; &amp; &#60;script&#62;',
};

describe('a badge in a browser', function () {
  this.timeout(60_000);
  let browser: Browser | undefined;
  let server: TestServer;
  before(async function () {
    browser = await launchBrowser(this);
    server = await startServer();
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });

  for (const style of ['flat', 'flat-square'])
    for (const [name, label] of Object.entries(LABELS))
      it(`${style}, label: ${name}`, async () => {
        const page = await browser!.newPage();
        const foreign: string[] = [];
        page.on('request', (request) => {
          if (!request.url().startsWith(server.base)) foreign.push(request.url());
        });
        page.on('dialog', (dialog) => {
          foreign.push(dialog.message());
          void dialog.dismiss();
        });
        const url = `${server.base}${BADGE}?hit=0&style=${style}&label=${encodeURIComponent(label.slice(0, 100))}`;
        await page.goto(url);
        const shown = await page.evaluate(() => ({
          root: document.documentElement.tagName,
          scripts: document.querySelectorAll('script, image, foreignObject, a, style').length,
          handlers: [...document.querySelectorAll('*')].flatMap(({ attributes }) =>
            [...attributes].map(({ name: attribute }) => attribute).filter((attribute) => attribute.startsWith('on')),
          ),
          texts: [...document.querySelectorAll('text')].map(({ textContent }) => textContent),
        }));
        expect(shown.root).to.equal('svg');
        expect(shown.scripts).to.equal(0);
        expect(shown.handlers).to.deep.equal([]);
        expect(shown.texts).to.include('0');
        if (label !== '') expect(shown.texts).to.include(label.slice(0, 100).trim());
        else expect(new Set(shown.texts)).to.deep.equal(new Set(['0']));

        await page.goto(`${server.base}/favicon.ico`);
        const size = await page.evaluate(async (source) => {
          const image = new Image();
          image.src = source;
          await image.decode();
          return [image.naturalWidth, image.naturalHeight];
        }, url);
        expect(size[1]).to.equal(20);
        expect(size[0]).to.be.within(label === '' ? 15 : 40, 1400);
        expect(foreign).to.deep.equal([]);
        await page.close();
      });
});
