// /docs in a real browser: readable, served from here alone, and its try-it works.
import { expect } from 'chai';
import { wcagContrast } from 'culori';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openPage, type OpenedPage } from '../support/browser.js';
import { startServer, type TestServer } from '../support/server.js';

describe('/docs in a browser', () => {
  let server: TestServer;
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(60_000);
    browser = await launchBrowser(this);
    server = await startServer();
  });
  after(async () => {
    await browser?.close();
    if (browser) await server.close();
  });

  async function open(options: { width?: number; colorScheme?: 'light' | 'dark' } = {}): Promise<OpenedPage> {
    const opened = await openPage(browser!, server.base, { path: '/docs', ...options });
    await opened.page.locator('.opblock').first().waitFor();
    return opened;
  }

  it('shows every route of the document, asks nobody else, and has no fault', async () => {
    const { page, faults } = await open();
    const document = (await (await fetch(`${server.base}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = Object.values(document.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
    expect(await page.locator('.opblock').count()).to.equal(operations);
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  /** Authorizes, tries the PNG route as it stands, and waits for its picture. */
  async function tryPicture(page: Page): Promise<Locator> {
    await page.locator('.btn.authorize').first().click();
    // The dialog opens in the key's field.
    await page.locator('.modal-ux input:focus').waitFor();
    await page.keyboard.type(await server.key());
    await page.keyboard.press('Enter');
    await page.locator('.modal-ux .btn-done').first().click();
    const operation = page.locator('#operations-Images-getV1PngBySlug');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').click();
    const picture = operation.locator('.response-col_description img');
    await picture.waitFor();
    return picture;
  }

  it('tries a request with a key and shows the picture', async () => {
    const { page, faults } = await open();
    const picture = await tryPicture(page);
    expect(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).to.equal(256);
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  it('shows pictures on a ground from which black and white both stand out', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open({ colorScheme });
      await tryPicture(page);
      const ground = String(
        await page.evaluate(
          "getComputedStyle(document.querySelector('.response-col_description img')).backgroundImage",
        ),
      );
      const colors = ground.match(/rgba?\([^)]+\)|transparent/g) ?? [];
      expect(colors).to.have.length.of.at.least(2);
      for (const color of colors)
        for (const logo of ['#181717', '#fff']) expect(wcagContrast(color, logo), `${logo} on ${color}`).to.be.above(3);
      await page.close();
    }
  });

  it('follows the dark scheme, and fits a phone', async () => {
    const lightness = async (page: Page) => {
      const [red = 0, green = 0, blue = 0] = String(
        await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      )
        .match(/\d+/g)!
        .map(Number);
      return (red + green + blue) / 3;
    };
    const light = await open();
    const dark = await open({ colorScheme: 'dark' });
    expect(await lightness(light.page)).to.be.above(200);
    expect(await lightness(dark.page)).to.be.below(60);
    const phone = await open({ width: 390 });
    await phone.page.locator('.opblock-summary-control').nth(1).click();
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    for (const { page } of [light, dark, phone]) await page.close();
  });

  it('can be used with the keyboard', async () => {
    const { page } = await open();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the reference');
    for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Tab');
    expect(
      await page.evaluate("document.activeElement.closest('.opblock, .opblock-tag, .scheme-container') !== null"),
    ).to.equal(true);
    await page.locator('.opblock-summary-control').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.opblock.is-open').first().waitFor();
    await page.close();
  });
});
