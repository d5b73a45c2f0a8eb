// Every page in light and dark: axe finds no violations, and the page fits a small phone. With SCREENSHOTS, also takes
// screenshots.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ask } from '../support/auth.js';
import { violations } from '../support/axe.js';
import { clipboard, signedInPage, withDashboard, type Dashboard, type Visitor } from '../support/dashboard.js';

const { SCREENSHOTS } = process.env;
const SMALLEST_PX = 320;

/** Pages without sign-in: URL, and an element that exists when the page is complete. */
const OPEN_PAGES = {
  front: ['/', (page: Page) => page.getByRole('heading', { name: 'Find a logo by domain' })],
  register: ['/register', (page: Page) => page.getByRole('button', { name: 'Create account' })],
  'confirm-registration': [
    '/confirm-registration#token=x',
    (page: Page) => page.getByRole('button', { name: 'Create account' }),
  ],
  'sign-in': ['/sign-in', (page: Page) => page.getByRole('button', { name: 'Sign in' })],
  'forgot-password': ['/forgot-password', (page: Page) => page.getByRole('button', { name: 'Request link' })],
  'reset-password': ['/reset-password#token=x', (page: Page) => page.getByRole('button', { name: 'Reset password' })],
  'verify-email': ['/verify-email#token=x', (page: Page) => page.getByRole('button', { name: 'Verify address' })],
  'confirm-email': ['/confirm-email#token=x', (page: Page) => page.getByRole('button', { name: 'Confirm address' })],
  'not-found': ['/nothing', (page: Page) => page.getByRole('main').getByRole('link', { name: 'API reference' })],
  migration: ['/migration', (page: Page) => page.getByRole('heading', { name: 'Vaultwarden' })],
  strip: ['/strip?icons=github,docker,stripe,figma', (page: Page) => page.getByAltText(/on a dark page$/)],
  catalog: ['/catalog', (page: Page) => page.getByRole('link', { name: 'Google', exact: true })],
  'empty-strip': ['/strip', (page: Page) => page.getByRole('button', { name: 'Show an example' })],
  'unknown-host': [
    '/catalog?q=walmart.com',
    (page: Page) => page.getByRole('img', { name: 'Monogram of walmart.com' }),
  ],
  'nothing-found': [
    '/catalog?q=Vandelay%20Imports',
    (page: Page) => page.getByRole('button', { name: 'Report as missing' }),
  ],
} as const;
const SIGNED_IN_PAGES = {
  overview: ['/overview', (page: Page) => page.getByRole('meter').first()],
  usage: ['/usage', (page: Page) => page.getByRole('cell').first()],
  keys: ['/keys', (page: Page) => page.getByText('1 of 10,000 today')],
  brands: ['/brands', (page: Page) => page.getByText('Drop SVG files anywhere on this page')],
  webhooks: ['/webhooks', (page: Page) => page.getByRole('button', { name: 'Add endpoint' })],
  reports: ['/reports', (page: Page) => page.getByText('For operators only')],
  sessions: ['/sessions', (page: Page) => page.getByText('This session')],
  account: ['/account', (page: Page) => page.getByText('The account was created')],
  entry: ['/catalog/github', (page: Page) => page.getByTestId('live-picture')],
} as const;

const USED = { svg: 642, png: 211, webp: 468, catalog: 87, search: 154, domain: 23, batch: 3 } as const;
const BUCKETS = Object.keys(USED) as (keyof typeof USED)[];

/** Usage of 30 days for screenshots: the service itself can only count requests of today. */
function monthOfUse(): object {
  const days = Array.from({ length: 30 }, (_, at) => {
    const date = new Date(PICTURE_TIME - (29 - at) * 86_400_000);
    const busy = ([0, 6].includes(date.getUTCDay()) ? 0.45 : 1) * (0.75 + ((at * 37) % 50) / 100);
    const buckets = Object.fromEntries(BUCKETS.map((bucket) => [bucket, Math.round(USED[bucket] * busy)]));
    const total = Object.values(buckets).reduce((sum, count) => sum + count, 0);
    return { date: date.toISOString().slice(0, 10), buckets, total };
  });
  const sumOf = (bucket: string) => days.reduce((sum, { buckets }) => sum + (buckets[bucket] ?? 0), 0);
  const totals = Object.fromEntries(BUCKETS.map((bucket) => [bucket, sumOf(bucket)]));
  return { from: days[0]!.date, to: days.at(-1)!.date, tier: 'free', totals, days };
}

/** Response counts of 30 days for screenshots. */
function monthOfResponses(): object {
  const days = Array.from({ length: 30 }, (_, at) => {
    const responses = {
      '2xx': 1460 + ((at * 37) % 50),
      '3xx': 310,
      '4xx': at === 12 ? 214 : 6,
      '5xx': at === 20 ? 3 : 0,
    };
    const slugs = ['github', 'stripe', 'google', 'slack', 'figma', 'microsoft', 'x'];
    const topSlugs = slugs.map((slug, place) => ({ slug, requests: 260 - place * 37 }));
    return { date: new Date(PICTURE_TIME - (29 - at) * 86_400_000).toISOString().slice(0, 10), responses, topSlugs };
  });
  return { from: days[0]!.date, to: days.at(-1)!.date, days };
}

/** Time of the screenshots. It is fixed, so that they change only when a page changes. */
const PICTURE_TIME = Date.UTC(2026, 10, 22, 12);
/** Script that replaces keys, ports and URLs by fixed examples. */
const SAME_IN_ALL_RUNS = `(() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.data = currentNode.data
      .replace(/blzp_[0-9A-Za-z]{40,}/, 'blzp_' + '4fT9cQ2mXw7bLr0KzN5e'.repeat(3).slice(0, 50))
      .replace(/blz_…[0-9A-Za-z]{4}/, 'blz_…3fQ9')
      .replace(/^[0-9A-Za-z]{4}$/, (hint) => (currentNode.previousSibling?.data === 'blz_…' ? '3fQ9' : hint))
      .replace(/http:\\/\\/127\\.0\\.0\\.1:\\d+/, 'https://icons.example.com')
      .replace(/person-\\d+-\\d+@/, 'you@');
  }
})()`;

/** Waits until CSS transitions have ended, because colors change gradually during a transition. */
const TRANSITIONS_ENDED = `Promise.all(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition)
  .map(({ finished }) => finished.catch(() => undefined)))`;

const IS_DARK = `matchMedia('(prefers-color-scheme: dark)').matches`;
const PHONE_PX = 390;
/**
 * With the look `light`, `check` tests each page in the light and in the dark color scheme. The look `dark` is
 * therefore only needed for screenshots.
 */
const LOOKS: readonly (readonly [string, { readonly colorScheme?: 'dark'; readonly width?: number }])[] = [
  ['light', {}],
  ...(SCREENSHOTS === undefined ? [] : [['dark', { colorScheme: 'dark' }] as const]),
  ['phone', { width: PHONE_PX }],
];

async function check(visitor: Visitor, page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  const { width } = page.viewportSize()!;
  // Checks the page's own color scheme last, so that later screenshots of this page have this scheme.
  const schemes = (await page.evaluate(IS_DARK)) ? (['light', 'dark'] as const) : (['dark', 'light'] as const);
  for (const colorScheme of width <= PHONE_PX ? (['light'] as const) : schemes) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(TRANSITIONS_ENDED);
    const scope = colorScheme === 'dark' ? { rules: ['color-contrast'] } : {};
    expect(await violations(page, scope), `${name}, ${colorScheme}`).to.deep.equal([]);
  }
  await page.setViewportSize({ width: SMALLEST_PX, height: 800 });
  const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
  expect(scrollWidth, `${name} at ${SMALLEST_PX} px`).to.equal(SMALLEST_PX);
  await page.setViewportSize({ width, height: 900 });
  expect(visitor.faults(), name).to.deep.equal([]);
}

/** Every script and style that the page has loaded must be named in the HTML document. */
async function expectNoWaterfall(page: Page, name: string): Promise<void> {
  const late = await page.evaluate<string[]>(`(async () => {
    const html = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    return loaded.filter((path) => /\\.(?:js|css)$/.test(path) && !html.includes(path));
  })()`);
  expect(late, name).to.deep.equal([]);
}

async function picture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  await page.evaluate(
    'Promise.all([document.fonts.ready, ...[...document.images].filter(({ loading }) => loading !== "lazy").map((image) => image.decode().catch(() => undefined))])',
  );
  await page.waitForTimeout(300);
  await page.mouse.move(0, 0);
  await page.evaluate(SAME_IN_ALL_RUNS);
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, animations: 'disabled' });
}

/** Creates an account with usage and a publishable key, so that the screenshots have content. */
async function owner({ server, account }: Dashboard) {
  const person = await account();
  for (const bucket of BUCKETS) await server.setUsed(person.apiKey, bucket, USED[bucket]);
  const { body } = await ask(server, '/auth/publishable-keys', {
    bearer: person.accessToken,
    body: { name: 'Website', origins: ['example.com', '*.example.com'], dailyLimit: 10_000 },
  });
  const { key } = body.publishableKey as { key: string };
  await server.get(`/v1/svg/github?key=${key}`, undefined, { Referer: 'https://example.com/' });
  return person;
}

// Starts a new dashboard for each look, because all looks together exceed the limit of requests per client address. For
// screenshots, the clock stands still, so this limit does not refill.
for (const [look, options] of LOOKS)
  describe(`the pages of the dashboard: ${look}`, () => {
    // For screenshots, the dashboard has the whole catalog instead of a sample, and its clock shows `PICTURE_TIME`.
    const withVisitor = SCREENSHOTS === undefined ? withDashboard() : withDashboard({}, () => PICTURE_TIME, 'whole');

    it('are accessible, and fit', () =>
      withVisitor(async (visitor, dashboard) => {
        const { base } = dashboard.server;
        const lookAt = async (page: Page, name: string) => {
          await picture(page, `${name}-${look}`);
          await expectNoWaterfall(page, name);
          await check(visitor, page, name);
        };
        if (SCREENSHOTS !== undefined) await visitor.context.clock.setFixedTime(PICTURE_TIME);
        for (const [name, [path, complete]] of Object.entries(OPEN_PAGES)) {
          const page = await visitor.open(path);
          await complete(page).waitFor();
          await lookAt(page, name);
          await page.close();
        }
        const page = await signedInPage(visitor, await owner(dashboard));
        if (SCREENSHOTS !== undefined)
          for (const [path, month] of [
            ['usage', monthOfUse],
            ['responses', monthOfResponses],
          ] as const)
            await page.route(`**/v1/analytics/${path}?*`, (route) => route.fulfill({ json: month() }));
        for (const [name, [path, complete]] of Object.entries(SIGNED_IN_PAGES)) {
          await page.goto(base + path);
          await complete(page).waitFor();
          await lookAt(page, name);
        }
        for (const [name, path, opener] of [
          ['dialog', '/keys', 'Replace key'],
          ['dialog of another address', '/account', 'Change address'],
        ] as const) {
          await page.goto(base + path);
          await page.getByRole('button', { name: opener }).click();
          await page.getByRole('dialog').waitFor();
          if (name === 'dialog') await picture(page, `dialog-${look}`);
          await check(visitor, page, name);
        }
      }, options));
  });

describe('the pages of the dashboard', () => {
  const withVisitor = withDashboard();

  it('begin with what a visitor wants: logos, a request to copy that works, and links', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/');
      await page.locator('.strip img').nth(35).waitFor();
      await page.evaluate("Promise.all([...document.querySelectorAll('.strip img')].map((image) => image.decode()))");
      await page.getByRole('button', { name: 'Copy first request' }).click();
      const command = await clipboard(page);
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('blz_…', await server.key())]);
      expect(stdout).to.match(/^<svg /);
      for (const [name, href] of [
        ['Sign in', '/sign-in'],
        ['Get an API key', '/register'],
        ['API reference', '/docs'],
        ['Browse the catalog', '/catalog'],
      ] as const)
        expect(await page.getByRole('link', { name }).first().getAttribute('href')).to.equal(href);
    }));

  it('do not animate for people who prefer reduced motion', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/sign-in');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      const moving = `(() => {
      const element = document.createElement('div');
      element.className = 'skeleton';
      document.body.append(element);
      return parseFloat(getComputedStyle(element).animationDuration);
    })()`;
      expect(await page.evaluate<number>(moving)).to.be.above(0.1);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      expect(await page.evaluate<number>(moving)).to.be.below(0.001);
    }));

  it('follow the switch of the theme, here and in other tabs, and remember it', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/sign-in');
      const other = await visitor.open('/docs');
      const background = (of: Page) =>
        of.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
      const light = await background(page);
      await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
      const dark = await background(page);
      expect(dark).to.not.equal(light);
      await other.getByRole('button', { name: 'Switch to the light theme' }).waitFor();
      expect(await background(other)).to.equal(dark);
      await page.reload();
      expect(await background(page)).to.equal(dark);
      await page.getByRole('button', { name: 'Switch to the light theme' }).click();
      expect(await page.evaluate(`localStorage.getItem('blazon-theme')`), 'the system says light').to.equal(null);
    }));

  it('are used with the keyboard alone, with a visible focus', () =>
    withVisitor(async (visitor) => {
      const page = await visitor.open('/');
      await page.getByRole('heading', { name: 'Find a logo by domain' }).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to content');
      const seen =
        "(() => { const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement.closest('.quick-field, .try-field') ?? document.activeElement); return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1; })()";
      for (let presses = 0; presses < 12; presses++) {
        const element = await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 80)');
        expect(await page.evaluate(seen), element).to.equal(true);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('/');
      await page.keyboard.type('stripe');
      await page.keyboard.press('Enter');
      await page.getByTestId('live-picture').waitFor();
      await page.goto(`${new URL(page.url()).origin}/strip?icons=github`);
      await page.getByRole('tab', { name: 'img' }).focus();
      for (const [key, language] of [
        ['ArrowRight', 'picture'],
        ['End', 'Markdown'],
        ['ArrowRight', 'img'],
        ['ArrowLeft', 'Markdown'],
        ['Home', 'img'],
      ] as const) {
        await page.keyboard.press(key);
        await page
          .getByRole('tabpanel', { name: language })
          .getByRole('group', { name: `${language} code` })
          .waitFor();
        expect(await page.evaluate('document.activeElement.textContent'), key).to.equal(language);
      }
      await page.keyboard.press('Tab');
      const label = await page.evaluate('document.activeElement.ariaLabel');
      expect(label, 'the other tabs are skipped').to.equal('img code');
    }));
});
