// The page that replaces all other pages during the first import, in a browser. It is accessible, shows the progress,
// and disappears after the import.
import { expect } from 'chai';
import { violations } from '../../support/axe.js';
import { openPage, withBrowser } from '../../support/browser.js';
import { publishEntries } from '../../support/catalog-imports.js';
import { startServer, type TestServer } from '../../support/server.js';

const SMALLEST_PX = 320;

describe('the start page in a browser', function () {
  const browser = withBrowser();
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({}, Date.now, 'none');
    server.service.showImport({ phase: 'read', source: 'package:simple-icons', done: 5210, total: 14_172 });
  });
  afterEach(() => server.close());

  async function endImport(): Promise<void> {
    await publishEntries(server.stores.catalog, []);
    await server.service.refreshCatalog();
  }

  it('is accessible in light and dark, with and without counts, and fits a small phone', async () => {
    const { page, faults } = await openPage(browser(), server.base, { path: '/' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations(page), colorScheme).to.deep.equal([]);
    }
    await page.setViewportSize({ width: SMALLEST_PX, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(SMALLEST_PX);
    server.service.showImport({ phase: 'elsewhere' });
    await page.getByText('another process is importing the catalog').waitFor();
    expect(await violations(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  it('follows the import, and becomes the requested page, with its query and fragment', async () => {
    const path = '/catalog/github?size=64#code';
    const { page, faults } = await openPage(browser(), server.base, { path });
    const bar = page.getByRole('progressbar', { name: 'Import of the catalog' });
    expect(await bar.getAttribute('value')).to.equal('33');
    server.service.showImport({ phase: 'read', source: 'package:simple-icons', done: 7086, total: 14_172 });
    await page.getByText('45 %, 7,086 of 14,172 icons read').waitFor();
    expect(await bar.getAttribute('value')).to.equal('45');
    expect(await page.getByRole('status').textContent()).to.include('opens by itself');
    await endImport();
    await page.locator('[data-settings]').waitFor({ state: 'attached' });
    expect(page.url()).to.equal(server.base + path);
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  it('does so without scripts', async () => {
    const context = await browser().newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${server.base}/docs`);
    server.service.showImport({ phase: 'index' });
    await page.getByText('building the search index').waitFor();
    await endImport();
    await page.locator('[data-settings]').waitFor({ state: 'attached' });
    expect(page.url()).to.equal(`${server.base}/docs`);
    await context.close();
  });
});
