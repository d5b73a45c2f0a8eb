// POST /auth/change-email, /auth/confirm-email
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, from, linkTokens, mailsTo, newLinkToken, signedIn } from '../support/auth.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';
import { suiteServer, type Customer } from '../support/server.js';

const OTHER = 'another long pass phrase';

describe('changing the e-mail address', () => {
  let clockMs = Date.now();
  const server = suiteServer({ TRUST_PROXY: '1' }, () => clockMs);

  let made = 0;
  const newAddress = (): string => `New.Address${++made}@example.com`;
  const { confirm: withPassword, login, refresh, register } = accountCalls(server);
  const change = (bearer: string, newEmail: string, currentPassword = PASSWORD) =>
    withPassword('/auth/change-email', bearer, { currentPassword, newEmail });
  const confirm = (token: string) => ask(server, '/auth/confirm-email', { body: { token }, headers: from() });
  const emailOf = async (bearer: string) => {
    const { body } = await ask(server, '/auth/me', { method: 'GET', bearer });
    return body.account as { email: string; emailVerified: boolean };
  };
  const mailTo = (email: string, subject: string) =>
    eventually(
      () => mailsTo(server, email).find((mail) => mail.includes(`Subject: Blazon: ${subject}`)),
      `mail: ${subject}`,
    );
  const linkTo = (email: string, known: readonly string[] = []) =>
    newLinkToken(server, email, { purpose: 'confirm-email', known });
  async function requested({ accessToken }: Customer, newEmail: string): Promise<string> {
    const known = linkTokens(server, newEmail, 'confirm-email');
    expect((await change(accessToken, newEmail)).status).to.equal(202);
    return linkTo(newEmail, known);
  }
  const expectBadLink = ({ status, body }: Awaited<ReturnType<typeof confirm>>) => {
    expect([status, body.error]).to.deep.equal([400, 'invalid_request']);
    expect(body).to.have.nested.property('details[0].field', 'token');
  };

  it('needs a link to the new address, keeps sessions and key, and notifies the old address twice', async () => {
    const customer = await server.customer();
    const { email, accessToken, cookie, apiKey } = customer;
    const newEmail = newAddress();
    const token = await requested(customer, newEmail);
    const notice = await mailTo(email, 'E-mail address change requested');
    expect(notice).to.include(newEmail).and.not.include('#token=');
    expect(await emailOf(accessToken)).to.include({ email, emailVerified: false });
    const { status, text } = await confirm(token);
    expect([status, text]).to.deep.equal([204, '']);
    expect(await emailOf(accessToken)).to.include({ email: newEmail, emailVerified: true });
    expect((await refresh(cookie)).status).to.equal(200);
    expect((await server.get('/v1/usage', apiKey)).status).to.equal(200);
    expect((await login(email)).body.error).to.equal('invalid_credentials');
    expect((await login(newEmail.toLowerCase())).status).to.equal(200);
    await mailTo(email, 'E-mail address changed');
    expect((await register(email)).status, 'the old address is free').to.equal(201);
  });

  it('works once, for 24 hours, and only with the newest link', async () => {
    const customer = await server.customer();
    const [first, second] = [newAddress(), newAddress()];
    const older = await requested(customer, first);
    const newer = await requested(customer, second);
    expectBadLink(await confirm(older));
    expect((await confirm(newer)).status).to.equal(204);
    expectBadLink(await confirm(newer));
    const late = await requested(customer, newAddress());
    clockMs += DAY_MS + 1000;
    expectBadLink(await confirm(late));
  });

  it('rejects links of other purposes', async () => {
    const customer = await server.customer();
    const token = await requested(customer, newAddress());
    for (const [path, body] of [
      ['/auth/verify-email', { token }],
      ['/auth/reset-password', { token, newPassword: OTHER }],
    ] as const)
      expectBadLink(await ask(server, path, { body, headers: from() }));
    await ask(server, '/auth/resend-verification', { bearer: customer.accessToken });
    expectBadLink(await confirm(await newLinkToken(server, customer.email, { purpose: 'verify-email' })));
  });

  it('answers the same for a taken address, and mails it without a link', async () => {
    const [mine, theirs] = [await server.customer(), await server.customer()];
    const inOtherLetters = theirs.email.replace('user', 'USER');
    const free = await change(mine.accessToken, newAddress());
    const taken = await change(mine.accessToken, inOtherLetters);
    expect([taken.status, taken.text]).to.deep.equal([free.status, free.text]);
    const mail = await eventually(
      () => mailsTo(server, inOtherLetters).find((one) => one.includes('E-mail address in use')),
      'mail to the owner of the address',
    );
    expect(mail).to.not.include('#token=').and.not.include(mine.email);
    const { body } = await ask(server, '/auth/activity', { method: 'GET', bearer: mine.accessToken });
    const events = body.events as { type: string; message: string; detail: object }[];
    const links = events.filter(({ message }) => message === 'A link to confirm a new e-mail address was created.');
    expect(links).to.have.length(2);
    expect(links[0]!.detail).to.deep.equal(links[1]!.detail);
    expect(linkTokens(server, inOtherLetters, 'confirm-email')).to.deep.equal([]);
  });

  it('answers 409 if another account has taken the address meanwhile, and changes nothing', async () => {
    const customer = await server.customer();
    const newEmail = newAddress();
    const token = await requested(customer, newEmail);
    expect((await register(newEmail)).status).to.equal(201);
    const { status, body, text } = await confirm(token);
    expect([status, body.error]).to.deep.equal([409, 'email_taken']);
    expect(text).to.not.include(newEmail);
    expect(await emailOf(customer.accessToken)).to.include({ email: customer.email, emailVerified: false });
  });

  it('is rejected for the same address in any case, and for an invalid address', async () => {
    const { accessToken, email } = await server.customer();
    for (const newEmail of [email, email.toUpperCase(), 'nobody', '']) {
      const { status, body } = await change(accessToken, newEmail);
      expect([status, body.error], newEmail).to.deep.equal([400, 'invalid_request']);
      expect(body).to.have.nested.property('details[0].field', 'newEmail');
    }
    await ask(server, '/auth/resend-verification', { bearer: accessToken });
    await newLinkToken(server, email, { purpose: 'verify-email' });
    expect(mailsTo(server, email)).to.have.length(1);
  });

  it('can be requested five times in half an hour per account and per address', async () => {
    const { accessToken } = await server.customer();
    for (let count = 0; count < 5; count++) expect((await change(accessToken, newAddress())).status).to.equal(202);
    const { status, body, headers } = await change(accessToken, newAddress());
    expect([status, body.error]).to.deep.equal([429, 'rate_limited']);
    expect(Number(headers.get('retry-after'))).to.be.within(1, 1800);

    const victim = newAddress();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await change((await server.customer()).accessToken, victim)).status);
    expect(statuses).to.deep.equal([202, 202, 202, 202, 202, 429]);
    clockMs += 30 * MINUTE_MS + 1000;
    const later = signedIn(await login((await server.customer()).email));
    expect((await change(later.accessToken, victim)).status).to.equal(202);
  });

  it('ends with a changed or reset password', async () => {
    const customer = await server.customer();
    const { accessToken, email } = customer;
    const token = await requested(customer, newAddress());
    expect((await withPassword('/auth/change-password', accessToken, { newPassword: OTHER })).status).to.equal(204);
    expectBadLink(await confirm(token));

    const another = newAddress();
    expect((await change(accessToken, another, OTHER)).status).to.equal(202);
    const second = await linkTo(another);
    await ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
    const reset = await newLinkToken(server, email, { purpose: 'reset-password' });
    const set = await ask(server, '/auth/reset-password', { body: { token: reset, newPassword: PASSWORD } });
    expect(set.status).to.equal(204);
    expectBadLink(await confirm(second));
  });

  it('invalidates links that the old address received before', async () => {
    const customer = await server.customer();
    const { email, accessToken } = customer;
    await ask(server, '/auth/forgot-password', { body: { email }, headers: from() });
    const reset = await newLinkToken(server, email, { purpose: 'reset-password' });
    await ask(server, '/auth/resend-verification', { bearer: accessToken });
    const verification = await newLinkToken(server, email, { purpose: 'verify-email' });
    const newEmail = newAddress();
    expect((await confirm(await requested(customer, newEmail))).status).to.equal(204);
    for (const [path, body] of [
      ['/auth/reset-password', { token: reset, newPassword: OTHER }],
      ['/auth/verify-email', { token: verification }],
    ] as const)
      expectBadLink(await ask(server, path, { body, headers: from() }));
    await ask(server, '/auth/forgot-password', { body: { email: newEmail }, headers: from() });
    await newLinkToken(server, newEmail, { purpose: 'reset-password' });
  });

  it('keeps trusted browsers, and admits the owner after strangers tried passwords for the address', async () => {
    const customer = await server.customer();
    const { deviceCookie: device } = signedIn(await login(customer.email));
    const newEmail = newAddress();
    const exhaust = async () => {
      for (let count = 0; count < 10; count++) await login(newEmail, 'not this pass phrase');
      expect((await login(newEmail)).status).to.equal(429);
    };
    await exhaust();
    expect((await confirm(await requested(customer, newEmail))).status).to.equal(204);
    expect((await login(newEmail)).status, 'by a stranger’s browser').to.equal(200);
    await exhaust();
    expect((await login(newEmail, PASSWORD, { cookie: device })).status, 'by a known browser').to.equal(200);
  });

  it('is recorded, and exported while it is pending', async () => {
    const customer = await server.customer();
    const { accessToken } = customer;
    const newEmail = newAddress();
    const token = await requested(customer, newEmail);
    const exported = async () => (await withPassword('/auth/export', accessToken)).body;
    const links = (await exported()).links as { readonly purpose: string }[];
    const pending = links.find(({ purpose }) => purpose === 'confirm-email');
    expect(pending).to.deep.equal({
      purpose: 'confirm-email',
      newEmail,
      expiresAt: new Date(clockMs + DAY_MS).toISOString(),
    });
    await confirm(token);
    const after = await exported();
    expect(after.links).to.deep.equal([]);
    expect(after).to.have.nested.property('account.email', newEmail);
    const messages = (after.activity as { message: string }[]).map(({ message }) => message);
    expect(messages).to.include.members([
      'The e-mail address was changed.',
      'A link to confirm a new e-mail address was created.',
    ]);
  });

  it('shows the new address on the account page while its link is valid', async () => {
    const customer = await server.customer();
    const pending = async ({ accessToken: bearer }: Pick<Customer, 'accessToken'>) =>
      (await ask(server, '/dashboard/email-change', { method: 'GET', bearer })).body;
    expect(await pending(customer)).to.deep.equal({ newEmail: null });
    await ask(server, '/auth/resend-verification', { bearer: customer.accessToken });
    expect(await pending(customer), 'of another link').to.deep.equal({ newEmail: null });
    const newEmail = newAddress();
    await change(customer.accessToken, newEmail);
    expect(await pending(customer)).to.deep.equal({ newEmail });
    clockMs += DAY_MS;
    expect(await pending(signedIn(await login(customer.email)))).to.deep.equal({ newEmail: null });
  });

  it('changes nothing of a suspended account', async () => {
    const customer = await server.customer();
    const token = await requested(customer, newAddress());
    await server.suspend(customer.apiKey);
    const { status, body } = await confirm(token);
    expect([status, body.error]).to.deep.equal([403, 'account_suspended']);
    expect((await change(customer.accessToken, newAddress())).body.error).to.equal('account_suspended');
  });
});
