// POST /auth/forgot-password, /auth/reset-password, /auth/verify-email, /auth/resend-verification
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, from, linkTokens, mailsTo, newLinkToken, signedIn } from '../support/auth.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';
import { suiteServer } from '../support/server.js';

const OTHER = 'another long pass phrase';

describe('links in mails', () => {
  let clockMs = Date.now();
  const server = suiteServer({ TRUST_PROXY: '1' }, () => clockMs);

  const forgot = (email: string) => ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
  /** Waits until all requests for reset links are processed and all mails are sent. */
  const carriedOut = () => eventually(async () => ((await server.isMailing()) ? undefined : true), 'end of the mails');
  const reset = (token: string, newPassword = OTHER) =>
    ask(server, '/auth/reset-password', { body: { token, newPassword }, headers: from() });
  const verify = (token: string) => ask(server, '/auth/verify-email', { body: { token }, headers: from() });
  const resend = (bearer: string) => ask(server, '/auth/resend-verification', { bearer });
  const { confirm, login, me, refresh } = accountCalls(server);
  const loginStatus = async (email: string, password: string) => (await login(email, password)).status;
  const isVerified = async (bearer: string) =>
    ((await ask(server, '/auth/me', { method: 'GET', bearer })).body as { account: { emailVerified: boolean } }).account
      .emailVerified;
  const resetMail = (email: string) =>
    eventually(() => mailsTo(server, email).find((mail) => mail.includes('Subject: Blazon: Password reset')), 'mail');
  async function resetLink(email: string): Promise<string> {
    const known = linkTokens(server, email, 'reset-password');
    await forgot(email);
    return newLinkToken(server, email, { purpose: 'reset-password', known });
  }
  const expectBadLink = ({ status, body }: Awaited<ReturnType<typeof reset>>) => {
    expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    expect(body).to.have.nested.property('details[0].field', 'token');
  };

  describe('without a mail server', () => {
    it('are in files, and the log has their paths for the operator', async () => {
      const { email, id } = await server.customer();
      await resetLink(email);
      const file = await eventually(
        () =>
          server
            .logged()
            .split('\n')
            .filter((line) => line.includes('an e-mail was written to a file'))
            .map((line) => (JSON.parse(line) as { file: string }).file)
            .find((path) => path.includes(id)),
        'path of the mail',
      );
      expect(file.startsWith(join(server.dataDir, 'outbox', id))).to.equal(true);
      expect(statSync(file).isFile()).to.equal(true);
    });
  });

  describe('to reset the password', () => {
    it('answers the same whether or not the account exists', async () => {
      const { email } = await server.customer();
      const [known, unknown] = [await forgot(email), await forgot('nobody@example.com')];
      expect([known.status, unknown.status]).to.deep.equal([202, 202]);
      expect(known.body).to.have.all.keys('message');
      expect(unknown.text).to.equal(known.text);
      await newLinkToken(server, email, { purpose: 'reset-password' });
      expect(mailsTo(server, 'nobody@example.com')).to.deep.equal([]);
    });

    it('sets the password, ends all sessions, and verifies the address', async () => {
      const { email, accessToken, cookie, apiKey } = await server.customer();
      const token = await resetLink(email.toUpperCase().toLowerCase());
      const { status, text } = await reset(token);
      expect([status, text]).to.deep.equal([204, '']);
      expect([await me(accessToken), (await refresh(cookie)).status]).to.deep.equal([401, 401]);
      expect([await loginStatus(email, PASSWORD), await loginStatus(email, OTHER)]).to.deep.equal([401, 200]);
      expect((await server.get('/v1/usage', apiKey)).status).to.equal(200);
      const fresh = signedIn(await login(email, OTHER));
      expect(await isVerified(fresh.accessToken)).to.equal(true);
      await resetMail(email);
    });

    it('identifies the key that stays valid, since somebody else may have registered with the address', async () => {
      const { email, apiKey } = await server.customer();
      const { status, headers } = await reset(await resetLink(email));
      const madeAt = new Date(clockMs).toISOString();
      expect([status, headers.get('x-blazon-key-hint'), headers.get('x-blazon-key-created-at')]).to.deep.equal([
        204,
        apiKey.slice(-4),
        madeAt,
      ]);
      expect(await resetMail(email))
        .to.include(apiKey.slice(-4))
        .and.not.include(apiKey);
      expect((await server.get('/v1/usage', apiKey)).status).to.equal(200);
    });

    it('has no headers about a key if the account has none', async () => {
      const { email, apiKey } = await server.customer();
      await server.revokeKey(apiKey);
      const { status, headers } = await reset(await resetLink(email));
      expect(status).to.equal(204);
      expect([...headers.keys()].filter((name) => name.startsWith('x-blazon'))).to.deep.equal([]);
      expect(await resetMail(email)).to.not.include('API key');
    });

    it('works once', async () => {
      const { email } = await server.customer();
      const token = await resetLink(email);
      const answers = await Promise.all([reset(token), reset(token, 'yet another pass phrase'), reset(token)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 400, 400]);
      expectBadLink(await reset(token));
    });

    it('works for 30 minutes', async () => {
      const { email } = await server.customer();
      const early = await resetLink(email);
      clockMs += 29 * MINUTE_MS;
      expect((await reset(early)).status).to.equal(204);
      const late = await resetLink(email);
      clockMs += 30 * MINUTE_MS + 1000;
      expectBadLink(await reset(late));
      expect(await loginStatus(email, OTHER)).to.equal(200);
    });

    it('expires with a newer link or a changed password, and has no other purpose', async () => {
      const { email } = await server.customer();
      const older = await resetLink(email);
      clockMs += 16 * MINUTE_MS;
      const newer = await resetLink(email);
      expectBadLink(await reset(older));
      expectBadLink(await verify(newer));
      const { accessToken } = signedIn(await login(email));
      expect((await confirm('/auth/change-password', accessToken, { newPassword: OTHER })).status).to.equal(204);
      expectBadLink(await reset(newer, 'yet another pass phrase'));
    });

    it('stays valid when somebody requests another mail: while it is recent, that mail has the same link', async () => {
      const { email } = await server.customer();
      const token = await resetLink(email);
      for (let index = 0; index < 4; index++) await forgot(email);
      await eventually(() => linkTokens(server, email, 'reset-password').length > 1, 'second mail');
      expect(new Set(linkTokens(server, email, 'reset-password'))).to.deep.equal(new Set([token]));
      expect((await reset(token)).status).to.equal(204);
    });

    it('is not used up by a rejected password', async () => {
      const { email } = await server.customer();
      const token = await resetLink(email);
      const rejected = await reset(token, 'short');
      expect(rejected.status).to.equal(400);
      expect(rejected.body).to.have.nested.property('details[0].field', 'newPassword');
      expect((await reset(token)).status).to.equal(204);
    });

    it('cannot be guessed or derived from a link of another account', async () => {
      const [mine, theirs] = [await server.customer(), await server.customer()];
      const token = await resetLink(mine.email);
      await forgot(theirs.email);
      for (const forged of [
        '',
        'nonsense',
        token.slice(0, -1),
        `${token.slice(0, -4)}AAAA`,
        theirs.id + token.slice(12),
        token.replace(/^./, '!'),
      ])
        expectBadLink(await reset(forged));
    });

    it('is mailed at most 50 times in 5 minutes per client address, to any recipients', async () => {
      const { email } = await server.customer();
      const headers = from();
      const ask50 = Array.from({ length: 50 }, (_, index) =>
        ask(server, '/auth/forgot-password', { body: { email: `somebody${index}@example.com` }, headers }),
      );
      for (const { status } of await Promise.all(ask50)) expect(status).to.equal(202);
      expect((await ask(server, '/auth/forgot-password', { body: { email }, headers })).status).to.equal(202);
      await carriedOut();
      expect(linkTokens(server, email, 'reset-password')).to.deep.equal([]);
      await resetLink(email);
    });

    it('is mailed at most five times in half an hour, with the same response afterwards', async () => {
      const { email } = await server.customer();
      for (let count = 0; count < 8; count++) expect((await forgot(email)).status).to.equal(202);
      await carriedOut();
      const sent = linkTokens(server, email, 'reset-password');
      expect(sent.length).to.be.within(1, 5);
      clockMs += 61 * MINUTE_MS;
      await resetLink(email);
    });
  });

  describe('to verify the address', () => {
    it('comes with registration, and works once', async () => {
      const email = 'fresh@example.com';
      const { accessToken } = signedIn(await ask(server, '/auth/register', { body: { email, password: PASSWORD } }));
      expect(await isVerified(accessToken)).to.equal(false);
      const token = await newLinkToken(server, email, { purpose: 'verify-email' });
      const { status, text } = await verify(token);
      expect([status, text]).to.deep.equal([204, '']);
      expect(await isVerified(accessToken)).to.equal(true);
      expectBadLink(await verify(token));
    });

    it('can be requested again; only the newest works, for three days', async () => {
      const { email, accessToken } = await server.customer();
      expect((await resend(accessToken)).status).to.equal(202);
      const first = await newLinkToken(server, email, { purpose: 'verify-email' });
      clockMs += 2 * DAY_MS;
      const later = signedIn(await login(email));
      const again = await resend(later.accessToken);
      expect([again.status, Object.keys(again.body)]).to.deep.equal([202, ['message']]);
      const second = await newLinkToken(server, email, { purpose: 'verify-email', known: [first] });
      expectBadLink(await verify(first));
      expectBadLink(await reset(second));
      clockMs += 3 * DAY_MS + 1000;
      expectBadLink(await verify(second));
    });

    it('is not sent again once the address is verified', async () => {
      const { email, accessToken } = await server.customer();
      await resend(accessToken);
      await verify(await newLinkToken(server, email, { purpose: 'verify-email' }));
      expect((await resend(accessToken)).status).to.equal(202);
      await sleep(200);
      expect(linkTokens(server, email, 'verify-email')).to.have.length(1);
    });

    it('is sent at most five times in half an hour', async () => {
      const { accessToken } = await server.customer();
      for (let count = 0; count < 5; count++) expect((await resend(accessToken)).status).to.equal(202);
      const { status, body, headers } = await resend(accessToken);
      expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).to.be.within(1, 3600);
    });
  });

  it('can be tried 50 times in 5 minutes from one client address', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1' };
    const answers = await Promise.all(
      Array.from({ length: 51 }, () => ask(server, '/auth/verify-email', { body: { token: 'nonsense' }, headers })),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(400), count(429)]).to.deep.equal([50, 1]);
  });

  it('are stored in files that only the owner of the process can read, and not in the database', async () => {
    const { email } = await server.customer();
    const token = await resetLink(email);
    const folder = join(server.dataDir, 'outbox');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).to.equal(0);
    expect(statSync(folder).mode & 0o077).to.equal(0);
    expect((await server.stored()).includes(token)).to.equal(false);
    expect((await server.stored()).includes(token.slice(28))).to.equal(false);
  });
});
