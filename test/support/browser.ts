// Chromium for tests. If Chromium is missing, tests are skipped with a message. With CI=true, they fail.
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumOptions, NO_CHROMIUM } from '../../scripts/chromium.js';

/**
 * Starts Chromium. If Chromium is missing, skips the tests. If the environment variable `CI` is `true`, throws an error
 * instead of skipping them. Call this function in a `before` hook with the hook's `this`.
 */
export async function launchBrowser(test: Mocha.Context): Promise<Browser> {
  const options = chromiumOptions();
  if (options) return chromium.launch(options);
  if (process.env.CI === 'true') throw new Error(NO_CHROMIUM);
  process.stdout.write(`      pending: ${NO_CHROMIUM}\n`);
  test.skip();
}

/** Starts Chromium before the tests of this block, and closes it after them. */
export function withBrowser(): () => Browser {
  let browser: Browser | undefined;
  before(async function () {
    browser = await launchBrowser(this);
  });
  after(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser is open during tests alone.');
    return browser;
  };
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors in scripts and on the console, and requests to other origins. */
  readonly faults: string[];
}

/** Opens a page in a new context. The page may load only from the origin of `base`. */
export async function openPage(
  browser: Browser,
  base: string,
  { path, width = 1280, colorScheme = 'light' }: { path: string; width?: number; colorScheme?: 'light' | 'dark' },
): Promise<OpenedPage> {
  return openTab(await browser.newPage({ viewport: { width, height: 900 }, colorScheme }), base, path);
}

/** Opens a URL in this new page. Pages of the same context share cookies, like tabs in a browser. */
export async function openTab(page: Page, base: string, path: string): Promise<OpenedPage> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !message.text().startsWith('Failed to load resource') &&
      faults.push(message.text()),
  );
  page.on(
    'request',
    (request) =>
      !request.url().startsWith(base) && !/^(data|blob):/.test(request.url()) && faults.push(`asked ${request.url()}`),
  );
  await page.goto(base + path);
  return { page, faults };
}
