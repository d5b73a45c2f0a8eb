// Favicons and strips as images in a page, with a light and a dark color scheme.
import { expect } from 'chai';
import { withBrowser } from '../support/browser.js';
import { pageKey } from '../support/page-keys.js';
import { startServer, type TestServer } from '../support/server.js';

interface Shown {
  readonly width: number;
  readonly height: number;
  /** Mean brightness of the visible pixels, 0..255. */
  readonly brightness: number;
}

/** Returns a script that draws the picture in the page and measures its pixels. */
const shownInPage = (url: string): string => `(async () => {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = ${JSON.stringify(url)};
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [64, 64];
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0, 64, 64);
  const { data } = context.getImageData(0, 0, 64, 64);
  let [sum, count] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] < 200) continue;
    sum += (data[at] + data[at + 1] + data[at + 2]) / 3;
    count += 1;
  }
  return { width: image.naturalWidth, height: image.naturalHeight, brightness: sum / count };
})()`;

describe('icons of a site in a browser', function () {
  const browser = withBrowser();
  let server: TestServer;
  let key: string;
  before(async () => {
    server = await startServer();
    key = (await pageKey(server)).raw;
  });
  // `server` is undefined if the tests were skipped because Chromium is missing.
  after(() => (server as TestServer | undefined)?.close());

  async function shown(path: string, colorScheme: 'light' | 'dark'): Promise<Shown> {
    const page = await browser().newPage({ colorScheme });
    await page.goto(`${server.base}/docs`);
    const url = `${server.base}/v1/${path}${path.includes('?') ? '&' : '?'}key=${key}`;
    const picture = await page.evaluate<Shown>(shownInPage(url));
    await page.close();
    return picture;
  }

  it('shows the ICO file', async () => {
    const { width, height, brightness } = await shown('favicon/github/favicon.ico', 'light');
    expect([16, 32, 48]).to.include(width);
    expect(height).to.equal(width);
    expect(brightness).to.be.lessThan(60);
  });

  for (const path of ['favicon/github/icon.svg', 'strip?icons=github'])
    it(`shows ${path} dark by day and light by night`, async () => {
      expect((await shown(path, 'light')).brightness).to.be.lessThan(60);
      expect((await shown(path, 'dark')).brightness).to.be.greaterThan(200);
    });
});
