// Code that developers copy: shadcn commands, the typed client with its custom HTML element, and URLs rewritten from
// other services.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { eventually } from '../support/auth.js';
import { violations } from '../support/axe.js';
import { compilerErrors } from '../support/client-code.js';
import { clipboard, signedInPage, withDashboard } from '../support/dashboard.js';
import { ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

const PHONE_PX = 390;
const run = promisify(execFile);
const codeOf = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).innerText();
const beyondPage = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

describe('migration from another service', () => {
  const withVisitor = withDashboard();

  it('shows its URLs with a new key of the account, and they work', () =>
    withVisitor(async (visitor, { account, server }) => {
      const page = await signedInPage(visitor, await account(), '/keys');
      await page.getByRole('link', { name: 'migrate the URLs of another service' }).click();
      await page.waitForURL('**/migration');
      await page.getByText(`${server.base}/compat/blzp_…/clearbit/stripe.com?size=80`).first().waitFor();
      await page.getByRole('button', { name: 'Create publishable key' }).click();
      await page.getByLabel('Publishable key', { exact: true }).waitFor();
      const copy = page.getByRole('button', { name: 'Copy address in place of https://logo.clearbit.com/stripe.com' });
      await copy.focus();
      await page.keyboard.press('Enter');
      await page.getByText('Copied').first().waitFor();
      const address = await clipboard(page);
      expect(address).to.match(new RegExp(`^${server.base}/compat/blzp_\\w+/clearbit/stripe\\.com\\?size=80$`));
      const answer = await fetch(address);
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/png']);
      const [, key = ''] = /(blzp_\w+)/.exec(address) ?? [];
      const setting = await page.getByText('ICON_SERVICE=').innerText();
      expect(setting).to.include(`ICON_SERVICE=${server.base}/compat/${key}/bitwarden/{}/icon.png`);
      expect(await page.getByRole('main').innerText()).to.not.match(/icons\.example|blzp_…/);
    }));

  it('leads visitors to a key, from the front page and from a logo, and fits a phone', () =>
    withVisitor(
      async (visitor) => {
        const page = await visitor.open('/');
        await page.getByRole('link', { name: 'Migrate your URLs' }).click();
        await page.waitForURL('**/migration');
        await page.getByText('/compat/blzp_…/skillicons/icons?i=js,html,css,wasm&theme=light').waitFor();
        const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' });
        expect(await signIn.getAttribute('href')).to.equal('/sign-in?next=%2Fmigration');
        expect(await beyondPage(page)).to.equal(0);
        await page.goto(page.url().replace('/migration', '/catalog/github'));
        await page.getByRole('link', { name: 'Migrate from another service' }).click();
        await page.waitForURL('**/migration');
      },
      { width: PHONE_PX },
    ));
});

describe('code for developers', () => {
  const withVisitor = withDashboard();
  const folder = temporaryDir();
  after(() => folder.remove());

  it('works for shadcn, with the variant', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/catalog/github?variant=mono');
      await page.getByLabel('Language').selectOption('shadcn');
      expect(JSON.parse(await codeOf(page, 'components.json'))).to.deep.equal({
        registries: {
          '@blazon': { url: `${server.base}/r/{name}.json`, headers: { 'X-API-Key': '${BLAZON_API_KEY}' } },
        },
      });
      expect(await codeOf(page, 'command')).to.equal('npx shadcn@latest add @blazon/github-mono');
      const answer = await server.get('/r/github-mono.json', await server.key());
      expect(((await answer.json()) as { name: string }).name).to.equal('github-mono');
      expect(await violations(page, { within: ['.entry-columns'] })).to.deep.equal([]);
    }));

  it('works for the typed client, compiles with every parameter, and returns the picture', () =>
    withVisitor(async (visitor, { account, server }) => {
      const person = await account();
      const page = await signedInPage(visitor, person);
      await page.goto(`${server.base}/catalog/github`);
      await page.getByRole('button', { name: 'Create publishable key' }).click();
      await page.getByLabel('Publishable key', { exact: true }).waitFor();
      const files: Record<string, string> = {};
      for (const [name, query] of Object.entries({
        svg: '?on=dark&size=64',
        png: '?format=png&variant=mono&color=1d9bf0&greyscale=1&width=64&scale=2&trim=1&rotate=90&flip=h',
        webp: '?format=webp&color=111111&height=64&padding=4&background=000&radius=9&quality=80&fallback=404&download=1',
      })) {
        await page.goto(`${server.base}/catalog/github${query}`);
        await page.getByLabel('Publishable key', { exact: true }).waitFor();
        await page.getByLabel('Language').selectOption('Client');
        files[name] = await codeOf(page, 'Client code');
      }
      const wrong = files.svg!.replaceAll("on: 'dark'", "on: 'red'");
      const errors = await compilerErrors(folder.path, { ...files, wrong });
      expect([...new Set(errors.match(/^[\w-]+\.ts/gm))], errors).to.deep.equal(['wrong.ts']);
      const show = '\nconsole.log(JSON.stringify([address, same, picture.slice(0, 5)]));';
      const { outputFiles } = await build({
        stdin: { contents: files.svg! + show, resolveDir: ROOT },
        ...{ bundle: true, format: 'esm', platform: 'node', write: false },
        alias: { 'blazon/client': join(ROOT, 'dist/src/client/index.js') },
      });
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', outputFiles[0]!.text], {
        env: { ...process.env, BLAZON_API_KEY: person.apiKey },
      });
      const [address, same, picture] = JSON.parse(stdout) as [string, string, string];
      expect(picture).to.equal('<svg ');
      for (const each of [address, same]) expect((await fetch(each)).status, each).to.equal(200);
      expect(new URL(address).searchParams.get('size')).to.equal('64');
    }));

  it('includes the element, which shows the picture in a page', () =>
    withVisitor(async (visitor, { account, server }) => {
      const page = await signedInPage(visitor, await account());
      await page.goto(`${server.base}/catalog/github`);
      await page.getByRole('button', { name: 'Create publishable key' }).click();
      await page.getByLabel('Publishable key', { exact: true }).waitFor();
      await page.locator('#parameter-size').fill('48');
      await page.getByLabel('Language').selectOption('Element');
      await page.getByText('size="48"').waitFor();
      const code = await codeOf(page, 'Element code');
      const { outputFiles } = await build({
        entryPoints: [join(ROOT, 'dist/src/client/index.js')],
        ...{ bundle: true, format: 'esm', platform: 'browser', write: false },
      });
      const map = '<script type="importmap">{"imports":{"blazon/client":"/client.js"}}</script>';
      // Serves a page of another origin.
      const shop = createServer(({ url }, response) => {
        const isScript = url === '/client.js';
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? outputFiles[0]!.text : `<!doctype html><title>shop</title>${map}${code}`);
      });
      await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
      const elsewhere = await visitor.context.newPage();
      await elsewhere.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
      await elsewhere.waitForFunction(
        "document.querySelector('blazon-logo').shadowRoot?.querySelector('img')?.naturalWidth > 0",
      );
      expect((await elsewhere.locator('blazon-logo').boundingBox())?.width).to.equal(48);
      shop.close();
    }));
});

describe('samples of the reference for the typed client', () => {
  const withVisitor = withDashboard();
  const folder = temporaryDir();
  after(() => folder.remove());

  it('compile, for every route', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/docs#tag/pictures');
      await page.getByRole('button', { name: 'TypeScript' }).first().click();
      await page.waitForFunction("!document.querySelector('.operation.incomplete')");
      const samples = await page
        .locator('.operation-aside .panel:first-child pre')
        .evaluateAll((blocks: { readonly textContent: string }[]) => blocks.map(({ textContent }) => textContent));
      expect(samples.length).to.be.above(60);
      const files = Object.fromEntries(samples.map((code, at) => [`sample-${at}`, code]));
      expect(await compilerErrors(folder.path, files)).to.equal('');
    }));
});

describe('the favicons of a logo', () => {
  const withVisitor = withDashboard();
  const previews = (page: Page, ground: string) => page.getByRole('group', { name: `On ${ground} screens` });
  const openFavicons = (page: Page) => page.locator('summary', { hasText: 'Favicons' }).click();
  const side = (element: { readonly naturalWidth: number; readonly decode: () => Promise<void> }) =>
    element.decode().then(() => element.naturalWidth);

  it('are shown in tabs and on home screens, from the files themselves, with the lines to paste', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/catalog/github');
      await openFavicons(page);
      await previews(page, 'dark').scrollIntoViewIfNeeded();
      for (const ground of ['light', 'dark']) {
        const sources: string[] = [];
        for (const image of await previews(page, ground).getByRole('img').all()) {
          expect(await image.evaluate(side), 'pixels').to.be.above(15);
          sources.push((await image.getAttribute('src')) ?? '');
        }
        expect(sources).to.deep.equal([
          `/dashboard/favicon/github/icon.svg?on=${ground}`,
          '/dashboard/favicon/github/favicon.ico',
          '/dashboard/favicon/github/apple-touch-icon.png',
          '/dashboard/favicon/github/icon-mask.png',
        ]);
      }
      const lines = await codeOf(page, 'lines for the head of each page');
      const answer = await server.get('/v1/favicon/github/head.html', await server.key());
      expect(`${lines}\n`).to.equal(await answer.text());
    }));

  it('have the chosen background, by keyboard too, and are saved as the archive of the API', () =>
    withVisitor(
      async (visitor, { server }) => {
        const page = await visitor.open('/catalog/github');
        await openFavicons(page);
        const tab = previews(page, 'dark').getByAltText('icon.svg in a dark tab');
        await page.locator('#favicon-background').focus();
        await page.keyboard.type('ffd700');
        await eventually(
          async () => (await tab.getAttribute('src')) === '/dashboard/favicon/github/icon.svg?background=ffd700',
          'the ground in the address',
        );
        expect(await tab.evaluate(side)).to.be.above(15);
        await page.keyboard.press('Shift+Tab');
        const button = page.getByRole('button', { name: 'Download favicon.zip' });
        await button.focus();
        const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
        expect(file.suggestedFilename()).to.equal('github-favicon.zip');
        const path = '/v1/favicon/github/favicon.zip?background=ffd700';
        const api = Buffer.from(await (await server.get(path, await server.key())).arrayBuffer());
        expect(readFileSync(await file.path()).equals(api), 'the bytes of the API').to.equal(true);
        expect(await beyondPage(page)).to.equal(0);
        expect(await violations(page, { within: ['.favicon-previews', '.favicon-controls'] })).to.deep.equal([]);
      },
      { width: PHONE_PX },
    ));
});

describe('the strip builder', () => {
  const withVisitor = withDashboard();
  const names = (page: Page) => page.locator('.strip-name').allInnerTexts();
  const inOrder = (page: Page, ...expected: string[]) =>
    eventually(async () => (await names(page)).join() === expected.join(), `the order ${expected.join(', ')}`);
  const field = (page: Page) => page.getByLabel('Add a logo');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  async function drag(page: Page, name: string, onto: string): Promise<void> {
    const target = (await page.locator('.strip-logos li', { hasText: onto }).boundingBox())!;
    await page.getByTitle(`Drag ${name}`).hover();
    await page.mouse.down();
    for (const part of [0.2, 0.5, 0.9]) await page.mouse.move(target.x + 12, target.y + target.height * part);
    await page.mouse.up();
  }

  it('adds by search, orders by dragging, and keeps all of it in the address of the page', () =>
    withVisitor(async (visitor, { account, server }) => {
      const page = await signedInPage(visitor, await account());
      await page.goto(`${server.base}/catalog/github`);
      await page.getByRole('link', { name: 'Combine several logos in one picture' }).click();
      await inOrder(page, 'GitHub');
      for (const [typed, title] of [
        ['stri', 'Stripe'],
        ['figm', 'Figma'],
      ] as const) {
        await field(page).fill(typed);
        await page.getByRole('option', { name: new RegExp(`^${title}`) }).click();
      }
      await inOrder(page, 'GitHub', 'Stripe', 'Figma');
      await drag(page, 'Figma', 'GitHub');
      await inOrder(page, 'Figma', 'GitHub', 'Stripe');
      await drag(page, 'Figma', 'Stripe');
      await inOrder(page, 'GitHub', 'Stripe', 'Figma');
      await page.locator('#parameter-tile').selectOption('circle');
      await page.locator('#parameter-size').fill('64');
      await page.locator('#parameter-perline').fill('2');
      await page.locator('#parameter-titles').check();
      await page.waitForURL('**/strip?icons=github,stripe,figma&tile=circle&size=64&perline=2&titles=1');
      await button(page, 'Create publishable key').click();
      await page.getByText('Any website can use this key.').waitFor();
      const address = await page.getByTestId('built-url').innerText();
      const answer = await fetch(address);
      const svg = await answer.text();
      expect([answer.status, svg.match(/<title>[^<]*/g)]).to.deep.equal([
        200,
        ['<title>GitHub', '<title>Stripe', '<title>Figma'],
      ]);
      await page.reload();
      await inOrder(page, 'GitHub', 'Stripe', 'Figma');
      await page.getByText('Any website can use this key.').waitFor();
      expect(await page.getByTestId('built-url').innerText()).to.equal(address);
      const code: Record<string, string> = {};
      for (const name of ['picture', 'Markdown', 'img']) {
        await page.getByRole('tab', { name, exact: true }).click();
        code[name] = await codeOf(page, `${name} code`);
      }
      expect(code.picture).to.match(/dark\)" srcset="[^"]*theme=dark[^"]*key=blzp_/);
      expect(code.Markdown).to.match(/^!\[GitHub, Stripe, Figma\]\(\S*theme=light\S*#gh-light-mode-only\)\n/);
      expect(code.img).to.match(/ width="144" height="144" alt="GitHub, Stripe, Figma" \/>$/);
      const elsewhere = await visitor.context.newPage();
      await elsewhere.setContent(code.img!);
      const drawn = elsewhere.locator('img');
      await eventually(
        () => drawn.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth === 144),
        'the picture in a page',
      );
    }));

  it('is used with the keyboard alone', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/strip?icons=github,docker');
      await inOrder(page, 'GitHub', 'Docker');
      await field(page).focus();
      await page.keyboard.type('strip');
      await page.getByRole('option', { name: /^Stripe/ }).waitFor();
      await page.keyboard.press('Enter');
      await inOrder(page, 'GitHub', 'Docker', 'Stripe');
      expect(await field(page).inputValue()).to.equal('');
      await button(page, 'Move up Stripe').focus();
      for (const order of [
        ['GitHub', 'Stripe', 'Docker'],
        ['Stripe', 'GitHub', 'Docker'],
        // Stripe is already the first, so the order does not change.
        ['Stripe', 'GitHub', 'Docker'],
      ]) {
        await page.keyboard.press('Enter');
        await inOrder(page, ...order);
        expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).to.equal('Move up Stripe');
      }
      await page.getByRole('status').filter({ hasText: 'Stripe: 1 of 3' }).waitFor({ state: 'attached' });
      await button(page, 'Remove GitHub').focus();
      await page.keyboard.press('Space');
      await inOrder(page, 'Stripe', 'Docker');
      expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).to.equal('Add a logo');
      expect(await violations(page)).to.deep.equal([]);
    }));

  it('shows both backgrounds, limits of PNG, and unknown names, on a phone too', () =>
    withVisitor(
      async (visitor) => {
        const page = await visitor.open('/strip?icons=github,stripe&theme=auto&titles=1');
        const shown = (ground: string) => page.getByAltText(`GitHub, Stripe, on a ${ground} page`);
        for (const ground of ['light', 'dark']) await shown(ground).waitFor();
        await page.getByRole('radio', { name: 'PNG' }).check();
        await page.locator('#parameter-titles').waitFor({ state: 'detached' });
        await page.getByTestId('built-url').and(page.getByText('&format=png&key')).waitFor();
        await shown('dark').waitFor({ state: 'detached' });
        const handle = (await page.getByTitle('Drag Stripe').boundingBox())!;
        expect(handle.x + handle.width).to.be.below(PHONE_PX);
        expect(await beyondPage(page)).to.equal(0);
        expect(await violations(page)).to.deep.equal([]);
        await page.goto(page.url().replace(/\?.*/, '?icons=github,no-such-brand'));
        await page.getByText('There are no entries "no-such-brand".').first().waitFor();
        await button(page, 'Remove no-such-brand').click();
        await page.getByAltText('GitHub, on a light page').waitFor();
      },
      { width: PHONE_PX },
    ));
});
