// Badges in a browser, embedded in a page and opened directly. With any label, they are visible and run no script.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { withBrowser } from '../support/browser.js';
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

/** Script that returns facts about the document. `active`: number of elements that run or load something. */
const SHOWN_IN_PAGE = `({
  root: document.documentElement.tagName,
  active: document.querySelectorAll('script, image, foreignObject, a, style').length,
  handlers: [...document.querySelectorAll('*')]
    .flatMap(({ attributes }) => [...attributes].map(({ name }) => name))
    .filter((name) => name.startsWith('on')),
  texts: [...document.querySelectorAll('text')].map(({ textContent }) => textContent),
})`;
const sizeInPage = (url: string): string => `(async () => {
  const image = new Image();
  image.src = ${JSON.stringify(url)};
  await image.decode();
  return [image.naturalWidth, image.naturalHeight];
})()`;

describe('a badge in a browser', function () {
  const browser = withBrowser();
  let server: TestServer;
  let page: Page;
  const faults: string[] = [];
  before(async () => {
    server = await startServer();
    page = await browser().newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(server.base)) faults.push(request.url());
    });
    page.on('dialog', (dialog) => {
      faults.push(dialog.message());
      void dialog.dismiss();
    });
  });
  // `server` is undefined if the tests were skipped because Chromium is missing.
  after(() => (server as TestServer | undefined)?.close());

  for (const style of ['flat', 'flat-square'])
    for (const [name, text] of Object.entries(LABELS))
      it(`${style}, label: ${name}`, async () => {
        const label = text.slice(0, 100);
        const url = `${server.base}${BADGE}?hit=0&style=${style}&label=${encodeURIComponent(label)}`;
        await page.goto(url);
        const { texts, ...others } = await page.evaluate<{ texts: string[] }>(SHOWN_IN_PAGE);
        expect(others).to.deep.equal({ root: 'svg', active: 0, handlers: [] });
        expect(new Set(texts)).to.deep.equal(new Set(label === '' ? ['0'] : [label.trim(), '0']));
        expect(await page.title()).to.not.equal('broken');

        await page.goto(`${server.base}/favicon.ico`);
        const [width, height] = await page.evaluate<[number, number]>(sizeInPage(url));
        expect(height).to.equal(20);
        expect(width).to.be.within(label === '' ? 15 : 40, 1400);
        expect(faults).to.deep.equal([]);
      });
});
