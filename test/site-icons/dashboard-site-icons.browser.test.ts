// The page of a domain that no brand has, in a real browser: it shows the icon of the website.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/auth.js';
import { clipboard, signedInPage, withDashboard } from '../support/dashboard.js';
import type { TestServer } from '../support/server.js';
import { startSite, svg, type Site } from './sites.js';

const HOST = 'no-brand-has-this.com';

/** Repeats the request, because on a busy machine, the first response may come before the icon is fetched. */
async function fetchedIcon(server: TestServer): Promise<void> {
  const key = await server.key();
  const fallback = async () =>
    (await server.get(`/v1/logo/${HOST}?fallback=site,monogram`, key)).headers.get('X-Blazon-Fallback');
  await eventually(async () => (await fallback()) === 'site' || undefined, 'the fetched icon');
}

/** Searches the catalog for the host, and waits for its icon. */
async function searchHost(page: Page): Promise<void> {
  await page.getByLabel('Search the catalog').fill(HOST);
  await page.getByLabel('Search the catalog').press('Enter');
  await page.getByAltText(`Icon of ${HOST}`).waitFor();
}

describe('the page of an unknown domain', () => {
  const variables: Record<string, string> = { SITE_ICONS: 'on', SECURITY_CONTACT: 'mailto:owner@icons.test' };
  let site: Site | undefined;
  before(async () => {
    site = await startSite({ '/': '<link rel="icon" href="/icon.svg">', '/icon.svg': svg() });
    variables.SITE_ICON_ORIGINS = `${HOST}=${site.origin}`;
  });
  const withVisitor = withDashboard(variables);
  after(() => site?.close());

  it('shows the icon of the website, and its URL', () =>
    withVisitor(async (visitor, { server, account }) => {
      await fetchedIcon(server);
      const page = await signedInPage(visitor, await account());
      await searchHost(page);
      const width = "document.querySelector('.empty img')?.naturalWidth";
      await eventually(async () => Number(await page.evaluate(width)) > 0, 'the icon');
      await page.getByRole('button', { name: 'Copy URL of the icon' }).click();
      expect(await clipboard(page)).to.equal(`${server.base}/v1/logo/${HOST}?format=svg&fallback=site,monogram`);
    }));

  it('makes the icon of the website the drawing of an own brand', () =>
    withVisitor(async (visitor, { server, account }) => {
      await fetchedIcon(server);
      const page = await signedInPage(visitor, await account());
      await searchHost(page);
      await page.getByRole('link', { name: 'Add as your own brand' }).click();
      await page.getByRole('button', { name: 'Save brand' }).waitFor();
      expect(await page.getByLabel('Domains').inputValue()).to.equal(HOST);
      await page.getByRole('button', { name: 'Save brand' }).click();
      await page.getByText('No-brand-has-this added').waitFor();
      const query = new URL(page.url()).searchParams;
      expect(query.has('icon'), 'a reload makes no second draft').to.equal(false);
      await page.reload();
      await page.getByText('1 brand', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Save brand' }).count()).to.equal(0);
    }));

  it('tells owners of websites one click from the front page how to have an icon removed', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/');
      await page.getByRole('link', { name: 'Remove the icon of your site' }).click();
      await page.getByRole('heading', { name: 'If you own a site' }).waitFor();
      await page.getByRole('link', { name: 'mailto:owner@icons.test' }).waitFor();
    }));

  it('shows a monogram to visitors, for whom the service fetches nothing', () =>
    withVisitor(async (visitor) => {
      const before = site?.requests.length;
      const page = await visitor.open(`/catalog?q=not-${HOST}`);
      await page.getByAltText(`Monogram of not-${HOST}`).waitFor();
      expect(site?.requests.length).to.equal(before);
    }));
});
