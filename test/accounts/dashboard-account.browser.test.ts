// The dashboard for the owner of an account, in a real browser with the real service.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { AccountId } from '../../src/accounts/account.js';
import type { Slug } from '../../src/catalog/entry.js';
import { utcDay } from '../../src/platform/utc-day.js';
import { ask, eventually, mailsTo, newLinkToken } from '../support/auth.js';
import { violations } from '../support/axe.js';
import {
  clipboard,
  confirmWith,
  heading,
  openDashboard,
  PASSWORD,
  registerOn,
  signedInPage,
  signInOn,
  withDashboard,
} from '../support/dashboard.js';
import { startMailServer } from '../support/mail-server.js';
import { unfolded } from '../support/quoted-printable.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('the dashboard of an account', () => {
  let skippedMs = 0;
  const withVisitor = withDashboard({}, () => Date.now() + skippedMs);

  it('shows a new key, its first use, the usage bar, and a replaced key', () =>
    withVisitor(async (visitor, { server }) => {
      const page = await visitor.open('/');
      await page.getByRole('link', { name: 'Get an API key' }).first().click();
      await registerOn(page, 'first@example.com');
      await heading(page, 'Your API key').waitFor();
      expect(await violations(page), 'the page with the key').to.deep.equal([]);
      await page.getByRole('button', { name: 'Copy key' }).click();
      await page.getByText('Copied').first().waitFor();
      const key = await clipboard(page);
      expect(key)
        .to.equal(await page.getByTestId('api-key').innerText())
        .and.match(/^blz_/);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download .env' }).click();
      expect(readFileSync(await (await downloading).path(), 'utf8')).to.include(`BLAZON_API_KEY=${key}\n`);
      await page.getByRole('button', { name: 'Send it now' }).click();
      await page.getByAltText('GitHub’s logo, returned by the API').waitFor();
      const done = page.getByRole('button', { name: 'Continue to the dashboard' });
      expect(await done.isDisabled(), 'before it is stored').to.equal(true);
      const questions: string[] = [];
      page.on('dialog', (question) => {
        questions.push(question.message());
        void question.dismiss();
      });
      await page.getByRole('link', { name: 'Blazon, front page' }).click();
      await Promise.all([page.waitForEvent('dialog'), page.goBack()]);
      expect(questions).to.have.length(2);
      expect(questions[0]).to.include('shown only once');
      expect(await page.getByTestId('api-key').innerText()).to.equal(key);
      expect(new URL(page.url()).pathname).to.equal('/register');
      await page.getByLabel('I have stored the key').check();
      await done.click();
      const bar = page.getByRole('meter', { name: 'SVG pictures' });
      await bar.and(page.locator('[aria-valuenow="1"]')).waitFor();
      await page.getByText('1 of 1,000').waitFor();
      await page.getByText(/Resets at 00:00 UTC, in \d+ h \d+ min/).waitFor();
      await page.getByText(`blz_…${key.slice(-4)}`).waitFor();
      await page.getByText('Last used').waitFor();
      expect((await server.get('/v1/svg/stripe', key)).status).to.equal(200);
      // The page must update without a reload.
      await bar.and(page.locator('[aria-valuenow="2"]')).waitFor();

      await page.getByRole('link', { name: 'Keys', exact: true }).first().click();
      await page.getByRole('button', { name: 'Replace key' }).click();
      await page.getByText('The old key stops working immediately').waitFor();
      await confirmWith(page, 'Replace key');
      const another = await page.getByTestId('api-key').innerText();
      expect(another).to.match(/^blz_/).and.not.equal(key);
      expect(await violations(page), 'the keys with another key').to.deep.equal([]);
      expect((await server.get('/v1/svg/stripe', key)).status).to.equal(401);
      expect((await server.get('/v1/svg/stripe', another)).status).to.equal(200);
      await page.getByLabel('I have stored the key').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByText(`blz_…${another.slice(-4)}`).waitFor();
    }));

  it('signs out all tabs when one of them signs out everywhere', () =>
    withVisitor(async (visitor, { account, server }) => {
      const first = await signedInPage(visitor, await account(), '/sessions');
      const second = await visitor.open('/account');
      await heading(second, 'Account').waitFor();
      // The tab must be in front, because browsers slow down timers of background tabs.
      await first.bringToFront();
      await first.getByText('This session').waitFor();
      await first.getByText('Chrome on Linux').waitFor();
      await first
        .getByText(/127\.0\.0\.0\/24 · signed in .+ · last used just now/)
        .first()
        .waitFor();
      await first.getByRole('button', { name: 'Sign out everywhere' }).click();
      await confirmWith(first, 'Sign out everywhere', 'not the password at all');
      await first.getByText('password is wrong').waitFor();
      await confirmWith(first, 'Sign out everywhere');
      await heading(first, 'Sign in').waitFor();
      await heading(second, 'Sign in').waitFor();
      // Even after a reload, the second tab must not have a session.
      await second.goto(`${server.base}/overview`);
      await heading(second, 'Sign in').waitFor();
    }));

  it('renews the access token once for two tabs, even without locks', () =>
    withVisitor(async (visitor, { account, server }) => {
      const first = await signedInPage(visitor, await account());
      const second = await visitor.open('/sessions');
      await second.getByText('This session').waitFor();
      let refreshes = 0;
      visitor.context.on('request', (request) => (refreshes += Number(request.url().endsWith('/auth/refresh'))));
      // Moves the clock until the access tokens of both tabs have expired.
      skippedMs += 16 * MINUTE_MS;
      const tabs = [first, second];
      await Promise.all(tabs.map((page) => page.getByRole('link', { name: 'Keys', exact: true }).first().click()));
      for (const page of tabs) await page.getByText('Show logos on your website').waitFor();
      expect(refreshes).to.equal(1);
      const third = await visitor.context.newPage();
      await third.addInitScript('Object.defineProperty(navigator, "locks", { value: undefined })');
      await third.goto(`${server.base}/overview`);
      await heading(third, 'Overview').waitFor();
      // Everything that scripts in the page can read. It must not contain the session.
      const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
      expect(await third.evaluate(kept)).to.equal('[{"blazon-signed-in":"1"},{},""]');
      await third.getByRole('button', { name: 'Account menu' }).click();
      await third.getByRole('button', { name: 'Sign out' }).click();
      for (const page of [first, second, third]) await heading(page, 'Sign in').waitFor();
    }));

  it('works with password managers, and accepts pasted passwords', () =>
    withVisitor(async (visitor, { account, server }) => {
      const fields = (page: Page) =>
        page.evaluate<string[]>(
          "[...document.querySelectorAll('form input')].filter(({ type }) => type !== 'search').map(({ autocomplete, name }) => `${name}: ${autocomplete}`)",
        );
      const page = await visitor.open('/register');
      await page.getByLabel('E-mail address').waitFor();
      expect(await fields(page)).to.deep.equal(['email: username', 'password: new-password']);
      await page.goto(`${server.base}/sign-in`);
      const { email } = await account();
      for (const [label, text] of [
        ['E-mail address', email],
        ['Password', PASSWORD],
      ] as const) {
        await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
        await page.getByLabel(label, { exact: true }).focus();
        await page.keyboard.press('Control+V');
      }
      expect(await fields(page)).to.deep.equal(['email: username', 'password: current-password']);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Overview').waitFor();
      await page.goto(`${server.base}/account`);
      await page.getByLabel('New password').waitFor();
      expect(await fields(page)).to.include.members([
        'username: username',
        'current-password: current-password',
        'new-password: new-password',
      ]);
    }));

  it('asks for the password when the session has expired, and keeps typed text', () =>
    withVisitor(async (visitor, { account }) => {
      const page = await signedInPage(visitor, await account(), '/account');
      await page.getByLabel('New password').fill('typed before the end');
      skippedMs += 8 * DAY_MS;
      await page.getByLabel('Current password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Change password' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Your session has ended').waitFor();
      // The dialog must stay open. By default, Chrome closes a dialog when Escape is pressed twice, even if the page
      // prevents closing it.
      for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
      await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(await page.getByLabel('New password').inputValue()).to.equal('typed before the end');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('All other sessions have ended').waitFor();
      await page.getByText('The password was changed.').waitFor();
    }));

  it('explains failed sign-ins, and counts down while they are throttled', () =>
    withVisitor(async (visitor, { account, server }) => {
      const person = await account();
      const page = await visitor.open('/usage');
      await page.getByText('Sign in to open that page').waitFor();
      await signInOn(page, person.email, 'a wrong pass phrase');
      await page.getByText('password is wrong').waitFor();
      for (let wrong = 1; wrong < 10; wrong++)
        await ask(server, '/auth/login', { body: { email: person.email, password: 'a wrong pass phrase' } });
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(/You can try again in \d+ min/).waitFor();
      expect(await page.getByLabel('E-mail address').inputValue()).to.equal(person.email);
      skippedMs += 20 * MINUTE_MS;
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      // After the sign-in, the browser shows the page that was requested first.
      await heading(page, 'Usage').waitFor();
    }));

  it('offers to end the least recently used session when there are 100', () =>
    withVisitor(async (visitor, { account }) => {
      const { email } = await account();
      const page = await visitor.open('/sign-in');
      const json = { error: 'session_limit', message: 'There are 100 sessions.' };
      await page.route('**/auth/login', (route) => route.fulfill({ status: 409, json }), { times: 1 });
      await signInOn(page, email);
      await page.getByRole('alert').getByText('You are signed in on 100 devices').waitFor();
      const request = page.waitForRequest('**/auth/login');
      await page.getByRole('button', { name: 'Sign it out and sign in here' }).click();
      expect((await request).postDataJSON()).to.deep.equal({ email, password: PASSWORD, endOldest: true });
      await heading(page, 'Overview').waitFor();
    }));

  it('keeps typed text while it is offline or the service is unavailable', () =>
    withVisitor(async (visitor, { account }) => {
      const person = await account();
      const page = await visitor.open('/sign-in');
      await visitor.context.setOffline(true);
      await page.getByText('You are offline. What you see').waitFor();
      await signInOn(page, person.email);
      await page.getByText('You are offline. Nothing was lost').waitFor();
      await visitor.context.setOffline(false);
      const unavailable = { error: 'unavailable', message: 'The service is not available right now.' };
      await page.route('**/auth/login', (route) => route.fulfill({ status: 503, json: unavailable }), { times: 1 });
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(unavailable.message).waitFor();
      await page.route('**/auth/login', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }), {
        times: 1,
      });
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('could not be reached').waitFor();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await heading(page, 'Overview').waitFor();
      await page.route('**/v1/analytics/usage?*', (route) => route.fulfill({ status: 503, json: unavailable }));
      await page.getByRole('link', { name: 'Usage' }).first().click();
      await page.getByText('This could not be loaded').waitFor();
      await page.unroute('**/v1/analytics/usage?*');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('No requests in this period').waitFor();
    }));

  it('keeps the focus in a dialog, closes it with Escape, and returns the focus', () =>
    withVisitor(async (visitor, { account }) => {
      const page = await signedInPage(visitor, await account(), '/account');
      const opener = page.getByRole('button', { name: 'Delete account' });
      const hasFocus = (of: Locator) => of.and(page.locator(':focus')).waitFor();
      await opener.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Delete this account' });
      await hasFocus(dialog.getByLabel('Your password'));
      // After the last field, Tab may move the focus to the browser's own controls. The focused element of the page is
      // then `body`.
      for (let presses = 0; presses < 8; presses++) {
        await page.keyboard.press('Tab');
        const isInside = await page.evaluate("document.activeElement.matches('body, dialog *')");
        expect(isInside, `Tab ${presses}`).to.equal(true);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await hasFocus(opener);
      await opener.press('Enter');
      await page.mouse.click(5, 5);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await hasFocus(opener);
    }));

  it('announces results: three messages at a time, for six seconds, longer under the pointer', () =>
    withVisitor(async (visitor, { account }) => {
      await visitor.context.clock.install();
      const page = await signedInPage(visitor, await account(), '/keys');
      const region = page.getByRole('region', { name: 'Messages' });
      expect(await region.getAttribute('aria-live'), 'before the first message').to.equal('polite');
      await page.clock.pauseAt(Date.now() + MINUTE_MS);
      for (const name of ['One', 'Two', 'Three', 'Four']) {
        await page.getByRole('button', { name: 'Create publishable key' }).first().click();
        await page.getByRole('dialog').getByLabel('Name').fill(name);
        await page.getByRole('button', { name: 'Create key' }).click();
        while ((await page.getByRole('dialog').count()) > 0) await page.clock.runFor(1);
      }
      const shown = () => region.locator('p').allInnerTexts();
      expect(await shown()).to.deep.equal(['One created', 'Two created', 'Three created']);
      const close = region.getByRole('button', { name: 'Close message' });
      await close.first().click();
      const others = ['Two created', 'Three created', 'Four created'];
      expect(await shown()).to.deep.equal(others);
      await close.last().hover();
      await page.clock.runFor(7000);
      expect(await shown(), 'under the pointer').to.deep.equal(others);
      await page.mouse.move(0, 0);
      await close.last().focus();
      await page.clock.runFor(7000);
      expect(await shown(), 'with the focus').to.deep.equal(others);
      await page.getByRole('button', { name: 'Create publishable key' }).focus();
      await page.clock.runFor(7000);
      expect(await shown()).to.deep.equal([]);
    }));

  it('creates, changes and revokes publishable keys', () =>
    withVisitor(async (visitor, { account, server }) => {
      const page = await signedInPage(visitor, await account(), '/keys');
      await page.getByRole('button', { name: 'Create publishable key' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Shop');
      await dialog.getByLabel('Hosts').fill('not a host!');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.locator('.field-error').waitFor();
      // Hosts in the form in which people copy them from the address bar.
      await dialog.getByLabel('Hosts').fill('https://user@Example.com:8080/shop?a=b#c\nhttp://*.example.com/');
      await dialog.getByLabel('Daily limit').fill('lots');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Not a whole number. Type it as 10000 or 10,000').waitFor();
      await dialog.getByLabel('Daily limit').fill('0');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Must be a whole number from 1 to').waitFor();
      await dialog.getByLabel('Daily limit').fill('2');
      await dialog.getByText('2 pictures per UTC day.').waitFor();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const row = page.getByRole('listitem').filter({ hasText: 'Shop' });
      await row.getByText('example.com, *.example.com').waitFor();
      const key = await row.locator('code').innerText();
      expect(key).to.match(/^blzp_/);
      const from = async (host: string) =>
        (await server.get(`/v1/svg/github?key=${key}`, undefined, { Referer: `https://${host}/` })).status;
      expect([await from('shop.example.com'), await from('elsewhere.example')]).to.deep.equal([200, 403]);
      await page.reload();
      await row.getByText('1 of 2 today').waitFor();
      await row.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel('Name').fill('Market');
      // The number one thousand in several notations.
      for (const typed of ['1.000', '1,000', '1 000', '1k']) {
        await dialog.getByLabel('Daily limit').fill(typed);
        await dialog.getByText('1,000 pictures per UTC day.').waitFor();
      }
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('1 of 1,000 today').waitFor();
      await page.getByRole('listitem').filter({ hasText: 'Market' }).getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('Show logos on your website').waitFor();
      expect(await from('shop.example.com')).to.equal(401);
    }));

  it('shows usage by day as chart, table and CSV', () =>
    withVisitor(async (visitor, { account, server }) => {
      const person = await account();
      await server.setUsed(person.apiKey, 'png', 42);
      await server.stores.responses.add({
        id: 'counted',
        day: utcDay(Date.now() + skippedMs),
        accounts: [
          {
            accountId: person.apiKey.slice(4, 16) as AccountId,
            responses: { '2xx': 1997, '3xx': 0, '4xx': 3, '5xx': 0 },
            slugs: [
              { slug: 'stripe' as Slug, requests: 1995 },
              { slug: 'github' as Slug, requests: 2 },
            ],
          },
        ],
      });
      const page = await signedInPage(visitor, person, '/usage');
      await page.getByText('42 requests').waitFor();
      const chart = page.locator('.usage-chart canvas');
      await chart.waitFor();
      const box = (await chart.boundingBox())!;
      await page.mouse.move(box.x + box.width - 30, box.y + box.height / 2);
      await page.locator('.u-legend').getByText('42').waitFor();
      await page.getByRole('cell', { name: '42' }).nth(1).waitFor();
      const classes = page.getByRole('list', { name: 'Responses by status class' });
      const rejected = await classes.getByRole('listitem').filter({ hasText: '4xx' }).innerText();
      expect(rejected)
        .to.match(/Rejected/)
        .and.match(/\n3 0\.2%$/)
        .and.include(': 3');
      const logos = page.getByRole('list', { name: 'Most requested logos' }).getByRole('listitem');
      expect(await logos.allInnerTexts()).to.deep.equal(['stripe\n1,995', 'github\n2']);
      expect(await logos.first().getByRole('link').getAttribute('href')).to.equal('/catalog/stripe');
      await page.getByRole('button', { name: '1 year' }).click();
      await page.getByRole('button', { name: 'Show all 365 days' }).waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).click();
      const csv = readFileSync(await (await downloading).path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(csv).to.have.length(366);
      expect(csv.at(-1)).to.include(',42,');
    }));

  it('ends single sessions, exports, and deletes the account after a typed word', () =>
    withVisitor(async (visitor, { account, server }) => {
      const person = await account();
      const page = await signedInPage(visitor, person, '/sessions');
      // The only other session is the session that the registration has started.
      const others = page.getByRole('button', { name: /^End session/ });
      await others.click();
      await page.getByText('Session ended').waitFor();
      await others.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Account', exact: true }).first().click();
      await page.getByText('The account was created').waitFor();
      await page.getByRole('button', { name: 'Export data' }).click();
      const downloading = page.waitForEvent('download');
      await confirmWith(page, 'Export');
      expect(readFileSync(await (await downloading).path(), 'utf8')).to.include(person.email);
      await page.getByRole('button', { name: 'Delete account' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Your password').fill(PASSWORD);
      expect(await dialog.getByRole('button', { name: 'Delete account' }).isDisabled()).to.equal(true);
      await dialog.getByLabel('Type delete to confirm').fill('delete');
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await heading(page, 'Your account is deleted').waitFor();
      await page.getByText(`The account of ${person.email} no longer exists.`).waitFor();
      expect(await violations(page)).to.deep.equal([]);
      expect((await server.get('/v1/usage', person.apiKey)).status).to.equal(401);
      await eventually(
        () => mailsTo(server, person.email).some((mail) => mail.includes('Subject: Blazon: Your account was deleted')),
        'mail about the deletion',
      );
      await page.reload();
      await heading(page, 'Your account is deleted').waitFor();
      await page.getByRole('link', { name: 'Create a new account' }).click();
      await heading(page, 'Get an API key').waitFor();
      // This page is only available right after a deletion.
      await page.goto(`${server.base}/account-deleted`);
      await page.waitForURL(`${server.base}/`);
    }));

  it('resets the password by a mailed link, with the keyboard alone, once', () =>
    withVisitor(async (visitor, { account, server }) => {
      const { email, apiKey } = await account();
      const asking = await visitor.open('/sign-in');
      await asking.getByRole('link', { name: 'Forgot your password?' }).click();
      await asking.getByLabel('E-mail address').fill(email);
      await asking.getByRole('button', { name: 'Request link' }).click();
      await asking.getByText('the operator of this service has the link now').waitFor();
      const token = await newLinkToken(server, email, { purpose: 'reset-password' });
      const page = await visitor.open(`/reset-password?utm_source=mail#token=${token}`);
      const password = page.getByLabel('New password');
      await password.focus();
      await page.keyboard.type('password1234');
      await page.keyboard.press('Enter');
      await page.getByText('on the list of common passwords').waitFor();
      await password.fill('another long phrase');
      await page.keyboard.press('Enter');
      await heading(page, 'Your password was reset').waitFor();
      await page.getByText(`ends in ${apiKey.slice(-4)}`).waitFor();
      expect(page.url()).not.to.include(token);
      await page.getByRole('link', { name: 'Sign in' }).last().click();
      await signInOn(page, email, 'another long phrase');
      await heading(page, 'Overview').waitFor();
      const used = await visitor.open(`/reset-password#token=${token}`);
      await used.getByLabel('New password').fill('yet another long phrase');
      await used.keyboard.press('Enter');
      await used.getByText('already used, or has expired').waitFor();
    }));

  it('explains unusable links, and offers another', () =>
    withVisitor(async (visitor) => {
      for (const [path, action, reason, another] of [
        [
          '/verify-email',
          'Verify address',
          'The link was already used, or has expired.',
          'Send another link from your account',
        ],
        ['/confirm-email', 'Confirm address', 'was replaced by a newer one', 'Request another link from your account'],
        ['/confirm-registration', 'Create account', 'The link is not valid', 'Register again'],
      ] as const) {
        const page = await visitor.open(`${path}#token=${'x'.repeat(43)}`);
        await page.getByRole('button', { name: action }).click();
        await page.getByText(reason).waitFor();
        await page.getByRole('link', { name: another }).waitFor();
        const incomplete = await visitor.open(path);
        await incomplete.getByText('The link is incomplete').waitFor();
      }
    }));

  it('changes the address by a mailed link, with the keyboard alone', () =>
    withVisitor(async (visitor, { account, server }) => {
      const newEmail = 'another.address@example.com';
      const person = await account();
      const { email } = person;
      const owner = await signedInPage(visitor, person, '/account');
      const opener = owner.getByRole('button', { name: 'Change address' });
      await opener.press('Enter');
      const dialog = owner.getByRole('dialog', { name: 'Change e-mail address' });
      await dialog.getByLabel('New e-mail address').and(owner.locator(':focus')).waitFor();
      await owner.keyboard.type(email.toUpperCase());
      await dialog.getByLabel('Your password').focus();
      await owner.keyboard.type(PASSWORD);
      await owner.keyboard.press('Enter');
      await dialog.getByText('Already the address of this account').waitFor();
      await dialog.getByLabel('New e-mail address').fill(newEmail);
      await owner.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await opener.and(owner.locator(':focus')).waitFor();
      await owner.getByText(`Your address changes to ${newEmail} when you open the link.`).waitFor();
      await owner.getByText('A link to confirm a new e-mail address was created').waitFor();
      await owner.reload();
      await owner.getByText(`Your address changes to ${newEmail} when you open the link.`).waitFor();
      const token = await newLinkToken(server, newEmail, { purpose: 'confirm-email' });
      const page = await visitor.open(`/confirm-email#token=${token}`);
      const button = page.getByRole('button', { name: 'Confirm address' });
      await button.press('Enter');
      await heading(page, 'E-mail address changed').waitFor();
      expect(page.url()).not.to.include(token);
      await page.getByRole('link', { name: 'Go to your account' }).press('Enter');
      await page.getByText(`${newEmail} Verified`).waitFor();
      await owner.reload();
      await owner.getByText(`${newEmail} Verified`).waitFor();
      expect(await owner.getByText('when you open the link').count()).to.equal(0);
    }));

  it('shows the new address although the account was read while it changed', () =>
    withVisitor(async (visitor, { account, server }) => {
      const newEmail = 'late.answer@example.com';
      const person = await account();
      const body = { currentPassword: PASSWORD, newEmail };
      expect(await ask(server, '/auth/change-email', { bearer: person.accessToken, body })).to.include({ status: 202 });
      const token = await newLinkToken(server, newEmail, { purpose: 'confirm-email' });
      await signedInPage(visitor, person);
      const page = await visitor.open('/');
      // Delays the first response. It contains the state before the change, and arrives after the change.
      let deliver: (() => Promise<void>) | undefined;
      await page.route('**/auth/me', async (route) => {
        if (deliver) return route.continue();
        const response = await route.fetch();
        deliver = () => route.fulfill({ response }).catch(() => undefined);
      });
      await page.goto(`${server.base}/confirm-email#token=${token}`);
      const late = await eventually(() => deliver, 'read of the account');
      await page.getByRole('button', { name: 'Confirm address' }).press('Enter');
      await heading(page, 'E-mail address changed').waitFor();
      await late();
      await page.getByRole('link', { name: 'Go to your account' }).press('Enter');
      await page.getByText(`${newEmail} Verified`).waitFor();
    }));

  it('verifies an address with a click, not by opening the link', () =>
    withVisitor(async (visitor, { account, server }) => {
      const person = await account();
      const { email, accessToken } = person;
      const owner = await signedInPage(visitor, person);
      await owner.getByText('is not verified').waitFor();
      await owner.getByRole('button', { name: 'Request a new link' }).click();
      await owner.getByText('The operator has a new link for you.').waitFor();
      const token = await newLinkToken(server, email, { purpose: 'verify-email' });
      const sent: string[] = [];
      visitor.context.on('request', (request) => sent.push(request.url()));
      const page = await visitor.open(`/verify-email#token=${token}`);
      const verified = async () => {
        const { body } = await ask(server, '/auth/me', { method: 'GET', bearer: accessToken });
        return (body.account as { emailVerified: boolean }).emailVerified;
      };
      await page.getByRole('button', { name: 'Verify address' }).waitFor();
      expect(await verified()).to.equal(false);
      await page.getByRole('button', { name: 'Verify address' }).click();
      await heading(page, 'E-mail address verified').waitFor();
      await eventually(verified, 'verified address');
      expect(sent.filter((url) => url.includes(token))).to.deep.equal([]);
    }));
});

describe('the dashboard with REGISTRATION=verified', () => {
  it('creates the account with one click on the page of the mailed link, and not by opening it', async function () {
    const mails = await startMailServer();
    const dashboard = await openDashboard(this, { REGISTRATION: 'verified', SMTP_URL: mails.url });
    const { server } = dashboard;
    try {
      const visitor = await dashboard.visitor();
      const page = await visitor.open('/register');
      await registerOn(page, 'linked@example.com');
      await heading(page, 'Check your e-mail').waitFor();
      await page.getByText('We sent a link to linked@example.com.').waitFor();
      const mail = unfolded((await eventually(() => mails.received[0], 'mail')).source);
      const link = /\/confirm-registration#token=[\w-]+/.exec(mail)?.[0] ?? expect.fail(mail);
      await page.goto(server.base + link);
      await heading(page, 'Create your account').waitFor();
      expect(await server.stores.accounts.findByEmail('linked@example.com')).to.equal(undefined);
      await page.getByRole('button', { name: 'Create account' }).click();
      await heading(page, 'Your API key').waitFor();
      await page.getByLabel('I have stored the key').check();
      await page.getByRole('button', { name: 'Continue to the dashboard' }).click();
      await heading(page, 'Overview').waitFor();
      const again = await visitor.open(link);
      await again.getByRole('button', { name: 'Create account' }).click();
      await again.getByText('You have an account already').waitFor();
      expect(visitor.faults()).to.deep.equal([]);
    } finally {
      await dashboard.close();
      await mails.down();
    }
  });
});
