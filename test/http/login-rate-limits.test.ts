// Rate limits of password checks: per e-mail address, device and client address.
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from, mailsTo, newLinkToken, signedIn, type Ask } from '../support/auth.js';
import { MINUTE_MS } from '../support/clock.js';
import { startServer, type TestServer } from '../support/server.js';

const WRONG = 'not this pass phrase';

describe('limits of sign-in attempts', () => {
  let server: TestServer;
  let clockMs = Date.now();
  before(async () => {
    server = await startServer({ TRUST_PROXY: '1' }, () => clockMs);
  });
  after(() => server.close());

  const login = async (
    email: string,
    password: string,
    { cookie, headers = from() }: Pick<Ask, 'cookie' | 'headers'> = {},
  ) => ask(server, '/auth/login', { body: { email, password }, headers, ...(cookie !== undefined && { cookie }) });

  async function exhaust(email: string): Promise<void> {
    for (let count = 0; count < 10; count++) expect((await login(email, WRONG)).status, `try ${count}`).to.equal(401);
  }

  it('reject also the right password after ten wrong ones in 15 minutes, with Retry-After', async () => {
    const { email } = await server.customer();
    await exhaust(email);
    for (const password of [WRONG, PASSWORD]) {
      const { status, body, headers } = await login(email.toUpperCase(), password);
      expect([status, body.error]).to.deep.equal([429, 'login_throttled']);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 900);
      expect(body.message).to.match(
        /^Too many wrong passwords\. Try again in 15 minutes, or choose a new password with a link/,
      );
    }
    clockMs += 15 * MINUTE_MS + 1000;
    expect((await login(email, PASSWORD)).status).to.equal(200);
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
    for (let count = 0; count < 12; count++) expect((await login(email, PASSWORD)).status).to.equal(200);
    for (let count = 0; count < 9; count++) await login(email, WRONG);
    expect((await login(email, PASSWORD)).status).to.equal(200);
    expect((await login(email, WRONG)).status).to.equal(401);
    expect((await login(email, PASSWORD)).status).to.equal(429);
  });

  it('accept exactly ten of many simultaneous guesses', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 25 }, () => login(email, WRONG)));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(401), count(429)]).to.deep.equal([10, 15]);
  });

  it('accept fifty simultaneous sign-ins with the right password', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(email, PASSWORD)));
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
    expect((await login(email, PASSWORD)).status, 'afterwards').to.equal(429);
  });

  it('reject sign-ins beyond a full queue with Retry-After, without notifying the owner', async () => {
    const { email } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 150 }, () => login(email, PASSWORD)));
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(rejected.length).to.be.within(1, 150 - 10 - 64);
    for (const { status, body, headers } of rejected) {
      expect([status, body.error, headers.get('retry-after')]).to.deep.equal([429, 'login_throttled', '1']);
      expect(body.message).to.include('are being checked at this moment');
    }
    const afterwards = await login(email, PASSWORD);
    expect(afterwards.status, 'afterwards').to.equal(200);
    const activity = await ask(server, '/auth/activity?limit=100', {
      method: 'GET',
      bearer: String(afterwards.body.accessToken),
    });
    expect([activity.status, activity.text.includes('authn_login_success')]).to.deep.equal([200, true]);
    expect(activity.text).to.not.include('authn_login_fail_max');
  });

  it('apply to every route that checks the password, apart from those of strangers', async () => {
    const calls: readonly [string, string, object][] = [
      ['POST', '/auth/regenerate-key', {}],
      ['POST', '/auth/logout-all', {}],
      ['POST', '/auth/change-password', { newPassword: 'another long pass phrase' }],
      ['POST', '/auth/export', {}],
      ['DELETE', '/auth/account', {}],
    ];
    for (const [method, path, fields] of calls) {
      const { email, accessToken } = await server.customer();
      const confirm = (currentPassword: string) =>
        ask(server, path, { method, bearer: accessToken, headers: from(), body: { currentPassword, ...fields } });
      const wrong = await confirm(WRONG);
      expect([wrong.status, wrong.body.error, wrong.body.message], path).to.deep.equal([
        401,
        'invalid_credentials',
        'The current password is wrong.',
      ]);
      await exhaust(email);
      for (let count = 1; count < 10; count++) expect((await confirm(WRONG)).status, path).to.equal(401);
      const { status, body, headers } = await confirm(PASSWORD);
      expect([status, body.error], path).to.deep.equal([429, 'login_throttled']);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 900);
    }
  });

  it('are separate for a trusted browser, so that strangers lock nobody out', async () => {
    const { email } = await server.customer();
    const { deviceCookie } = signedIn(await login(email, PASSWORD));
    await exhaust(email);
    expect((await login(email, PASSWORD)).status).to.equal(429);
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
    let cookie = signedIn(await login(email, PASSWORD)).deviceCookie;
    for (let count = 0; count < 10; count++) {
      expect((await login(email, WRONG, { cookie })).status).to.equal(401);
      if (count === 4) cookie = signedIn(await login(email, PASSWORD, { cookie })).deviceCookie;
    }
    expect((await login(email, PASSWORD, { cookie })).status).to.equal(429);
  });

  it('no longer trust browsers that signed in with an older password, except the one that changed it', async () => {
    const { email, accessToken } = await server.customer();
    const other = signedIn(await login(email, PASSWORD)).deviceCookie;
    const newPassword = 'another long pass phrase';
    const changed = await ask(server, '/auth/change-password', {
      bearer: accessToken,
      headers: from(),
      body: { currentPassword: PASSWORD, newPassword },
    });
    const [own = ''] = changed.headers.getSetCookie();
    expect(own).to.match(/^__Host-blazon_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    await exhaust(email);
    expect((await login(email, newPassword, { cookie: other })).status).to.equal(429);
    expect((await login(email, newPassword, { cookie: own.split(';', 1)[0] ?? '' })).status).to.equal(200);
  });

  it('accept an owner who resets the password by link while strangers go on guessing', async () => {
    const { email } = await server.customer();
    await exhaust(email);
    await ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
    const token = await newLinkToken(server, email, { purpose: 'reset-password' });
    const newPassword = 'another long pass phrase';
    const reset = await ask(server, '/auth/reset-password', { body: { token, newPassword }, headers: from() });
    const [device = ''] = reset.headers.getSetCookie();
    expect(device).to.match(
      /^__Host-blazon_device=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    await exhaust(email);
    expect((await login(email, newPassword)).status).to.equal(429);
    expect((await login(email, newPassword, { cookie: device.split(';', 1)[0] ?? '' })).status).to.equal(200);
  });

  it('trust a device by its signature, for one e-mail address', async () => {
    const [owner, other] = [await server.customer(), await server.customer()];
    const mine = signedIn(await login(owner.email, PASSWORD)).deviceCookie;
    const theirs = signedIn(await login(other.email, PASSWORD)).deviceCookie;
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
    expect(body.message).to.equal(
      'Too many wrong passwords were given from your network address. Try again in 5 minutes.',
    );
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
