// /docs in a real browser: readable, loaded from this service alone, and its try-it works.
import { expect } from 'chai';
import { wcagContrast } from 'culori';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openPage, type OpenedPage } from '../support/browser.js';
import { startServer, type TestServer } from '../support/server.js';

interface Options {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

const COLOR_SCHEMES = ['light', 'dark'] as const;

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

  async function open(options: Options = {}): Promise<OpenedPage> {
    const opened = await openPage(browser!, server.base, { path: '/docs#tag/images/GET/v1/png/{slug}', ...options });
    await opened.page.getByRole('heading', { name: 'A logo as PNG' }).waitFor();
    return opened;
  }

  const picture = (page: Page, format: string) => page.locator(`section[id$="GET/v1/${format}/{slug}"]`);
  const width = (page: Page) => page.evaluate('document.documentElement.scrollWidth');
  const color = (element: Locator, property: string) =>
    element.evaluate(
      (node, name) =>
        (globalThis as unknown as { getComputedStyle: (of: unknown) => Record<string, string> }).getComputedStyle(node)[
          name
        ]!,
      property,
    );

  /** Opens try-it for the PNG route, gives a key, sends the request as it is, and waits for its picture. */
  async function tryPicture(page: Page, send: (dialog: Locator) => Promise<void>): Promise<Locator> {
    await picture(page, 'png').getByRole('button', { name: 'Test Request' }).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByLabel('Value').first().click();
    await page.keyboard.insertText(await server.key());
    await send(dialog);
    const image = dialog.locator('img[src^="blob:"]');
    await image.waitFor();
    return image;
  }

  const clickSend = (dialog: Locator) => dialog.getByRole('button', { name: /^Send/ }).first().click();

  it('lists every route, images first, loads nothing from elsewhere, and violates no policy', async () => {
    const { page, faults } = await openPage(browser!, server.base, { path: '/docs' });
    await page.getByRole('heading', { name: 'A logo as SVG' }).waitFor();
    const closed = page.getByRole('button', { name: /^Open Group/ });
    while ((await closed.count()) > 1) await closed.first().click();
    const listed = await page.evaluate<string[]>(
      "[...document.querySelectorAll('[data-sidebar-id]')].map((entry) => entry.dataset.sidebarId)",
    );
    const document = (await (await fetch(`${server.base}/openapi.json`)).json()) as { paths: Record<string, object> };
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    const shown = listed.filter((id) => /\/(GET|POST|PATCH|DELETE)\//.test(id));
    expect(shown).to.have.length(operations.length);
    expect(shown[0]).to.match(/GET\/v1\/svg\/\{slug\}$/);
    const orderOf = (tag: string) => listed.findIndex((id) => id.endsWith(`/tag/${tag}`));
    expect(orderOf('images')).to.be.below(orderOf('search')).and.below(orderOf('catalog'));
    expect(orderOf('account')).to.be.above(orderOf('search')).and.above(orderOf('catalog'));
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  it('shows ranges, real examples, and samples in curl, JavaScript and Python; sends a request with a key, nothing that was not chosen', async () => {
    const { page, faults } = await open();
    await picture(page, 'png')
      .getByText(/min:\s*8.*max:\s*2048/)
      .first()
      .waitFor();
    await picture(page, 'png').getByText('89 50 4e 47').waitFor();
    await picture(page, 'svg').getByText('http://www.w3.org/2000/svg').first().waitFor();
    const sample = picture(page, 'png').getByRole('button', { name: /Curl/ });
    const code = await picture(page, 'png').locator('code').allInnerTexts();
    expect(code.join()).to.include(`curl ${server.base}/v1/png/github \\`);
    await sample.click();
    const clients = await page.getByRole('option').allInnerTexts();
    expect(clients.map((text) => text.trim())).to.have.members(['Curl', 'Fetch', 'Requests']);
    await page.keyboard.press('Escape');
    const sent = page.waitForRequest(/\/v1\/png\//);
    const image = await tryPicture(page, clickSend);
    expect((await sent).url()).to.equal(`${server.base}/v1/png/github`);
    expect(await image.evaluate((element: { naturalWidth: number }) => element.naturalWidth)).to.equal(256);
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  for (const colorScheme of COLOR_SCHEMES)
    it(`shows response headers readably, and pictures on a ground from which black and white both stand out: ${colorScheme}`, async () => {
      const { page } = await open({ colorScheme });
      const response = picture(page, 'png');
      await response.getByRole('button', { name: /^200/ }).click();
      await response.getByRole('button', { name: /Headers/ }).click();
      const ground = await color(page.locator('body'), 'backgroundColor');
      for (const text of [response.getByText('RateLimit-Policy', { exact: true }), response.getByText('string').last()])
        expect(wcagContrast(await color(text, 'color'), ground)).to.be.at.least(4.5);
      expect(wcagContrast(ground, colorScheme === 'dark' ? '#000' : '#fff')).to.be.below(1.3);
      const images = [picture(page, 'svg').locator('img').first(), await tryPicture(page, clickSend)];
      for (const image of images) {
        const colors = (await color(image, 'backgroundImage')).match(/rgba?\([^)]+\)|transparent/g) ?? [];
        expect(colors).to.have.length.of.at.least(2);
        for (const behind of colors)
          for (const logo of ['#181717', '#fff'])
            expect(wcagContrast(behind, logo), `${logo} on ${behind}`).to.be.above(3);
      }
      await page.close();
    });

  it('fits a phone, with the summaries of all routes', async () => {
    const { page } = await open({ width: 390 });
    expect(await width(page)).to.equal(390);
    expect(await picture(page, 'svg').getByRole('heading', { name: 'A logo as SVG' }).isVisible()).to.equal(true);
    const response = picture(page, 'png').getByRole('button', { name: /^200/ });
    await response.click();
    expect(await width(page)).to.equal(390);
    await page.close();
  });

  it('can be used with the keyboard', async () => {
    const { page } = await openPage(browser!, server.base, { path: '/docs' });
    await page.getByRole('heading', { name: 'A logo as SVG' }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Skip to content');
    await page.keyboard.press('Enter');
    for (let presses = 0; presses < 12 && (await focused()) !== 'Search'; presses++) await page.keyboard.press('Tab');
    expect(await focused(), 'entry of the sidebar').to.equal('Search');
    await picture(page, 'svg').getByRole('button', { name: 'Test Request' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').last().getByRole('button', { name: /^Send/ }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').last().waitFor({ state: 'hidden' });
    await page.close();
  });

  it('shows a page at an address where nothing is, which leads to the reference', async () => {
    for (const options of [{}, { width: 390, colorScheme: 'dark' }] as const) {
      const { page, faults } = await openPage(browser!, server.base, { path: '/nothing', ...options });
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
      await page.getByRole('main').getByRole('link', { name: 'API reference' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${server.base}/docs`);
      expect(faults).to.deep.equal([]);
      await page.close();
    }
  });
});
