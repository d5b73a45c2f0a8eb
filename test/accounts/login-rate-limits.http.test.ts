// Rate limits of password checks and of mails, by account, e-mail address, device and client address. Right and wrong
// passwords have separate limits.
import { expect } from 'chai';
import { parseAccountId } from '../../src/accounts/account-id.js';
import type { AccountId } from '../../src/accounts/account.js';
import { createClient } from '../../src/accounts/client-info.js';
import { passwordRateLimits, rightPasswordRateLimit, type Purpose } from '../../src/accounts/password-rate-limits.js';
import { PASSWORD } from '../support/accounts.js';
import {
  accountCalls,
  ask,
  eventually,
  from,
  linkTokens,
  mailsTo,
  newLinkToken,
  OWN_PAGE,
  signedIn,
} from '../support/auth.js';
import { MINUTE_MS } from '../support/clock.js';
import { suiteServer, type Customer } from '../support/server.js';

const WRONG = 'not this pass phrase';
const DEVICE_COOKIE = /^__Host-blazon_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict; Secure$/;
const NEW_PASSWORD = 'another long pass phrase';
/** Every route that asks a signed-in user for the password: method, path, further fields. */
const CONFIRMED: readonly (readonly [string, string, object])[] = [
  ['POST', '/auth/regenerate-key', {}],
  ['POST', '/auth/logout-all', {}],
  ['POST', '/auth/change-password', { newPassword: NEW_PASSWORD }],
  ['POST', '/auth/change-email', { newEmail: 'another@example.com' }],
  ['POST', '/auth/export', {}],
  ['DELETE', '/auth/account', {}],
  // Without Stripe, these routes respond with 503 if the password is right.
  ['POST', '/v1/billing/checkout', { plan: 'pro', interval: 'month' }],
  ['POST', '/v1/billing/portal', {}],
];

describe('limits of wrong passwords', () => {
  let clockMs = Date.now();
  const server = suiteServer({ TRUST_PROXY: '1' }, () => clockMs);

  const { confirm, login } = accountCalls(server);

  async function exhaust(email: string): Promise<void> {
    for (let count = 0; count < 10; count++) expect((await login(email, WRONG)).status, `try ${count}`).to.equal(401);
  }

  /** Counts this many wrong passwords against the limit of clients without a device cookie. */
  async function spend(email: string, wrong: number): Promise<void> {
    const client = createClient({
      address: '',
      rateLimitKey: '',
      fairnessKey: '',
      userAgent: undefined,
      deviceToken: undefined,
    });
    const { owner } = passwordRateLimits({ email, account: undefined, device: undefined, client });
    for (let count = 0; count < wrong; count++)
      expect((await server.stores.rateLimits.consume([owner])).ok, `try ${count}`).to.equal(true);
  }

  it('reject also the right password after ten wrong ones in 15 minutes, with Retry-After', async () => {
    const { email } = await server.customer();
    await exhaust(email);
    for (const password of [WRONG, PASSWORD]) {
      const { status, body, headers } = await login(email.toUpperCase(), password);
      expect([status, body.error]).to.deep.equal([429, 'login_throttled']);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 900);
      expect(body.message).to.match(
        /^Too many wrong passwords\. Try again in 15 minutes, or set a new password with a reset link/,
      );
    }
    clockMs += 15 * MINUTE_MS + 1000;
    expect((await login(email)).status).to.equal(200);
  });

  it('are the same for an unknown e-mail address', async () => {
    const { email } = await server.customer();
    await exhaust(email);
    await exhaust('nobody@example.com');
    const [known, unknown] = [await login(email, WRONG), await login('nobody@example.com', WRONG)];
    expect(unknown.status).to.equal(429);
    expect(unknown.text).to.equal(known.text);
  });

  it('do not count right passwords', async () => {
    const { email } = await server.customer();
    for (let count = 0; count < 12; count++) expect((await login(email)).status).to.equal(200);
    for (let count = 0; count < 9; count++) await login(email, WRONG);
    expect((await login(email)).status).to.equal(200);
    expect((await login(email, WRONG)).status).to.equal(401);
    expect((await login(email)).status).to.equal(429);
  });

  it('accept exactly ten of many simultaneous guesses', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 25 }, () => login(email, WRONG)));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(401), count(429)]).to.deep.equal([10, 15]);
  });

  it('accept fifty simultaneous sign-ins with the right password', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(email)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 50 }, () => 200));
  });

  it('count ten wrong passwords among right ones', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => login(email, index < 10 ? WRONG : PASSWORD)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 10)).to.deep.equal(Array.from({ length: 10 }, () => 401));
    expect(statuses.slice(10).filter((status) => status !== 200 && status !== 429)).to.deep.equal([]);
    expect((await login(email)).status, 'afterwards').to.equal(429);
  });

  it('reject sign-ins beyond a full queue with Retry-After, without notifying the owner', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 150 }, () => login(email)));
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(rejected.length).to.be.within(1, 150 - 10 - 64);
    for (const { status, body, headers } of rejected) {
      expect([status, body.error, headers.get('retry-after')]).to.deep.equal([429, 'login_throttled', '1']);
      expect(body.message).to.include('are being checked right now');
    }
    const afterwards = await login(email);
    expect(afterwards.status, 'afterwards').to.equal(200);
    const activity = await ask(server, '/auth/activity?limit=100', {
      method: 'GET',
      bearer: String(afterwards.body.accessToken),
    });
    expect([activity.status, activity.text.includes('authn_login_success')]).to.deep.equal([200, true]);
    expect(activity.text).to.not.include('authn_login_fail_max');
  });

  it('are consumed by every route that checks the password, and reject there and at sign-in', async () => {
    for (const [method, path, fields] of CONFIRMED) {
      const customer = await server.customer();
      const { email, accessToken, apiKey } = customer;
      const attempt = (currentPassword: string) => confirm(path, accessToken, { currentPassword, ...fields }, method);
      const credentials = async () => {
        const { password, key, sessions, links } = (await server.stores.accounts.find(customer.id as AccountId))!;
        return { password, key, sessions, links };
      };
      const before = await credentials();
      await spend(email, 9);
      const wrong = await attempt(WRONG);
      expect([wrong.status, wrong.body.error, wrong.body.message], path).to.deep.equal([
        401,
        'invalid_credentials',
        'The current password is wrong.',
      ]);
      expect(wrong.text).to.not.include(WRONG);
      expect(await credentials(), path).to.deep.equal(before);
      for (const { status, body, headers } of [await attempt(PASSWORD), await login(email)]) {
        expect([status, body.error], path).to.deep.equal([429, 'login_throttled']);
        expect(Number(headers.get('retry-after'))).to.be.within(1, 900);
      }
      expect((await server.get('/v1/usage', apiKey)).status, path).to.equal(200);
    }
  });

  it('are shared by all sessions of an account', async () => {
    const { email, accessToken } = await server.customer();
    const others: string[] = [accessToken];
    for (let count = 0; count < 10; count++) others.push(signedIn(await login(email)).accessToken);
    for (const bearer of others.slice(1))
      expect((await confirm('/auth/regenerate-key', bearer, { currentPassword: WRONG })).status).to.equal(401);
    for (const bearer of others) expect((await confirm('/auth/regenerate-key', bearer)).status).to.equal(429);
  });

  it('of strangers reject a signed-in client without a device cookie, while a browser with one has a separate limit', async () => {
    for (const [method, path, fields] of CONFIRMED) {
      const { email } = await server.customer();
      const { accessToken, deviceCookie } = signedIn(await login(email));
      await spend(email, 10);
      const attempt = async (currentPassword: string, cookie?: string) =>
        (
          await ask(server, path, {
            ...{ method, bearer: accessToken, body: { currentPassword, ...fields }, headers: from() },
            ...(cookie !== undefined && { cookie }),
          })
        ).status;
      expect(await attempt(PASSWORD), path).to.equal(429);
      expect(await attempt(WRONG, deviceCookie), path).to.equal(401);
      expect(await attempt(PASSWORD, deviceCookie), path).to.be.oneOf([200, 202, 204, 503]);
    }
  });

  it('are consumed by the billing pages of the dashboard', async () => {
    for (const path of ['billing/checkout', 'billing/portal', 'subscription/cancel', 'subscription/resume']) {
      const { email, cookie } = await server.customer();
      const offer = path === 'billing/checkout' ? { plan: 'pro', interval: 'month' } : {};
      const attempt = async (currentPassword: string) => {
        const body = { currentPassword, ...offer };
        return (await ask(server, `/dashboard/${path}`, { cookie, body, headers: { ...OWN_PAGE, ...from() } })).status;
      };
      await spend(email, 9);
      expect(await attempt(WRONG), path).to.equal(401);
      expect([await attempt(PASSWORD), (await login(email)).status], path).to.deep.equal([429, 429]);
    }
  });

  it('are separate for a trusted browser, so that strangers cannot lock out the owner', async () => {
    const { email } = await server.customer();
    const { deviceCookie } = signedIn(await login(email));
    await exhaust(email);
    expect((await login(email)).status).to.equal(429);
    expect(
      (await login(email, PASSWORD, { cookie: `${deviceCookie}; ${deviceCookie}x` })).status,
      'which device is it?',
    ).to.equal(429);
    expect((await login(email, PASSWORD, { cookie: deviceCookie })).status).to.equal(200);
    for (let count = 0; count < 10; count++)
      expect((await login(email, WRONG, { cookie: deviceCookie })).status).to.equal(401);
    expect((await login(email, PASSWORD, { cookie: deviceCookie })).status).to.equal(429);
  });

  it('keep one device per trusted browser, however often it signs in', async () => {
    const { email } = await server.customer();
    let cookie = signedIn(await login(email)).deviceCookie;
    for (let count = 0; count < 10; count++) {
      expect((await login(email, WRONG, { cookie })).status).to.equal(401);
      if (count === 4) cookie = signedIn(await login(email, PASSWORD, { cookie })).deviceCookie;
    }
    expect((await login(email, PASSWORD, { cookie })).status).to.equal(429);
  });

  it('distrust browsers that signed in with an older password, except the one that changed it', async () => {
    const { email, accessToken } = await server.customer();
    const other = signedIn(await login(email)).deviceCookie;
    const changed = await confirm('/auth/change-password', accessToken, { newPassword: NEW_PASSWORD });
    const [own = ''] = changed.headers.getSetCookie();
    expect(own).to.match(DEVICE_COOKIE);
    await exhaust(email);
    expect((await login(email, NEW_PASSWORD, { cookie: other })).status).to.equal(429);
    expect((await login(email, NEW_PASSWORD, { cookie: own.split(';', 1)[0] ?? '' })).status).to.equal(200);
  });

  it('admit an owner who resets the password by link while strangers keep guessing', async () => {
    const { email } = await server.customer();
    await exhaust(email);
    await ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
    const token = await newLinkToken(server, email, { purpose: 'reset-password' });
    const body = { token, newPassword: NEW_PASSWORD };
    const [device = ''] = (await ask(server, '/auth/reset-password', { body, headers: from() })).headers.getSetCookie();
    expect(device).to.match(DEVICE_COOKIE);
    await exhaust(email);
    expect((await login(email, NEW_PASSWORD)).status).to.equal(429);
    expect((await login(email, NEW_PASSWORD, { cookie: device.split(';', 1)[0] ?? '' })).status).to.equal(200);
  });

  it('trust a device by its signature, for one e-mail address', async () => {
    const [owner, other] = [await server.customer(), await server.customer()];
    const mine = signedIn(await login(owner.email)).deviceCookie;
    const theirs = signedIn(await login(other.email)).deviceCookie;
    await exhaust(owner.email);
    for (const cookie of [
      theirs,
      `${mine.slice(0, -4)}AAAA`,
      `__Host-blazon_device=${'a'.repeat(24)}.${'a'.repeat(43)}`,
    ]) {
      expect((await login(owner.email, PASSWORD, { cookie })).status).to.equal(429);
    }
  });

  it('reject the 51st wrong password in 5 minutes from one client address, of IPv6 from one /64', async () => {
    const { email } = await server.customer();
    for (let index = 0; index < 50; index += 10) {
      const guesses = Array.from({ length: 10 }, (_, step) =>
        login(`guess${index + step}@example.com`, WRONG, { headers: from('2001:db8:1:2::1') }),
      );
      expect((await Promise.all(guesses)).map(({ status }) => status)).to.deep.equal(guesses.map(() => 401));
    }
    const same = from('2001:db8:1:2:ffff::9');
    const { status, body, headers } = await login(email, PASSWORD, { headers: same });
    expect([status, body.error]).to.deep.equal([429, 'login_throttled']);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 300);
    expect(body.message).to.equal('Too many wrong passwords from your IP address. Try again in 5 minutes.');
    expect((await login(email, PASSWORD, { headers: from('2001:db8:1:3::1') })).status).to.equal(200);
    clockMs += 5 * MINUTE_MS + 1000;
    expect((await login(email, PASSWORD, { headers: same })).status).to.equal(200);
  });

  it('notify the owner once that sign-ins are rejected', async () => {
    const { email } = await server.customer();
    await exhaust(email);
    for (let count = 0; count < 3; count++) await login(email, WRONG);
    await eventually(() => mailsTo(server, email)[0], 'mail');
    expect(mailsTo(server, email)).to.have.length(1);
    expect(mailsTo(server, email)[0]).to.include('Too many failed sign-ins');
  });
});

describe('limits of right passwords and of mails', () => {
  let clockMs = Date.now();
  const server = suiteServer({ TRUST_PROXY: '1' }, () => clockMs);
  const { confirm, login, register } = accountCalls(server);

  /** Uses up the limit of checks with the right password, which is a hundred. */
  async function useUp({ id }: Customer, purpose: Purpose): Promise<void> {
    const budget = rightPasswordRateLimit(parseAccountId(id)!, purpose);
    while ((await server.stores.rateLimits.consume([budget])).ok);
  }

  it('reject further successful sign-ins with Retry-After, without recording them', async () => {
    const customer = await server.customer();
    await useUp(customer, 'sign-in');
    const before = await server.records(customer);
    const { status, body, headers } = await login(customer.email);
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 900);
    expect(body.message).to.match(/^Too many sign-ins to this account\. Try again in 15 minutes\./);
    expect(headers.getSetCookie()).to.deep.equal([]);
    expect(await server.records(customer)).to.equal(before);
    clockMs += 15 * MINUTE_MS;
    expect((await login(customer.email)).status).to.equal(200);
  });

  it('reject every other route that checks the password, without changes', async () => {
    const customer = await server.customer();
    await useUp(customer, 'confirmation');
    const before = await server.records(customer);
    for (const [method, path, fields] of CONFIRMED) {
      const { status, body } = await confirm(path, customer.accessToken, fields, method);
      expect([status, body.error], path).to.deep.equal([429, 'rate_limited']);
    }
    expect(await server.records(customer)).to.equal(before);
    expect((await login(customer.email)).status, 'signing in is another matter').to.equal(200);
  });

  it('accept an owner who resets the password by link', async () => {
    const customer = await server.customer();
    await useUp(customer, 'sign-in');
    await ask(server, '/auth/forgot-password', { body: { email: customer.email }, headers: from() });
    const token = await newLinkToken(server, customer.email, { purpose: 'reset-password' });
    const reset = { body: { token, newPassword: NEW_PASSWORD }, headers: from() };
    expect((await ask(server, '/auth/reset-password', reset)).status).to.equal(204);
    expect((await login(customer.email, NEW_PASSWORD)).status).to.equal(200);
  });

  it('are not used up by strangers who register with the address, for verification mails', async () => {
    const email = 'wanted@example.com';
    const owner = signedIn(await register(email));
    const taken = await Promise.all(Array.from({ length: 8 }, () => register(email.toUpperCase())));
    expect(new Set(taken.map(({ status }) => status))).to.deep.equal(new Set([409]));
    for (let count = 0; count < 5; count++)
      expect((await ask(server, '/auth/resend-verification', { bearer: owner.accessToken })).status).to.equal(202);
    expect((await ask(server, '/auth/resend-verification', { bearer: owner.accessToken })).status).to.equal(429);
    expect((await confirm('/auth/account', owner.accessToken, {}, 'DELETE')).status).to.equal(204);
    const known = linkTokens(server, email, 'verify-email');
    await register(email);
    await newLinkToken(server, email, { purpose: 'verify-email', known });
  });
});
