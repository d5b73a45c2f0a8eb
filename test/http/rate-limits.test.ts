// Rate limits of successful sign-ins and of mails.
import { expect } from 'chai';
import { parseAccountId } from '../../src/domain/account/account-id.js';
import { rightPasswordRateLimit, type Purpose } from '../../src/services/accounts/password-rate-limits.js';
import { PASSWORD } from '../support/accounts.js';
import { ask, from, linkTokens, newLinkToken, signedIn } from '../support/auth.js';
import { MINUTE_MS } from '../support/clock.js';
import { startServer, type Customer, type TestServer } from '../support/server.js';

describe('rate limits of accounts', () => {
  let server: TestServer;
  let clockMs = Date.now();
  before(async () => {
    server = await startServer({ TRUST_PROXY: '1' }, () => clockMs);
  });
  after(() => server.close());

  /** As after a hundred right passwords. */
  async function useUp({ id }: Customer, purpose: Purpose): Promise<void> {
    const budget = rightPasswordRateLimit(parseAccountId(id)!, purpose);
    while ((await server.stores.rateLimits.consume([budget])).ok);
  }
  const login = (email: string, password = PASSWORD) =>
    ask(server, '/auth/login', { body: { email, password }, headers: from() });

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
    const calls: readonly [string, string, object][] = [
      ['POST', '/auth/regenerate-key', {}],
      ['POST', '/auth/logout-all', {}],
      ['POST', '/auth/change-password', { newPassword: 'another long pass phrase' }],
      ['POST', '/auth/export', {}],
      ['DELETE', '/auth/account', {}],
    ];
    const before = await server.records(customer);
    for (const [method, path, fields] of calls) {
      const { status, body } = await ask(server, path, {
        method,
        bearer: customer.accessToken,
        headers: from(),
        body: { currentPassword: PASSWORD, ...fields },
      });
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
    const newPassword = 'another long pass phrase';
    expect(
      (await ask(server, '/auth/reset-password', { body: { token, newPassword }, headers: from() })).status,
    ).to.equal(204);
    expect((await login(customer.email, newPassword)).status).to.equal(200);
  });

  it('of verification mails are not used up by strangers who register with the address', async () => {
    const email = 'wanted@example.com';
    const owner = signedIn(
      await ask(server, '/auth/register', { body: { email, password: PASSWORD }, headers: from() }),
    );
    const taken = await Promise.all(
      Array.from({ length: 8 }, () =>
        ask(server, '/auth/register', { body: { email: email.toUpperCase(), password: PASSWORD }, headers: from() }),
      ),
    );
    expect(new Set(taken.map(({ status }) => status))).to.deep.equal(new Set([409]));
    for (let count = 0; count < 5; count++)
      expect((await ask(server, '/auth/resend-verification', { bearer: owner.accessToken })).status).to.equal(202);
    expect((await ask(server, '/auth/resend-verification', { bearer: owner.accessToken })).status).to.equal(429);
    const deleted = await ask(server, '/auth/account', {
      method: 'DELETE',
      bearer: owner.accessToken,
      body: { currentPassword: PASSWORD },
      headers: from(),
    });
    expect(deleted.status).to.equal(204);
    const known = linkTokens(server, email, 'verify-email');
    await ask(server, '/auth/register', { body: { email, password: PASSWORD }, headers: from() });
    await newLinkToken(server, email, { purpose: 'verify-email', known });
  });
});
