// /docs in a real browser: the page is complete and accessible, and loads nothing from other hosts. Its samples and its
// console work.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { wcagContrast } from 'culori';
import { strToU8, zipSync } from 'fflate';
import type { Locator, Page } from 'playwright-core';
import { ERRORS } from '../../src/platform/errors.js';
import { violations } from '../support/axe.js';
import { openPage, withBrowser, type OpenedPage } from '../support/browser.js';
import { pageKey } from '../support/page-keys.js';
import { startServer, type TestServer } from '../support/server.js';
import { ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

interface Operation {
  readonly tags: readonly [string];
  readonly summary: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: object;
}

const COLOR_SCHEMES = ['light', 'dark'] as const;
const PNG = 'tag/pictures/GET/v1/png/{slug}';
const MAX_SHOWN_CHARACTERS = 20_000;

describe('/docs in a browser', () => {
  const browser = withBrowser();
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  const folder = temporaryDir();
  after(() => folder.remove());
  // `server` is undefined if the tests were skipped because Chromium is missing.
  after(() => (server as TestServer | undefined)?.close());

  const opened: OpenedPage[] = [];
  /** Opens a page. It is closed after the test, which fails if the page has reported an error. */
  async function open(options: Partial<Parameters<typeof openPage>[2]> = {}): Promise<Page> {
    const one = await openPage(browser(), server.base, { path: '/docs', ...options });
    opened.push(one);
    await complete(one.page);
    return one.page;
  }
  afterEach(async () => {
    for (const { page, faults } of opened.splice(0)) {
      await page.close();
      expect(faults).to.deep.equal([]);
    }
  });

  /** Returns all operations in the order of the tags, each with the id of its section. */
  async function operations() {
    const { tags, paths } = (await (await fetch(`${server.base}/openapi.json`)).json()) as {
      tags: { name: string }[];
      paths: Record<string, Record<string, Operation>>;
    };
    const all = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const tag = operation.tags[0].toLowerCase().replaceAll(' ', '-');
        return { id: `tag/${tag}/${method.toUpperCase()}${path}`, ...operation };
      }),
    );
    return tags.flatMap(({ name }) => all.filter((operation) => operation.tags[0] === name));
  }

  const complete = (page: Page) => page.locator('main[aria-busy=false]').waitFor();
  const section = (page: Page, id: string) => page.locator(`[id="${id}"]`);
  const links = (page: Page) => page.getByRole('navigation', { name: 'Routes' }).getByRole('link');
  const current = (page: Page) => page.locator('nav [aria-current="location"]');
  const scrolledWidth = (of: Locator) => of.evaluate((node: { scrollWidth: number }) => node.scrollWidth);
  const color = (element: Locator, property: string) =>
    element.evaluate(
      (node, name) =>
        (globalThis as unknown as { getComputedStyle: (of: unknown) => Record<string, string> }).getComputedStyle(node)[
          name
        ]!,
      property,
    );

  /** Opens the console of the operation with this summary. */
  async function tryIt(page: Page, summary: string): Promise<Locator> {
    const operation = (await operations()).find((each) => each.summary === summary);
    await page.evaluate(`location.hash = ${JSON.stringify(`#${operation?.id ?? ''}`)}`);
    // Uses the keyboard, because the page may still scroll to the section, and a click would then miss the button.
    await page.getByRole('button', { name: `Try it: ${summary}`, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    return dialog;
  }

  async function tried(page: Page, summary: string): Promise<Locator> {
    const dialog = await tryIt(page, summary);
    await keyField(dialog).fill(await server.key());
    await send(dialog);
    await dialog.getByRole('status').filter({ hasText: /^200/ }).waitFor();
    return dialog;
  }

  /** Returns the request that `act` causes. */
  async function sent(page: Page, act: () => Promise<void>) {
    const request = page.waitForRequest((each) => /\/(v1|auth|iconify|openapi)/.test(each.url()));
    await act();
    const found = await request;
    return { url: found.url().replace(server.base, ''), method: found.method(), headers: await found.allHeaders() };
  }

  /**
   * Resolves when the condition holds in an animation frame. Playwright's own polling violates the page's content
   * security policy.
   */
  const until = (page: Page, condition: string) =>
    page.evaluate(`new Promise((resolve) => {
      const ask = () => (${condition} ? resolve() : requestAnimationFrame(ask));
      ask();
    })`);
  const send = (dialog: Locator) => dialog.getByRole('button', { name: 'Send', exact: true }).click();
  const keyField = (dialog: Locator) => dialog.getByLabel('Key or access token');

  it('lists every route by tag, pictures first, with parameters and statuses, from this service alone and within its policy', async () => {
    const page = await open();
    const expected = await operations();
    expect(expected[0]?.id).to.equal('tag/pictures/GET/v1/svg/{slug}');
    const listed = await links(page).evaluateAll((all: { hash: string }[]) =>
      all.map(({ hash }) => decodeURIComponent(hash.slice(1))).filter((id) => /\/[A-Z]+\//.test(id)),
    );
    expect(listed).to.deep.equal(expected.map(({ id }) => id));
    for (const { id, summary, parameters, responses } of expected) {
      const operation = section(page, id);
      expect(await operation.locator('h3').textContent()).to.equal(summary);
      expect(await operation.locator('.address').textContent(), id).to.equal(id.replace(/^.*?([A-Z]+)\//, '$1 /'));
      const text = (await operation.locator('summary').allTextContents()).join(' ');
      for (const status of Object.keys(responses)) expect(text, `${id} ${status}`).to.include(status);
      const names = parameters.map(({ name }) => name);
      expect(await operation.locator('.field-name').allTextContents(), id).to.include.members(names);
    }
  });

  it('shows types, ranges, defaults, allowed values and credentials', async () => {
    const page = await open({ path: `/docs#${PNG}` });
    const rowOf = async (name: string) => {
      const rows = section(page, PNG).locator('.fields > li');
      return rows.filter({ has: page.locator('.field-name', { hasText: new RegExp(`^${name}$`) }) }).innerText();
    };
    expect(await rowOf('slug')).to.match(/string\s+required/);
    for (const [name, ...parts] of [
      ['size', /integer/, /8 to 2048/],
      ['padding', /0 to 40/, /default\s+0/],
      ['rotate', /one of\s+90\s+180\s+270/],
      ['color', /one of\s+brand\s/, /pattern/],
    ] as const)
      for (const part of parts) expect(await rowOf(name)).to.match(part);
    const more = section(page, PNG).getByRole('button', { name: /^\d+ more$/ });
    await more.first().click();
    expect(await rowOf('color')).to.include('yellowgreen');
    const credentials = await section(page, PNG).locator('.credentials').innerText();
    expect(credentials).to.match(/X-API-Key header\s+or key parameter/);
  });

  it('shows the fields of responses, nested ones too, and errors with their headers and examples', async () => {
    const page = await open({ path: '/docs#tag/catalog/POST/v1/catalog/batch' });
    const operation = section(page, 'tag/catalog/POST/v1/catalog/batch');
    const opened = async (within: Locator, summary: RegExp) => {
      const details = within.locator('details').filter({ has: page.locator('> summary', { hasText: summary }) });
      await details.first().locator('> summary').click();
      await details.first().locator('> :not(summary)').first().waitFor();
      return details.first();
    };
    const entry = await opened(await opened(await opened(operation, /^200/), /Alternative 1/), /1\d fields/);
    const variants = await opened(entry.locator('li', { has: page.getByText('variants', { exact: true }) }), /fields/);
    expect(await variants.locator('.field-name').allInnerTexts()).to.include.members(['recolorable', 'urls']);
    const errors = await opened(operation, /^Errors/);
    const busy = await opened(errors, /^503/);
    for (const part of ['Retry-After', '"error": "unavailable"']) expect(await busy.innerText()).to.include(part);
  });

  it('lists every error code with its status, meaning and advice', async () => {
    const page = await open({ path: '/docs#errors/quota_exceeded' });
    for (const [code, { status, message, action }] of Object.entries(ERRORS)) {
      const text = await section(page, `errors/${code}`).innerText();
      for (const part of [code, String(status), message, action.replaceAll('`', '')])
        expect(text, code).to.include(part);
    }
    await section(page, 'errors').getByRole('link', { name: 'POST /auth/refresh' }).click();
    await page.waitForURL(/#tag\/account\/POST\/auth\/refresh$/);
  });

  it('has working samples in curl, JavaScript and Python, and one language setting for all', async () => {
    const page = await open({ path: `/docs#${PNG}` });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await section(page, PNG).getByRole('button', { name: 'Copy curl sample' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.include(`curl '${server.base}/v1/png/github'`);
    const key = await server.key();
    const sampleOf = async (id: string) =>
      ((await section(page, id).locator('.panel pre').first().textContent()) ?? '').replace('blz_…', key);
    const runs: readonly (readonly [string, string])[] = [
      ['tag/pictures/GET/v1/svg/{slug}', '<svg '],
      ['tag/search/GET/v1/search', '"slug":"github"'],
      ['tag/catalog/POST/v1/catalog/batch', '"slug":"github"'],
      ['tag/usage/GET/v1/usage', '"endpoints"'],
    ];
    for (const [id, part] of runs) {
      const { stdout } = await promisify(execFile)('sh', ['-c', await sampleOf(id)]);
      expect(stdout, id).to.include(part);
    }
    await section(page, PNG).getByRole('button', { name: 'JavaScript' }).click();
    for (const [id, part] of runs) {
      const code = `${await sampleOf(id)}\nconsole.log(typeof content === 'string' ? content : JSON.stringify(content));`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
      expect(stdout, id).to.include(part);
    }
    await section(page, PNG).getByRole('button', { name: 'Python' }).click();
    const python = await sampleOf('tag/catalog/POST/v1/catalog/batch');
    expect(python).to.include('requests.post(').and.include('json={').and.include(`'X-API-Key': '${key}'`);
  });

  it('has samples of uploads that work as they are, and sends a text or a file that was chosen', async () => {
    const [drawing, archive] = [
      'tag/own-brands/PUT/v1/brands/{slug}/variants/{variant}',
      'tag/own-brands/PUT/v1/brands',
    ];
    const page = await open({ path: `/docs#${drawing}` });
    for (const [id, ...parts] of [
      [drawing, 'image/svg+xml', 'The SVG, at most 1 MiB. A .svgz file must also have at most 1 MiB when unzipped.'],
      [archive, 'application/zip', 'The archive, at most 32 MiB.'],
    ] as const)
      for (const part of ['Body', ...parts])
        expect(await section(page, id).locator('.operation-text').textContent(), id).to.include(part);

    const key = await server.key();
    await fetch(`${server.base}/v1/brands/intranet`, {
      ...{ method: 'PUT', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } },
      body: JSON.stringify({ title: 'Intranet' }),
    });
    const zip = join(folder.path, 'upload.zip');
    writeFileSync(zip, zipSync({ 'packed.svg': strToU8('<svg viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>') }));
    const client = pathToFileURL(join(ROOT, 'dist/src/client/index.js')).href;
    const log = '\nconsole.log(JSON.stringify(content));';
    const run = async (program: string, ...words: string[]) =>
      (await promisify(execFile)(program, words, { cwd: folder.path })).stdout;
    for (const language of ['curl', 'TypeScript', 'JavaScript', 'Python']) {
      await section(page, drawing).getByRole('button', { name: language, exact: true }).click();
      for (const [id, part] of [
        [drawing, '"name":"default"'],
        [archive, '"file":"packed.svg"'],
      ] as const) {
        const shown = (await section(page, id).locator('.panel pre').first().textContent()) ?? '';
        const code = shown.replace('blz_…', key).replace('blazon/client', client);
        if (language === 'Python')
          expect(code, id).to.match(
            id === drawing ? /data='<svg .+'\.encode\(\),/ : /data=open\('upload\.zip', 'rb'\),/,
          );
        else
          expect(
            await (language === 'curl'
              ? run('sh', '-c', code)
              : run(process.execPath, '--input-type=module', '-e', code + log)),
            `${language} ${id}`,
          ).to.include(part);
      }
    }

    const text = await tryIt(page, 'Upload a drawing of an own brand');
    await keyField(text).fill(key);
    await text.getByLabel('Body').fill('<svg viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>');
    expect((await sent(page, () => send(text))).headers).to.include({ 'content-type': 'image/svg+xml' });
    await text.getByText(/^200 OK/).waitFor();
    await text.getByRole('button', { name: 'Close' }).click();
    const file = await tryIt(page, 'Upload many own brands in an archive');
    await file.getByLabel('Body').setInputFiles(zip);
    await send(file);
    await file.getByText('"applied": true').waitFor();
  });

  it('sends exactly the selected parameters, and shows the response', async () => {
    const page = await open();
    const dialog = await tryIt(page, 'Get a logo as PNG');
    expect(await keyField(dialog).inputValue()).to.equal('');
    expect(await keyField(dialog).getAttribute('placeholder')).to.equal(null);
    const key = await server.key();
    await keyField(dialog).fill(key);
    const first = await sent(page, () => send(dialog));
    expect(first.url).to.equal('/v1/png/github');
    expect(first.headers).to.include({ 'x-api-key': key }).and.not.have.property('authorization');
    const image = dialog.getByRole('img', { name: 'Response' });
    await image.waitFor();
    const naturalWidth = () => image.evaluate((element: { naturalWidth: number }) => element.naturalWidth);
    expect(await naturalWidth()).to.equal(256);
    await dialog.getByText(/^200 OK/).waitFor();
    expect(await dialog.locator('.answer').getByRole('status').innerText()).to.match(/^200 OK \d+ ms, [\d,]+ bytes$/);
    await dialog.getByText(/^Headers/).click();
    const headers = await dialog.getByRole('group', { name: 'Response headers' }).innerText();
    expect(headers).to.include('content-type: image/png');
    await dialog.getByLabel('size').fill('64');
    await dialog.getByRole('combobox', { name: 'on', exact: true }).selectOption('dark');
    expect(await dialog.getByRole('group', { name: 'curl sample' }).innerText()).to.include('?on=dark&size=64');
    expect((await sent(page, () => send(dialog))).url).to.equal('/v1/png/github?on=dark&size=64');
    await until(page, "document.querySelector('dialog img').naturalWidth === 64");
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).to.equal('github.png');
    expect((await readFile(await (await download).path())).subarray(1, 4).toString()).to.equal('PNG');
  });

  it('accepts an API key, a publishable key or an access token in one field, for all routes, and stores none of them', async () => {
    const page = await open();
    const { accessToken } = await server.customer();
    const { raw: publishableKey } = await pageKey(server);
    const usage = await tryIt(page, "Get today's usage");
    await keyField(usage).fill(accessToken);
    const asBearer = await sent(page, () => send(usage));
    expect(asBearer.headers).to.include({ authorization: `Bearer ${accessToken}` });
    await usage.getByText('"endpoints"').waitFor();
    await usage.getByRole('button', { name: 'Close' }).click();
    const logo = await tryIt(page, 'Get a logo as WebP');
    expect(await keyField(logo).inputValue()).to.equal(accessToken);
    await keyField(logo).fill(publishableKey);
    const inQuery = await sent(page, () => send(logo));
    expect(inQuery.url).to.equal(`/v1/webp/github?key=${publishableKey}`);
    expect(inQuery.headers).to.not.have.any.keys('authorization', 'x-api-key');
    await logo.getByRole('button', { name: 'Close' }).click();
    const icon = await tryIt(page, "Get an icon as SVG, rendered like Iconify's API");
    expect((await sent(page, () => send(icon))).url).to.equal(`/iconify/${publishableKey}/blazon/github.svg`);
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])');
    expect(stored).to.not.match(/blzp?_|eyJ/);
    await page.reload();
    await complete(page);
    expect(await keyField(await tryIt(page, 'Get a logo as PNG')).inputValue()).to.equal('');
  });

  it('sends bodies as they were edited, formats JSON, and shows errors and long answers within bounds', async () => {
    const page = await open();
    const batch = await tried(page, 'Get many entries');
    await batch.getByLabel('Body').fill('{"slugs":["stripe"],"fields":["title"]}');
    await send(batch);
    await batch.getByText('"title": "Stripe"').waitFor();
    await batch.getByLabel('Body').fill('{"slugs":');
    await send(batch);
    await batch.getByText(/^400/).waitFor();
    expect(await batch.getByRole('group', { name: 'Response', exact: true }).innerText()).to.include('"invalid_json"');
    await batch.getByRole('button', { name: 'Close' }).click();
    const document = await tryIt(page, 'Get the OpenAPI document');
    await send(document);
    await document.getByText('The first 20,000 of').waitFor();
    const shown = await document.getByRole('group', { name: 'Response', exact: true }).textContent();
    expect(shown).to.have.length(MAX_SHOWN_CHARACTERS);
    await page.route('**/openapi.json', (route) => route.abort());
    await send(document);
    await document.getByText(/^No response/).waitFor();
  });

  it('sends a DELETE by the second click', async () => {
    const page = await open();
    const { accessToken } = await server.customer();
    const dialog = await tryIt(page, 'End one session');
    await keyField(dialog).fill(accessToken);
    let requests = 0;
    page.on('request', () => requests++);
    await dialog.getByRole('button', { name: 'Send DELETE' }).click();
    const confirm = dialog.getByRole('button', { name: 'Confirm DELETE' });
    await confirm.waitFor();
    await dialog.getByLabel('id').fill('AAAAAAAAAAAAAAAA');
    await dialog.getByRole('button', { name: 'Send DELETE' }).click();
    expect(requests).to.equal(0);
    const request = await sent(page, () => confirm.click());
    expect([request.method, request.url]).to.deep.equal(['DELETE', '/auth/sessions/AAAAAAAAAAAAAAAA']);
    await dialog.getByText(/^404/).waitFor();
    await dialog.getByRole('button', { name: 'Send DELETE' }).waitFor();
  });

  it('shows pictures on a background on which black and white are both visible', async () => {
    for (const colorScheme of COLOR_SCHEMES) {
      const page = await open({ colorScheme, path: `/docs#${PNG}` });
      const dialog = await tried(page, 'Get a logo as PNG');
      const examples = ['svg', 'png', 'webp'].map((format) => page.locator(`img[src="/docs/example.${format}"]`));
      for (const image of [...examples, dialog.getByRole('img', { name: 'Response' })]) {
        const colors = (await color(image, 'backgroundImage')).match(/rgba?\([^)]+\)|transparent/g) ?? [];
        expect(colors).to.have.length.of.at.least(2);
        for (const behind of colors)
          for (const logo of ['#181717', '#fff'])
            expect(wcagContrast(behind, logo), `${logo} on ${behind}`).to.be.above(3);
      }
    }
  });

  it('leads to any section by its URL, and marks the current one while scrolling', async () => {
    const page = await open({ path: `/docs#${PNG}` });
    const topOf = async (id: string) => (await section(page, id).getByRole('heading').first().boundingBox())?.y;
    await current(page).filter({ hasText: 'Get a logo as PNG' }).waitFor();
    expect(await topOf(PNG)).to.be.within(30, 230);
    const far = 'tag/billing/POST/v1/billing/webhook';
    await page.locator(`nav a[href="#${far}"]`).click();
    await current(page).filter({ hasText: 'Receive a Stripe event' }).waitFor();
    expect(await topOf(far)).to.be.within(30, 230);
    await page.goBack();
    await current(page).filter({ hasText: 'Get a logo as PNG' }).waitFor();
    await until(
      page,
      "(scrollTo(0, 0), document.querySelector('nav [aria-current=location]').hash === '#tag/pictures')",
    );
  });

  it('opens with an unknown fragment in the URL', async () => {
    for (const fragment of ['nothing', '%E0%A4%A']) {
      const page = await open({ path: `/docs#${fragment}` });
      await current(page).filter({ hasText: 'Introduction' }).waitFor();
    }
  });

  it('shows one chapter at a time, so that Ctrl-F stays within it, with links to its neighbors', async () => {
    const page = await open();
    const visible = () => page.locator('main h2:visible').allInnerTexts();
    expect(await page.locator('main h3:visible').count(), 'no operation').to.equal(0);
    const heights: number[] = [];
    for (const name of ['Credentials', 'Errors', 'Pictures']) {
      await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link').last().click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
      expect(await visible()).to.deep.equal([name]);
      heights.push(await page.evaluate<number>('document.documentElement.scrollHeight'));
    }
    expect(Math.max(...heights)).to.be.below(40_000);
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: 'Errors' }).waitFor();
  });

  it('searches all chapters by words of the summary, the description, parameters, the method and the path', async () => {
    const page = await open();
    const filter = page.getByRole('searchbox', { name: 'Search all chapters' });
    await filter.fill('delete session');
    expect(await links(page).count()).to.be.within(1, 4);
    await filter.fill('perline');
    expect((await links(page).allInnerTexts()).join()).to.include('Get several logos in one picture');
    await filter.fill('zzqq');
    await page.getByText('No results.').waitFor();
    await filter.fill('/v1/brand');
    await filter.press('Enter');
    await page.waitForURL(/#tag\/search\/GET\/v1\/brand$/);
  });

  it('fits a phone, with the routes in a menu', async () => {
    const page = await open({ width: 390 });
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await scrolledWidth(page.locator('html'))).to.equal(width);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await links(page).count()).to.equal(0);
    await page.getByRole('button', { name: 'Routes' }).click();
    await page.getByRole('searchbox', { name: 'Search all chapters' }).fill('search entries');
    await links(page).first().click();
    await page.waitForURL(/#tag\/search\/GET\/v1\/search$/);
    expect(await links(page).count()).to.equal(0);
    const dialog = await tried(page, 'Get a logo as PNG');
    await dialog.getByRole('img', { name: 'Response' }).waitFor();
    expect(await scrolledWidth(dialog)).to.equal(390);
  });

  it('can be used with the keyboard', async () => {
    const page = await open({ path: `/docs#${PNG}` });
    const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('main');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Try it: Get a logo as PNG' }).press('Enter');
    await dialog.waitFor();
    await keyField(dialog).fill(await server.key());
    await page.keyboard.press('Enter');
    await dialog.getByRole('img', { name: 'Response' }).waitFor();
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab');
      const outline = await color(page.locator(':focus'), 'outlineStyle');
      expect(outline, await focused()).to.not.equal('none');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).to.equal('Try it: Get a logo as PNG');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Routes' }).press('Enter');
    await links(page).first().waitFor();
    await page.keyboard.press('Escape');
    await links(page).first().waitFor({ state: 'hidden' });
  });

  // Scope of the tests `dark` and `phone`: one example of each part of the page. The test `light` checks the whole
  // page.
  const PARTS = ['header', 'nav', '[id="introduction"]', `[id="${PNG}"]`];
  for (const [name, options, scope] of [
    ['light', {}, {}],
    ['dark', { colorScheme: 'dark' }, { within: PARTS }],
    ['phone', { width: 390 }, { within: PARTS }],
  ] as const)
    it(`is accessible: ${name}`, async function () {
      const page = await open({ path: `/docs#${PNG}`, ...options });
      // Makes the browser lay out all operations, and opens the collapsed parts of one operation.
      await page.evaluate(
        "for (const { style } of document.querySelectorAll('.operation')) style.contentVisibility = 'visible'",
      );
      for (const summary of await section(page, PNG).locator('summary').all()) await summary.click();
      expect(await violations(page, scope)).to.deep.equal([]);
      await tried(page, 'Search entries');
      expect(await violations(page, { within: ['dialog[open]'] })).to.deep.equal([]);
    });

  it('prints only its content, in dark letters', async () => {
    const page = await open({ path: `/docs#${PNG}`, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    const buttons = page.getByRole('button', { name: /^Try it/ });
    for (const hidden of [page.getByRole('banner'), page.getByRole('navigation', { name: 'Routes' }), buttons.first()])
      expect(await hidden.isVisible()).to.equal(false);
    expect(wcagContrast(await color(page.locator('h3').first(), 'color'), '#fff')).to.be.above(7);
  });

  for (const width of [1280, 390])
    it(`is shown before its routes, and does not move when they appear: ${width} px`, async () => {
      const page = await browser().newPage({ viewport: { width, height: 900 } });
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/openapi.json', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${server.base}/docs`, { waitUntil: 'commit' });
      const places = [
        page.getByRole('heading', { name: 'API reference' }),
        page.getByText('Brand logos as SVG, PNG and WebP').first(),
        page.getByText('Rules between parameters are part').first(),
        page.getByRole('link', { name: 'Blazon, front page' }),
      ];
      await page.getByText('Loading the routes…').waitFor();
      await page.evaluate('document.fonts.ready');
      const boxes = () => Promise.all(places.map((place) => place.boundingBox()));
      const before = await boxes();
      expect(before).to.not.include(null);
      release();
      await complete(page);
      expect(await boxes()).to.deep.equal(before);
      await page.close();
    });

  it('is shown with the headings of all operations first, and the linked one complete', async () => {
    const page = await browser().newPage();
    // When the first operations appear on the page, records how many there are, and the ids of the complete ones.
    await page.addInitScript(`new MutationObserver((_, observer) => {
      const shown = document.querySelectorAll('.operation');
      if (shown.length === 0) return;
      observer.disconnect();
      globalThis.first = [shown.length,
        [...shown].filter((each) => each.querySelector('.fields')).map(({ id }) => id)];
    }).observe(document, { childList: true, subtree: true })`);
    await page.goto(`${server.base}/docs#${PNG}`);
    await complete(page);
    const all = (await operations()).length;
    expect(await page.evaluate('first')).to.deep.equal([all, [PNG]]);
    expect(await page.locator('.operation.incomplete').count()).to.equal(0);
    await page.close();
  });

  it('says so if it cannot be loaded', async () => {
    const page = await browser().newPage();
    await page.route('**/openapi.json', (route) => route.abort());
    await page.goto(`${server.base}/docs`);
    await page.getByText('The reference could not be loaded.').waitFor();
    await page.close();
  });
});
