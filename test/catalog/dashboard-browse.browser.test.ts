// Finding a logo in a real browser: suggestions, keyboard, Back button, downloads, and the front page.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { unzipSync } from 'fflate';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/auth.js';
import { violations } from '../support/axe.js';
import { clipboard, signedInPage, signInOn, withDashboard, type Dashboard } from '../support/dashboard.js';

const searchBox = (page: Page) => page.getByLabel('Search the catalog');
const option = (page: Page, name: RegExp) => page.getByRole('option', { name });
const tile = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true });
const entryHeading = (page: Page, title: string) => page.getByRole('heading', { level: 1, name: title, exact: true });
const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
const PHONE_PX = 390;

async function textOf({ server }: Dashboard, path: string): Promise<string> {
  return (await server.get(path, await server.key())).text();
}

describe('the way to a logo', () => {
  const withVisitor = withDashboard();

  it('shows suggestions during typing, on every page', () =>
    withVisitor(async (visitor) => {
      for (const path of ['/', '/docs']) {
        const page = await visitor.open(path);
        await searchBox(page).fill('stri');
        await option(page, /^Stripe/).waitFor();
        expect(await violations(page, { within: ['.header'] })).to.deep.equal([]);
        expect(await searchBox(page).getAttribute('aria-expanded')).to.equal('true');
        await searchBox(page).press('ArrowDown');
        const active = await searchBox(page).getAttribute('aria-activedescendant');
        expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).to.equal('true');
        await searchBox(page).press('Escape');
        await page.getByRole('listbox').waitFor({ state: 'detached' });
        await searchBox(page).press('ArrowDown');
        await option(page, /^Stripe/).click();
        await entryHeading(page, 'Stripe').waitFor();
        await page.close();
      }
    }));

  it('opens the only result on Enter, even for a pasted URL, or else a list', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/');
      await searchBox(page).fill('github');
      await option(page, /^All \d+ results/).waitFor();
      await searchBox(page).press('Enter');
      await page.waitForURL('**/catalog?q=github');
      await searchBox(page).fill('https://www.netflix.com/browse?x=1');
      await page.getByText('1 entry').waitFor();
      await searchBox(page).press('Enter');
      await entryHeading(page, 'Netflix').waitFor();
      await searchBox(page).fill('spotify');
      await searchBox(page).press('Enter');
      await entryHeading(page, 'Spotify').waitFor();
    }));

  it('leads through the tiles by arrow keys, and back to the same search and place', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/catalog');
      await tile(page, 'Google').waitFor();
      const count = page.getByText(/^\d+ entries( and \d+ cloud services)?$/);
      const all = await count.innerText();
      await searchBox(page).fill('a');
      await eventually(async () => (await count.innerText()) !== all, 'results of the search');
      await searchBox(page).press('ArrowDown');
      const first = await focusedText(page);
      await page.keyboard.press('ArrowRight');
      expect(await focusedText(page)).to.not.equal(first);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowUp');
      expect(await page.evaluate('document.activeElement.type')).to.equal('search');
      await searchBox(page).press('ArrowDown');
      for (let row = 0; row < 12; row++) {
        await page.keyboard.press('ArrowDown');
        await page.waitForTimeout(30);
      }
      const place = await page.evaluate<number>('scrollY');
      expect(place).to.be.above(200);
      const left = await focusedText(page);
      for (const back of ['button of the browser', 'link of the page'] as const) {
        await page.keyboard.press('Enter');
        await entryHeading(page, left).waitFor();
        expect(await page.evaluate('scrollY'), 'an entry begins at its top').to.equal(0);
        if (back === 'link of the page') await page.getByRole('link', { name: 'Catalog', exact: true }).last().click();
        else await page.goBack();
        await eventually(async () => (await focusedText(page)) === left, `focus by the ${back}`);
        expect(await page.evaluate<number>('scrollY'), back).to.be.within(place - 2, place + 2);
        expect(page.url()).to.match(/\/catalog\?q=a$/);
        expect(await searchBox(page).inputValue()).to.equal('a');
      }
    }));

  it('keeps the selection in the URL of the page', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/catalog?q=github');
      await tile(page, 'GitHub').click();
      await page.getByRole('group', { name: 'Format' }).getByRole('radio', { name: 'PNG' }).check();
      await page.locator('#parameter-size').fill('64');
      await page.locator('#parameter-background').fill('white');
      await page.waitForURL('**/catalog/github?format=png&size=64&background=white');
      const built = await page.getByTestId('built-url').innerText();
      await page.reload();
      await page.getByTestId('live-picture').waitFor();
      expect(await page.getByTestId('built-url').innerText()).to.equal(built);
      await page.getByText('This code needs a key').waitFor();
      const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' });
      expect(await signIn.getAttribute('href')).to.include(encodeURIComponent('?format=png&size=64'));
      await page.getByRole('link', { name: 'Catalog', exact: true }).last().click();
      await page.waitForURL('**/catalog?q=github');
    }));

  it('shows a monogram in a strip for a domain that no brand has, as fallback says', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/strip');
      await page.getByRole('button', { name: 'Show an example' }).click();
      await page.waitForURL('**/strip?icons=github,docker,stripe,figma');
      const width = () =>
        page.evaluate<number>(`document.querySelector('img[alt$="on a light page"]')?.naturalWidth ?? 0`);
      const example = await eventually(async () => (await width()) || undefined, 'strip of the example');
      const field = page.getByRole('combobox', { name: 'Add a logo' });
      await field.fill('acme-rockets.example');
      await page.getByRole('option', { name: /acme-rockets\.example/ }).click();
      await page.waitForURL('**fallback=monogram');
      await eventually(async () => (await width()) > example, 'strip with a monogram');
      await page.getByRole('listitem').filter({ hasText: 'acme-rockets.example' }).locator('img').waitFor();
      expect(await page.getByTestId('built-url').innerText()).to.include('fallback=monogram');

      await page.getByLabel('If the logo is missing').selectOption('skip');
      await page.waitForURL('**fallback=skip');
      await eventually(async () => (await width()) === example, 'strip without the unknown name');
    }));

  it('ends with the shown picture to paste, and files of all kinds', () =>
    withVisitor(async (visitor, dashboard) => {
      const page = await visitor.open('/catalog/github?variant=mono&size=96');
      await page.getByTestId('live-picture').waitFor();
      const shown = '/v1/svg/github?variant=mono&on=light';
      const copied = async (item: string): Promise<string> => {
        await page.getByRole('button', { name: 'Copy', exact: true }).click();
        await page.getByRole('menuitem', { name: item, exact: true }).click();
        await page.getByText(`${item} copied`).last().waitFor();
        return clipboard(page);
      };
      expect(await copied('SVG')).to.equal(await textOf(dashboard, shown));
      const url = await copied('URL');
      expect(url).to.equal(`${dashboard.server.base}${shown}&size=96`);
      expect(await copied('<img>')).to.match(
        /^<img src="[^"]*variant=mono[^"]*on=light[^"]*" width="96" height="96" alt="GitHub" \/>$/,
      );
      expect(await copied('React')).to.include('export function GithubLogo()');
      const download = async (name: RegExp): Promise<readonly [string, Buffer]> => {
        await page.getByRole('button', { name: 'Download', exact: true }).click();
        const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()]);
        return [file.suggestedFilename(), readFileSync(await file.path())];
      };
      const [svgName, svg] = await download(/^SVG/);
      expect([svgName, svg.toString()]).to.deep.equal(['github-mono.svg', await textOf(dashboard, shown)]);
      for (const format of ['png', 'webp']) {
        const [name, picture] = await download(new RegExp(`^${format}.*96 px`, 'i'));
        const { width, height } = await sharp(picture).metadata();
        expect([name, width, height]).to.deep.equal([`github-mono.${format}`, 96, 96]);
      }
      const [, zip] = await download(/^All variants/);
      const files = unzipSync(zip);
      const { variants } = JSON.parse(await textOf(dashboard, '/v1/catalog/github')) as {
        variants: { name: string }[];
      };
      expect(Object.keys(files)).to.have.length(variants.length).and.include('github.svg');
      for (const { name } of variants) {
        const file = files[name === 'default' ? 'github.svg' : `github-${name}.svg`]!;
        expect(Buffer.from(file).toString()).to.equal(await textOf(dashboard, `/v1/svg/github?variant=${name}`));
      }
    }));

  it('has menus that are used with the arrow keys', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/catalog/github');
      const focused = () => page.evaluate<string>('document.activeElement.firstChild.textContent');
      await page.getByRole('button', { name: 'Download', exact: true }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('menu').waitFor();
      expect(await focused()).to.equal('SVG');
      for (const [key, item] of [
        ['ArrowDown', 'PNG'],
        ['End', 'All variants'],
        ['ArrowDown', 'SVG'],
        ['ArrowUp', 'All variants'],
        ['Home', 'SVG'],
      ] as const) {
        await page.keyboard.press(key);
        expect(await focused(), key).to.equal(item);
      }
      expect(await violations(page, { within: ['.entry-panel'] })).to.deep.equal([]);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.textContent')).to.include('Download');
    }));

  it('looks a host up as a domain, and offers its monogram and an own brand if no brand has it', () =>
    withVisitor(async (visitor, { server, account }) => {
      const page = await signedInPage(visitor, await account());
      await searchBox(page).fill('walmart.com');
      await option(page, /^No brand has the domain walmart\.com/).click();
      await page.getByRole('heading', { name: 'No brand has the domain walmart.com' }).waitFor();
      const monogram = page.getByAltText('Monogram of walmart.com');
      const width = "document.querySelector('.empty img')?.naturalWidth";
      await eventually(async () => Number(await page.evaluate(width)) > 0, 'the monogram');
      await monogram.waitFor();
      await page.getByRole('button', { name: 'Copy URL of the monogram' }).click();
      expect(await clipboard(page)).to.equal(`${server.base}/v1/logo/walmart.com?format=svg&fallback=monogram`);
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('link', { name: 'Add as your own brand' }).click();
      await page.waitForURL('**/brands?title=Walmart&domain=walmart.com');
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>';
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Walmart');
      expect(await page.getByLabel('Domains').inputValue()).to.equal('walmart.com');
    }));

  it('filters by similar color, and adjusts the count', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/catalog');
      await tile(page, 'Google').waitFor();
      const all = Number.parseInt(await page.getByText(/^\d+ entries( and \d+ cloud services)?$/).innerText(), 10);
      await page.getByLabel('Color', { exact: true }).fill('#1ed760');
      const count = page.getByText(/^\d+ entries( and \d+ cloud services?)? with a color near #1ed760$/);
      await count.waitFor();
      expect(Number.parseInt(await count.innerText(), 10)).to.be.within(1, all / 4);
      await tile(page, 'Spotify').waitFor();
    }));

  it('reports missing logos to the operator, and marks guesses', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/catalog?q=Acme%20Rockets');
      await page.getByRole('heading', { name: 'No results for “Acme Rockets”' }).waitFor();
      const [report] = await Promise.all([
        page.waitForResponse(`${server.base}/dashboard/missing`),
        page.getByRole('button', { name: 'Report as missing' }).click(),
      ]);
      expect([report.status(), report.request().postDataJSON()]).to.deep.equal([204, { name: 'Acme Rockets' }]);
      await page.getByText('The operator sees which names are missing').waitFor();
      await searchBox(page).fill('spotfy');
      await page.getByText('No brand is called “spotfy”. These names are similar.').waitFor();
      await searchBox(page).press('Enter');
      await tile(page, 'Spotify').waitFor();
      expect(new URL(page.url()).pathname, 'a guess is not opened').to.equal('/catalog');
      await searchBox(page).fill('spotify');
      await page.getByText('These names are similar').waitFor({ state: 'detached' });
    }));

  it('fits a phone', () =>
    withVisitor(
      async (visitor, { account }) => {
        const page = await signedInPage(visitor, await account(), '/usage');
        const usage = page.url();
        await page.goto(new URL('/catalog/github', usage).href);
        await page.getByTestId('live-picture').waitFor();
        expect(
          await page.evaluate<number>('document.documentElement.scrollHeight'),
          'at most five screens',
        ).to.be.below(5 * 844);
        const standOut = `[...document.querySelectorAll('.variant-picture img, .stage-picture img')].filter((image) => {
          const [inner, outer] = [image.getBoundingClientRect(), image.parentElement.getBoundingClientRect()];
          return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom;
        }).length`;
        for (const width of [PHONE_PX, 700]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await page.evaluate(standOut), `pictures beyond their places at ${width} px`).to.equal(0);
        }
        await page.setViewportSize({ width: PHONE_PX, height: 900 });
        await page.goto(usage);
        await page.getByRole('cell').first().waitFor();
        const cut = `[...document.querySelectorAll('[role=cell]')].filter(
          (cell) => cell.getBoundingClientRect().right > innerWidth || cell.scrollWidth > cell.clientWidth,
        ).length`;
        expect(await page.evaluate(cut), 'cells beyond the page').to.equal(0);
      },
      { width: PHONE_PX },
    ));
});

describe('the front page', () => {
  const withVisitor = withDashboard();
  const address = (page: Page) => page.getByRole('group', { name: 'first request' });

  it('finds logos in place by name, domain and URL', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/');
      const field = page.getByLabel('Name or domain of a brand');
      for (const [typed, path, says] of [
        ['spotfy', '/v1/svg/spotify', 'Did you mean Spotify?'],
        ['spotify', '/v1/svg/spotify', 'Open Spotify'],
        ['gist.github.com', '/v1/logo/gist.github.com?format=svg', 'gist.github.com'],
        ['https://stripe.com/docs?a=b', '/v1/logo/stripe.com?format=svg', 'stripe.com'],
        ['node.js', '/v1/svg/nodejs', 'Node.js'],
        [
          'unknown-of-all.example.com',
          '/v1/logo/unknown-of-all.example.com?format=svg&fallback=monogram',
          'This is a monogram instead',
        ],
      ] as const) {
        await field.fill(typed);
        await address(page).getByText(`'${server.base}${path}'`).waitFor();
        await page.getByRole('main').getByText(says).first().waitFor();
        const width = "document.querySelector('[data-testid=tried-picture]')?.naturalWidth";
        await eventually(async () => Number(await page.evaluate(width)) > 0, `picture of ${typed}`);
        const answer = await server.get(path, await server.key());
        expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/svg+xml']);
      }
      await field.fill('qqqqzzzzxxxx');
      await page.getByText('No brand is called “qqqqzzzzxxxx”.').waitFor();
    }));

  it('says how many brands there are, and shows no plans while nothing is sold, and no link of features that are off', () =>
    withVisitor(async (visitor, { account, server }) => {
      const page = await visitor.open('/');
      const answer = await server.get('/dashboard/search?limit=1', undefined, { 'Sec-Fetch-Site': 'same-origin' });
      const { total, facets } = (await answer.json()) as {
        total: number;
        facets: { category: { value: string; count: number }[] };
      };
      const services = facets.category.find(({ value }) => value === 'cloud-service')?.count ?? 0;
      await page.getByRole('heading', { name: `${total - services} brand logos in one API` }).waitFor();
      expect(await page.getByRole('heading', { name: 'Plans' }).count()).to.equal(0);
      expect(await page.getByText('Remove the icon of your site').count()).to.equal(0);
      await page.goto(`${server.base}/billing`);
      const person = await account();
      await signInOn(page, person.email);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }));

  it('paints its shell before the scripts are loaded', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/sign-in');
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/assets\/(?!theme-boot).*\.js$/, async (route) => {
        await held;
        await route.continue();
      });
      const loading = page.goto(new URL('/', page.url()).href);
      await page.locator('.shell .skeleton').first().waitFor();
      await page.getByRole('link', { name: 'Blazon, front page' }).waitFor();
      release();
      await loading;
      await page.getByLabel('Name or domain of a brand').waitFor();
      await page.locator('.shell').waitFor({ state: 'detached' });
    }));
});
