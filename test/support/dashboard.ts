// The dashboard under test: a service whose PUBLIC_URL is where it listens, a browser, and people in contexts of their own.
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ask, signedIn, type SignedIn } from './auth.js';
import { launchBrowser, openTab, type OpenedPage } from './browser.js';
import { freePort } from '../../scripts/server-process.js';
import { startServer, type TestServer } from './server.js';

export const PASSWORD = 'quite a long pass phrase';

export interface ContextOptions {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

export interface Dashboard {
  readonly server: TestServer;
  readonly browser: Browser;
  /** A visitor's browser, with what every page of it did wrong. */
  readonly visitor: (options?: ContextOptions) => Promise<Visitor>;
  /** A visitor's browser for as long as the work takes; fails when a page of it did something wrong. */
  readonly withVisitor: (
    work: (visitor: Visitor, dashboard: Dashboard) => Promise<void>,
    options?: ContextOptions,
  ) => Promise<void>;
  /** A fresh account, without a browser. */
  readonly account: () => Promise<SignedIn>;
  readonly close: () => Promise<void>;
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly open: (path: string) => Promise<Page>;
  /** Of all pages so far. */
  readonly faults: () => string[];
}

let people = 0;

/** Called from a `before` hook with its `this`. `now`: ms since the epoch. */
export async function openDashboard(
  test: Mocha.Context,
  variables: Record<string, string> = {},
  now: () => number = Date.now,
): Promise<Dashboard> {
  const browser = await launchBrowser(test);
  const port = String(await freePort());
  const server = await startServer({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...variables }, now);
  const dashboard: Dashboard = {
    server,
    browser,
    async visitor({ width = 1280, colorScheme = 'light' } = {}) {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        acceptDownloads: true,
      });
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
    async withVisitor(work, options) {
      const visitor = await dashboard.visitor(options);
      await work(visitor, dashboard);
      expect(visitor.faults()).to.deep.equal([]);
      await visitor.context.close();
    },
    account: () => registered(server),
    async close() {
      await browser.close();
      await server.close();
    },
  };
  return dashboard;
}

async function registered(server: TestServer): Promise<SignedIn> {
  people += 1;
  const email = `person-${process.pid}-${people}@example.com`;
  return signedIn(await ask(server, '/auth/register', { body: { email, password: PASSWORD } }));
}

/** With the form, from wherever it stands. */
export async function signInOn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The overview of this account. */
export async function signedInPage(visitor: Visitor, { email }: SignedIn): Promise<Page> {
  const page = await visitor.open('/sign-in');
  await signInOn(page, email);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return page;
}

/** In the dialog that asks for the password. */
export async function confirmWith(page: Page, action: string, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: action }).click();
}
