// The pages that mailed links lead to, as people meet them: on a phone, in the dark, with the keyboard.
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { ask, newLinkToken, signedIn, type SignedIn } from '../support/auth.js';
import { launchBrowser, openPage, type OpenedPage } from '../support/browser.js';
import { startServer, type TestServer } from '../support/server.js';

const PASSWORD = 'quite a long pass phrase';
const SCREENSHOTS = process.env.SCREENSHOTS;

describe('the pages of mailed links', () => {
  let server: TestServer;
  let browser: Browser | undefined;
  before(async function () {
    this.timeout(60_000);
    browser = await launchBrowser(this);
    server = await startServer();
  });
  after(async () => {
    await browser?.close();
    if (browser) await server.close();
  });

  async function open(
    path: string,
    options: { width?: number; colorScheme?: 'light' | 'dark' } = {},
  ): Promise<OpenedPage> {
    const opened = await openPage(browser!, server.base, { path, ...options });
    opened.page.on(
      'request',
      (request) => request.url().includes('token') && opened.faults.push('the token was sent in an address'),
    );
    return opened;
  }

  async function register(email: string): Promise<SignedIn> {
    return signedIn(await ask(server, '/auth/register', { body: { email, password: PASSWORD } }));
  }

  it('resets the password, with the keyboard alone, and accepts the link once', async () => {
    const { email, apiKey } = await register('reset-page@example.com');
    await ask(server, '/auth/forgot-password', { body: { email } });
    const token = await newLinkToken(server, email, { purpose: 'reset-password' });
    const { page, faults } = await open(`/reset-password#token=${token}`);
    await page.getByText('At least 12 characters').waitFor();
    await page.keyboard.type('short and so');
    await page.locator('#password').fill('password1234');
    await page.keyboard.press('Enter');
    await page.getByText('on the list of common passwords').waitFor();
    await page.locator('#password').fill('another long phrase');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your password was reset' }).waitFor();
    expect(
      await page.getByText('You will be signed out everywhere').isVisible(),
      'what is over is not announced',
    ).to.equal(false);
    await page
      .getByText(
        new RegExp(
          `still works: it ends in ${apiKey.slice(-4)} and was created on .*${new Date().getFullYear()}.*replace it`,
        ),
      )
      .waitFor();
    expect(page.url()).not.to.include(token);
    expect((await ask(server, '/auth/login', { body: { email, password: 'another long phrase' } })).status).to.equal(
      200,
    );
    expect(faults).to.deep.equal([]);
    await page.goto('about:blank');
    await page.goto(`${server.base}/reset-password#token=${token}`);
    await page.locator('#password').fill('yet another long phrase');
    await page.keyboard.press('Enter');
    await page.getByText('used already, or has expired').waitFor();
    expect(await page.title()).to.include('cannot be used');
    await page.keyboard.type(email);
    await page.route(
      '**/auth/**',
      (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      { times: 1 },
    );
    await page.keyboard.press('Enter');
    await page.getByText('could not be reached').waitFor();
    await page.getByRole('button', { name: 'Send another link' }).click();
    await page.getByText('a mail with a link is on its way').waitFor();
    const another = await newLinkToken(server, email, { purpose: 'reset-password', known: [token] });
    await page.goto(`${server.base}/reset-password#token=${another}`);
    await page.locator('#password').fill('yet another long phrase');
    await page.keyboard.press('Enter');
    await page.getByText('Your password was reset').waitFor();
    await page.close();
  });

  it('verifies an address with one click, and not by being opened', async () => {
    const { email, accessToken } = await register('verify-page@example.com');
    const token = await newLinkToken(server, email, { purpose: 'verify-email' });
    const { page, faults } = await open(`/verify-email?utm_source=mail&utm_medium=link#token=${token}`);
    const verified = async () =>
      (
        (await ask(server, '/auth/me', { method: 'GET', bearer: accessToken })).body.account as {
          emailVerified: boolean;
        }
      ).emailVerified;
    expect(await verified()).to.equal(false);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'E-mail address verified' }).waitFor();
    expect(await page.getByText('Confirm that mails').isVisible()).to.equal(false);
    expect(await verified()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await page.close();
  });

  it('reports a link that is not complete', async () => {
    const { page } = await open('/reset-password');
    await page.getByText('It is not complete').waitFor();
    expect(await page.locator('#use').isVisible()).to.equal(false);
    // Put into the same window, as a whole.
    await page.evaluate("location.hash = 'token=x'");
    await page.locator('#use').waitFor();
    await page.close();
  });

  for (const [name, options] of [
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { width: 360 }],
  ] as const) {
    it(`fits the window: ${name}`, async () => {
      for (const path of ['/reset-password#token=x', '/verify-email#token=x']) {
        const { page } = await open(path, options);
        await page.getByRole('button').waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true);
        if (SCREENSHOTS !== undefined) {
          mkdirSync(SCREENSHOTS, { recursive: true });
          await page.screenshot({ path: `${SCREENSHOTS}/${path.slice(1, 6)}-${name}.png` });
        }
        await page.close();
      }
    });
  }
});
