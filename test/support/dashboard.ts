// The dashboard under test: a service with its own address as PUBLIC_URL, a browser, and visitors with separate browser
// contexts.
import { expect } from 'chai';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { ask, signedIn, type SignedIn } from './auth.js';
import { launchBrowser, openTab, type OpenedPage } from './browser.js';
import { freePort } from '../../scripts/server-process.js';
import type { CatalogPart } from './sample-catalog.js';
import { startServer } from './server.js';

export const PASSWORD = 'quite a long pass phrase';

interface ContextOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>;

export interface Visitor {
  readonly context: BrowserContext;
  readonly open: (path: string) => Promise<Page>;
  /** Returns the errors that any page has reported so far. */
  readonly faults: () => string[];
}

let people = 0;

/**
 * Starts the service and the browser. Call this in a `before` hook with the hook's `this`. `now` returns ms since the
 * epoch.
 */
export async function openDashboard(
  test: Mocha.Context,
  variables: Record<string, string> = {},
  now: () => number = Date.now,
  catalog: CatalogPart = 'sample',
) {
  const browser = await launchBrowser(test);
  const port = String(await freePort());
  const server = await startServer({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...variables }, now, catalog);
  return {
    server,
    /** Opens a browser context and collects the errors of the context's pages. */
    visitor: async ({ width = 1280, colorScheme = 'light' }: ContextOptions = {}): Promise<Visitor> => {
      const viewport = { width, height: 900 };
      const context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.base });
      const opened: OpenedPage[] = [];
      return {
        context,
        async open(path) {
          const one = await openTab(await context.newPage(), server.base, path);
          opened.push(one);
          return one.page;
        },
        faults: () => opened.flatMap(({ faults }) => faults),
      };
    },
    account: async (): Promise<SignedIn> => {
      people += 1;
      const email = `person-${process.pid}-${people}@example.com`;
      return signedIn(await ask(server, '/auth/register', { body: { email, password: PASSWORD } }));
    },
    async close(): Promise<void> {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * Starts a dashboard for the tests of this block. Each test gets a browser context. A test fails if one of its pages
 * reports an error.
 */
export function withDashboard(
  variables: Record<string, string> = {},
  now: () => number = Date.now,
  catalog: CatalogPart = 'sample',
) {
  let dashboard: Dashboard | undefined;
  before(async function () {
    dashboard = await openDashboard(this, variables, now, catalog);
  });
  after(() => dashboard?.close());
  return async (
    work: (visitor: Visitor, dashboard: Dashboard) => Promise<void>,
    options?: ContextOptions,
  ): Promise<void> => {
    if (!dashboard) throw new Error('There is no dashboard.');
    const visitor = await dashboard.visitor(options);
    await work(visitor, dashboard);
    expect(visitor.faults()).to.deep.equal([]);
    await visitor.context.close();
  };
}

export async function signInOn(page: Page, email: string, password = PASSWORD, action = 'Sign in'): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: action }).click();
}

export function registerOn(page: Page, email: string): Promise<void> {
  return signInOn(page, email, PASSWORD, 'Create account');
}

export async function signedInPage(visitor: Visitor, { email }: SignedIn, path = '/overview'): Promise<Page> {
  const page = await visitor.open(path);
  await signInOn(page, email);
  await page.waitForURL(`**${path}`);
  return page;
}

export async function confirmWith(page: Page, action: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: action }).click();
}

export function heading(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, exact: true });
}

export function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}
