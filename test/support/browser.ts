// Chromium for tests. Without it a test is pending with the reason, or fails if CI=true.
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumOptions, NO_CHROMIUM } from '../../scripts/chromium.js';

/** Call it in a `before` hook with the hook's `this`. */
export async function launchBrowser(test: Mocha.Context): Promise<Browser> {
  const options = chromiumOptions();
  if (options) return chromium.launch(options);
  if (process.env.CI === 'true') throw new Error(NO_CHROMIUM);
  process.stdout.write(`      pending: ${NO_CHROMIUM}\n`);
  test.skip();
}

/** Chromium for the tests of this block. */
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
  /** Errors of scripts and of the console, and requests to other servers. */
  readonly faults: string[];
}

/** `base` is the only origin from which the page may load. */
export async function openPage(
  browser: Browser,
  base: string,
  { path, width = 1280, colorScheme = 'light' }: { path: string; width?: number; colorScheme?: 'light' | 'dark' },
): Promise<OpenedPage> {
  return openTab(await browser.newPage({ viewport: { width, height: 900 }, colorScheme }), base, path);
}

/** The page is new, and may share its context with others, like tabs of a browser. */
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
