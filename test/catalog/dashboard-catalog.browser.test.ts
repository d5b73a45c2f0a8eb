// The dashboard's catalog pages and URL builder in a real browser, for visitors and accounts.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { ask, eventually, newLinkToken } from '../support/auth.js';
import { violations } from '../support/axe.js';
import { clipboard, registerOn, signedInPage, withDashboard } from '../support/dashboard.js';

const require = createRequire(import.meta.url);
const ICONIFY_ICON = require.resolve('iconify-icon/dist/iconify-icon.min.js');
/** Slug that is not a valid Iconify name. */
const IRREGULAR = 'gcp-cloud-optimization-ai---fleet-routing-api';

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: { readonly examples?: readonly unknown[] };
}

const { paths } = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly get: { readonly parameters: readonly Parameter[] } }>>;
};
const ENTRIES = 10_000;
const PAGE_SIZE = 1000;

const searchBox = (page: Page) => page.getByLabel('Search the catalog');
const control = (page: Page, parameter: string) => page.locator(`#parameter-${parameter}`);
const openMore = (page: Page) => page.locator('.more:not([open]) > summary').click();
const choose = (page: Page, group: string, name: string) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true }).check();
const chooseLanguage = (page: Page, language: string) => page.getByLabel('Language').selectOption(language);
const tile = (page: Page, title: string) => page.getByRole('link', { name: title, exact: true });
const codeOf = (page: Page, language: string) => page.getByRole('group', { name: `${language} code` }).innerText();
const builtUrl = async (page: Page) => new URL(await page.getByTestId('built-url').innerText());

async function decodedWidth(image: Locator): Promise<number> {
  await image.waitFor();
  return image.evaluate(async (element: { decode: () => Promise<void>; naturalWidth: number }) => {
    await element.decode();
    return element.naturalWidth;
  });
}

/**
 * Clears color and background, so that the picture depends on the color scheme of the page. Checks the code and the
 * preview.
 */
async function expectPictureOnBothGrounds(page: Page): Promise<void> {
  await control(page, 'color').fill('');
  await control(page, 'background').fill('');
  const code: Record<string, string> = {};
  for (const language of ['HTML', 'React', 'Vue', 'Markdown', 'Iconify', 'curl', 'fetch']) {
    await chooseLanguage(page, language);
    code[language] = await codeOf(page, language);
  }
  expect(code.HTML).to.match(/dark\)" srcset="[^"]*on=dark/);
  expect(code.HTML).to.match(/<img src="[^"]*on=light/);
  expect(code.React).to.include('export function GithubLogo()').and.include('srcSet="').and.include('<picture>');
  expect(code.Vue).to.match(/^<template>\n {2}<picture>/);
  const [light = '', dark = ''] = (code.Markdown ?? '').split('\n');
  expect(light).to.match(/^!\[GitHub\]\(.*on=light.*key=blzp_\w+#gh-light-mode-only\)$/);
  expect(dark).to.match(/^!\[GitHub\]\(.*on=dark.*key=blzp_\w+#gh-dark-mode-only\)$/);
}

describe('the catalog browser', () => {
  const withVisitor = withDashboard({ OPERATOR_EMAILS: 'operator@example.com' });

  it('searches during typing, filters, and keeps both in the URL', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/');
      await searchBox(page).fill('gihtub');
      await searchBox(page).press('Enter');
      await page.waitForURL(/\/catalog\?q=gihtub$/);
      await tile(page, 'GitHub').waitFor();
      await searchBox(page).fill('mongo');
      await tile(page, 'MongoDB').waitFor();
      await searchBox(page).fill('');
      await page.getByLabel('Category').selectOption('database');
      await page.getByText(/^\d+ entries( and \d+ cloud services)?$/).waitFor();
      await tile(page, 'PostgreSQL').waitFor();
      await page.getByLabel('Variant').selectOption('wordmark');
      await page.waitForURL(/category=database&variant=wordmark/);
      await page.reload();
      await page.getByText(/^\d+ entries$/).waitFor();
      expect(await page.getByLabel('Category').inputValue()).to.equal('database');
      await page.getByLabel('License').selectOption({ index: 1 });
      await page.getByLabel('Color', { exact: true }).fill('#336791');
      await page.waitForURL(/license=[^&].*&color=336791/);
      await tile(page, 'PostgreSQL').waitFor();
      await searchBox(page).fill('qqqqzzzzxxxx');
      await page.getByText('No results', { exact: true }).waitFor();
      await page.locator('.empty').getByRole('button', { name: 'Clear search' }).click();
      await tile(page, 'Google').waitFor();
    }));

  it('builds a URL that curl fetches with the bytes of the preview, and an <img> that works anywhere', () =>
    withVisitor(async (visitor, { account, server }) => {
      const person = await account();
      const page = await signedInPage(visitor, person);
      await searchBox(page).fill('github');
      await searchBox(page).press('Enter');
      await tile(page, 'GitHub').click();
      await choose(page, 'Format', 'PNG');
      // Fills in a number with a comma, an invalid number, and a number of digits only.
      await control(page, 'size').fill('1,024');
      await page.getByTestId('built-url').and(page.getByText('size=1024')).waitFor();
      expect(await control(page, 'size').inputValue()).to.equal('1,024');
      await control(page, 'size').fill('9k');
      await page.getByText('A whole number from 8 to 2048.').waitFor();
      await control(page, 'size').fill('96');
      await control(page, 'color').fill('1d9bf0');
      await openMore(page);
      await control(page, 'padding').fill('12');
      await control(page, 'background').fill('#fff');
      const built = (await builtUrl(page)).href;
      expect(built).to.equal(`${server.base}/v1/png/github?color=1d9bf0&size=96&padding=12&background=fff`);
      const shown = Buffer.from(
        await page.evaluate<number[]>(
          `fetch('${built.replace('/v1/', '/dashboard/')}').then(async (answer) => [...new Uint8Array(await answer.arrayBuffer())])`,
        ),
      );
      await page.getByText(`PNG, ${new Intl.NumberFormat('en').format(shown.length)} bytes`).waitFor();
      expect(await decodedWidth(page.getByTestId('live-picture'))).to.equal(96);
      await chooseLanguage(page, 'curl');
      const command = await codeOf(page, 'curl');
      const { stdout } = await promisify(execFile)(
        'sh',
        ['-c', command.replace('blz_…', person.apiKey).replace("-o 'github.png'", '-sS')],
        { encoding: 'buffer' },
      );
      expect(stdout.equals(shown), 'the bytes of the preview').to.equal(true);

      // Filling one field clears the other, because the service rejects `size` together with `width`.
      await control(page, 'width').fill('64');
      expect([await control(page, 'size').inputValue(), (await builtUrl(page)).searchParams.get('size')]).to.deep.equal(
        ['', null],
      );
      await control(page, 'size').fill('96');
      expect(await control(page, 'width').inputValue()).to.equal('');
      await page.getByRole('button', { name: 'Create publishable key' }).click();
      await page.getByLabel('Publishable key', { exact: true }).waitFor();
      const withKey = await builtUrl(page);
      expect(withKey.searchParams.get('key'), 'in the address to copy').to.match(/^blzp_/);
      await chooseLanguage(page, 'HTML');
      const img = await codeOf(page, 'HTML');
      expect(img)
        .to.match(/^<img /)
        .and.include('key=blzp_')
        .and.include('width="96"');
      const elsewhere = await visitor.context.newPage();
      await elsewhere.setContent(img);
      expect(await decodedWidth(elsewhere.locator('img'))).to.equal(96);
      await page.getByText('Any website can use this key.').waitFor();
      await expectPictureOnBothGrounds(page);
      const used = (await (await server.get('/v1/usage', person.apiKey)).json()) as {
        endpoints: { png: { used: number } };
      };
      expect(used.endpoints.png.used, 'by curl and the page, not by previews').to.equal(2);
    }));

  it('shows all variants of an entry, its colors to copy, and the license apart from the trademark', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/catalog/github');
      const shown = (await (
        await server.get('/dashboard/catalog/github', undefined, { 'Sec-Fetch-Site': 'same-origin' })
      ).json()) as { hex: string; variants: { name: string }[]; license: { type: string } };
      expect(shown.variants.length).to.be.above(2);
      for (const { name } of shown.variants)
        expect(await decodedWidth(page.getByTitle(name, { exact: true }).locator('img')), name).to.be.above(0);
      await page.getByRole('button', { name: `Brand color ${shown.hex.toLowerCase()}` }).click();
      await page.getByText('Copied').first().waitFor();
      expect(await clipboard(page)).to.equal(shown.hex.toLowerCase());
      await page.getByText('belong to their owner').waitFor();
      await page
        .locator('dt', { hasText: 'License of the drawing file' })
        .locator('xpath=following-sibling::dd')
        .getByText(shown.license.type)
        .waitFor();
      await page.getByRole('link', { name: 'Brand guidelines' }).waitFor();
    }));

  for (const [colorScheme, ground] of [
    ['light', 'Light'],
    ['dark', 'Dark'],
  ] as const)
    it(`shows the picture on the background of the visitor's theme first: ${colorScheme}`, () =>
      withVisitor(
        async (visitor) => {
          const page = await visitor.open('/catalog/github?variant=mono&size=256');
          const background = page.getByRole('group', { name: 'Page background' });
          expect(await background.getByRole('radio', { name: ground }).isChecked()).to.equal(true);
          expect((await builtUrl(page)).searchParams.get('on')).to.equal(colorScheme);
          const colorOf = () =>
            page.evaluate<string>("getComputedStyle(document.querySelector('.stage-picture')).backgroundColor");
          const own = await colorOf();
          await choose(page, 'Page background', ground === 'Light' ? 'Dark' : 'Light');
          expect(await colorOf()).to.not.equal(own);
          const other = ground === 'Light' ? 'dark' : 'light';
          expect((await builtUrl(page)).searchParams.get('on')).to.equal(other);
          await choose(page, 'Page background', 'Transparent');
          expect((await builtUrl(page)).searchParams.get('on')).to.equal(null);
          await page.waitForURL(/on=transparent/);
        },
        { colorScheme },
      ));

  it('sends a report about a wrong logo, which the operator lists and removes', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/catalog/github');
      await page.getByRole('button', { name: 'Report a wrong logo' }).click();
      const send = page.getByRole('button', { name: 'Send report' });
      expect(await send.isDisabled(), 'before a reason is chosen').to.equal(true);
      await page.getByLabel('The brand has a newer logo').check();
      await page.getByLabel('Comment (optional)').fill('See github.com/logos');
      expect(await violations(page, { within: ['dialog'] })).to.deep.equal([]);
      await send.click();
      await page.getByText('Report sent').waitFor();
      const [report] = await server.stores.logoReports.list();
      expect(report).to.deep.include({ slug: 'github', reasons: { outdated: 1 } });
      const email = 'operator@example.com';
      await page.goto(`${server.base}/register`);
      await registerOn(page, email);
      const token = await newLinkToken(server, email, { purpose: 'verify-email' });
      await ask(server, '/auth/verify-email', { body: { token } });
      await page.goto(`${server.base}/overview`);
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByText('The brand has a newer logo (1)').waitFor();
      await page.getByText('See github.com/logos').waitFor();
      expect(await violations(page)).to.deep.equal([]);
      await page.getByRole('button', { name: 'Mark as done: github' }).click();
      await page.getByText('Nobody has reported a wrong logo').waitFor();
      expect(await server.stores.logoReports.list()).to.deep.equal([]);
    }));

  it('has a control for every picture parameter, and builds URLs that the service accepts', () =>
    withVisitor(async (visitor, { server }) => {
      const key = await server.key();
      const page = await visitor.open('/catalog/google');
      await page.getByTestId('live-picture').waitFor();
      const tried = new Set<string>();
      for (const format of ['WebP', 'PNG', 'SVG']) {
        await choose(page, 'Format', format);
        for (const { in: place, name, schema } of paths[`/v1/${format.toLowerCase()}/{slug}`]!.get.parameters) {
          if (place !== 'query') continue;
          const { examples = [], ...kind } = schema;
          const variety = JSON.stringify([name, kind]);
          if (tried.has(variety)) continue;
          tried.add(variety);
          await page.getByRole('button', { name: 'Reset' }).click();
          await choose(page, 'Variant', 'mono');
          if (name === 'variant' || name === 'on') continue;
          if (await page.locator('.more:not([open])').count()) await openMore(page);
          const input = control(page, name);
          const tag = await input.evaluate(
            (element: { readonly tagName: string; readonly type: string }) => `${element.tagName} ${element.type}`,
          );
          if (tag === 'INPUT checkbox') await input.check();
          else if (tag.startsWith('SELECT')) await input.selectOption(String(examples[0]));
          else await input.fill(String(examples[0]));
          const built = await builtUrl(page);
          if (name !== 'v') expect(built.searchParams.get(name), variety).to.equal(String(examples[0]));
          const answer = await server.get(built.pathname + built.search, key);
          await answer.arrayBuffer();
          expect(answer.status, built.href).to.equal(200);
        }
      }
      expect(tried.size).to.be.above(18);
    }));

  it('requests no larger preview than visitors may see, says so, and keeps the chosen URL', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/catalog/github');
      const answers: number[] = [];
      page.on('response', (answer) => {
        if (answer.url().includes('/dashboard/png/')) answers.push(answer.status());
      });
      await choose(page, 'Format', 'PNG');
      const hint = page.getByText('previews have at most 512 px');
      for (const [chosen, naturalWidth] of [
        [{ size: '2048', scale: '2' }, 512],
        [{ width: '2000', height: '1000' }, 512],
        [{ width: '1500', trim: '' }, 512],
        [{ size: '64', scale: '4' }, 64],
      ] as const) {
        await page.getByRole('button', { name: 'Reset' }).click();
        if (await page.locator('.more:not([open])').count()) await openMore(page);
        for (const [name, value] of Object.entries(chosen)) {
          const input = control(page, name);
          await (value === '' ? input.check() : input.fill(value));
        }
        await hint.waitFor();
        const shown = "document.querySelector('[data-testid=live-picture]')?.naturalWidth";
        await eventually(async () => (await page.evaluate(shown)) === naturalWidth, `picture of ${naturalWidth} px`);
        const built = (await builtUrl(page)).searchParams;
        for (const [name, value] of Object.entries(chosen))
          expect(built.get(name)).to.equal(value === '' ? '1' : value);
      }
      await page.getByRole('button', { name: 'Reset' }).click();
      await hint.waitFor({ state: 'detached' });
      expect(answers.filter((status) => status !== 200 && status !== 304)).to.deep.equal([]);
    }));

  it('shows code for the Iconify component with the picture, the variants and irregular names', () =>
    withVisitor(async (visitor, { account, server }) => {
      // Serves a page of another origin, and the script that this page loads. The script is from the npm package
      // `iconify-icon`.
      let html = '';
      const shop = createServer(({ url }, response) => {
        const isScript = url === '/iconify-icon.min.js';
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? readFileSync(ICONIFY_ICON) : html);
      });
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
      const page = await signedInPage(visitor, await account());
      for (const [slug, variant, icon] of [
        ['github', '', 'blazon:github'],
        ['google', 'mono', 'blazon-mono:google'],
        [IRREGULAR, '', `blazon:${IRREGULAR.replace('---', '-')}`],
      ] as const) {
        await page.goto(`${server.base}/catalog/${slug}`);
        if (slug === 'github') await page.getByRole('button', { name: 'Create publishable key' }).click();
        await page.getByLabel('Publishable key', { exact: true }).waitFor();
        if (variant !== '') await choose(page, 'Variant', variant);
        await control(page, 'size').fill('48');
        await chooseLanguage(page, 'Iconify');
        const code = await codeOf(page, 'Iconify');
        expect(code).to.include(`icon="${icon}"`).and.include(`'${server.base}/iconify/blzp_`);
        html = `<!doctype html><title>shop</title>${code}`;
        const elsewhere = await visitor.context.newPage();
        await elsewhere.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
        await elsewhere.waitForFunction("document.querySelector('iconify-icon').shadowRoot?.querySelector('svg')");
        expect((await elsewhere.locator('iconify-icon').boundingBox())?.width).to.equal(48);
        await elsewhere.close();
      }
      shop.close();
    }));

  it("shows the service's message about a wrong value, and the picture again afterwards", () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/catalog/google');
      await page.getByTestId('live-picture').waitFor();
      await control(page, 'color').fill('red');
      await page.getByRole('alert').filter({ hasText: /color/ }).waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.getByTestId('live-picture').waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      await control(page, 'size').fill('4');
      await page.getByRole('alert').getByText('size: not within 8..2048.').waitFor();
    }));

  it(`renders some rows of ${ENTRIES} entries at any scroll position`, () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/sign-in');
      await page.route('**/dashboard/search?*', (route) => {
        const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
        const results = Array.from({ length: Math.min(PAGE_SIZE, ENTRIES - from) }, (_, at) => ({
          slug: `entry-${from + at}`,
          title: `Entry ${from + at}`,
          hex: null,
          categories: [],
          domain: null,
          variants: ['default'],
          score: 1,
          match: { field: 'variant', value: '', ranges: [] },
        }));
        const next = from + PAGE_SIZE;
        const json = {
          query: null,
          total: ENTRIES,
          results,
          facets: { category: [], license: [] },
          nextCursor: next < ENTRIES ? String(next) : null,
        };
        return route.fulfill({ json });
      });
      await page.getByRole('link', { name: 'Catalog' }).first().click();
      await page.getByText('10,000 entries').waitFor();
      const most = await page.evaluate<number>(`(async () => {
        let most = 0;
        const end = performance.now() + 60000;
        while (performance.now() < end) {
          window.scrollTo(0, document.body.scrollHeight);
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
          most = Math.max(most, document.querySelectorAll('.grid li').length);
          if (document.querySelector('[href="/catalog/entry-${ENTRIES - 1}"]')) return most;
        }
        return -1;
      })()`);
      expect(most).to.be.within(1, 400);
    }));

  it('loads a throttled picture a moment later', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/sign-in');
      const json = { error: 'rate_limited', message: 'Too many requests.' };
      await page.route('**/dashboard/svg/github?*', (route) => route.fulfill({ status: 429, json }), { times: 1 });
      await page.goto(`${server.base}/catalog?q=github`);
      await tile(page, 'GitHub').locator('.skeleton').waitFor();
      expect(await decodedWidth(tile(page, 'GitHub').locator('img'))).to.be.above(0);
    }));
});

describe('the catalog browser with GALLERY=off', () => {
  const withVisitor = withDashboard({ GALLERY: 'off', REGISTRATION: 'open' });

  it('is hidden from visitors, and open to accounts', () =>
    withVisitor(async (visitor, { server, account }) => {
      const page = await visitor.open('/');
      await page.getByRole('heading', { name: 'Find a logo by domain' }).waitFor();
      expect(await page.getByRole('link', { name: /catalog/i }).count()).to.equal(0);
      expect(await searchBox(page).count()).to.equal(0);
      for (const path of ['/catalog/github', '/catalog', '/strip?icons=github']) {
        await page.goto(server.base + path);
        await page.getByText('Sign in to browse the catalog').waitFor();
      }
      const owner = await signedInPage(visitor, await account());
      await owner.getByRole('link', { name: 'Catalog' }).first().click();
      await tile(owner, 'Google').waitFor();
    }));
});
