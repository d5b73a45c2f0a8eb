// POST /auth/register
import { expect } from 'chai';
import type { ErrorDetail } from '../../src/platform/errors.js';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, from, signedIn, type Answer } from '../support/auth.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { unfolded } from '../support/quoted-printable.js';
import { suiteServer } from '../support/server.js';

const cookieNames = ({ headers }: Answer) => headers.getSetCookie().map((cookie) => cookie.split('=', 1)[0]);

describe('POST /auth/register', () => {
  const server = suiteServer();
  const { me } = accountCalls(server);

  const register = (body: unknown) => ask(server, '/auth/register', { body });

  it('returns an account and a key that is immediately valid', async () => {
    const answer = await register({ email: ' Ada@Example.com ', password: PASSWORD });
    expect(answer.status).to.equal(201);
    expect(answer.body).to.have.all.keys('account', 'apiKey', 'accessToken', 'tokenType', 'expiresIn');
    expect(answer.body).to.deep.include({ tokenType: 'Bearer', expiresIn: 900 });
    expect(cookieNames(answer)).to.deep.equal(['__Host-blazon_session', '__Host-blazon_device']);
    const { accessToken, apiKey } = signedIn(answer);
    expect(await me(accessToken)).to.equal(200);
    expect(answer.body.account).to.deep.include({ email: 'Ada@Example.com', tier: 'free', emailVerified: false });
    expect(answer.body).to.have.nested.property('account.key.hint', apiKey.slice(-4));
    expect((await server.get('/v1/svg/github', apiKey)).status).to.equal(200);
    const usage = (await (await server.get('/v1/usage', apiKey)).json()) as { date: string; endpoints: object };
    expect(usage).to.have.nested.property('endpoints.svg.used', 1);
    expect(usage.date).to.equal(new Date().toISOString().slice(0, 10));
    expect(Object.keys(usage.endpoints)).to.deep.equal(['svg', 'png', 'webp', 'catalog', 'search', 'domain', 'batch']);
  });

  it('rejects the same address in another case', async () => {
    const { status, body } = await register({ email: 'ADA@example.COM', password: PASSWORD });
    expect([status, body.error]).to.deep.equal([409, 'email_taken']);
  });

  it('names the wrong field, and repeats no password', async () => {
    const email = 'x@example.com';
    for (const [given, field] of [
      [{ email: 'nope', password: PASSWORD }, 'email'],
      [{ email: `${'x'.repeat(250)}@example.com`, password: PASSWORD }, 'email'],
      [{ email, password: 'short' }, 'password'],
      [{ email, password: '123456qwerty' }, 'password'],
      [{ email, password: 'LetMeInLetMeIn' }, 'password'],
      [{ email, password: PASSWORD, tier: 'internal' }, 'tier'],
      [{ email, password: PASSWORD, __proto__x: 1 }, '__proto__x'],
    ] as const) {
      const { status, body, text } = await register(given);
      expect([status, body.error], text).to.deep.equal([400, 'invalid_request']);
      expect((body.details as ErrorDetail[]).map((detail) => detail.field)).to.include(field);
      expect(text).to.not.include(PASSWORD);
    }
  });

  it('does not repeat a password in a malformed body', async () => {
    for (const body of [
      '{"email":"x@example.com","password":hunter2 and more}',
      '{"email":"x@example.com","password":"hunter2 and more"',
      '{"password":"hunter2\nand more"}',
    ]) {
      const { status, text } = await register(body);
      expect(status, text).to.equal(400);
      expect(text).to.include('invalid_json').and.not.include('hunter2').and.not.include('and more');
    }
  });

  it('stores neither password nor key unencrypted', async () => {
    const { apiKey } = signedIn(await register({ email: 'secret@example.com', password: 'tell nobody this phrase' }));
    const content = await server.stored();
    expect(content.includes('tell nobody')).to.equal(false);
    expect(content.includes(apiKey)).to.equal(false);
    expect(content.includes(apiKey.slice(16, 49))).to.equal(false);
    expect(
      content.includes('$argon2id$v=19$m=19456,p=1,t=2$') || content.includes('$argon2id$v=19$m=19456,t=2,p=1$'),
    ).to.equal(true);
  });
});

describe('POST /auth/register with REGISTRATION=closed', () => {
  const server = suiteServer({ REGISTRATION: 'closed' });

  it('is forbidden', async () => {
    const { status, body } = await accountCalls(server).register('x@example.com');
    expect([status, body.error]).to.deep.equal([403, 'forbidden']);
  });
});

describe('POST /auth/register behind a trusted proxy', () => {
  const server = suiteServer({ TRUST_PROXY: '1' });

  it('rejects the 101st registration within an hour from one address that the proxy names', async () => {
    const attempt = (address: string) =>
      ask(server, '/auth/register', { body: { email: 'x@example.com', password: 'short' }, headers: from(address) });
    const outcomes = await Promise.all(
      Array.from({ length: 101 }, (_, index) => attempt(`203.0.113.${index}, 198.51.100.1`)),
    );
    expect(outcomes.filter(({ status }) => status === 400)).to.have.length(100);
    const limited = outcomes.filter(({ status }) => status === 429);
    expect(limited).to.have.length(1);
    expect(Number(limited[0]?.headers.get('retry-after'))).to.be.within(3500, 3600);
    expect((await attempt('198.51.100.2')).status).to.equal(400);
  });
});

describe('POST /auth/register with REGISTRATION=verified', () => {
  let mails: MailServer;
  let clockMs = Date.now();
  const variables: Record<string, string> = { REGISTRATION: 'verified', TRUST_PROXY: '1' };
  before(async () => {
    mails = await startMailServer();
    variables.SMTP_URL = mails.url;
  });
  const server = suiteServer(variables, () => clockMs);
  after(() => mails.down());

  const { login, register } = accountCalls(server);
  const confirm = (token: string) => ask(server, '/auth/confirm-registration', { body: { token }, headers: from() });
  const mailsOf = (email: string) =>
    mails.received.filter(({ to }) => to.includes(email)).map(({ source }) => unfolded(source));
  const nextMail = (email: string, known = 0) => eventually(() => mailsOf(email)[known], `mail to ${email}`);
  const tokenIn = (mail: string) => /\/confirm-registration#token=([\w-]+)/.exec(mail)?.[1] ?? expect.fail(mail);

  it('creates the account and shows its key once, with the mailed link', async () => {
    const email = 'Ada.New@example.com';
    const { status, body, headers } = await register(email);
    expect([status, body]).to.deep.equal([
      202,
      { message: 'An e-mail with a link to finish the registration is on its way.' },
    ]);
    expect([headers.getSetCookie(), headers.get('cache-control')]).to.deep.equal([[], 'no-store']);
    const mail = await nextMail(email);
    expect(mail).to.include('someone else has chosen');
    expect((await login(email)).body.error, 'before the link was followed').to.equal('invalid_credentials');
    expect((await server.stored()).includes('Ada.New')).to.equal(false);
    const answer = await confirm(tokenIn(mail));
    expect(answer.status).to.equal(201);
    expect(answer.body).to.have.all.keys('account', 'apiKey', 'accessToken', 'tokenType', 'expiresIn');
    expect(answer.body.account).to.deep.include({ email, emailVerified: true, tier: 'free' });
    expect(cookieNames(answer)).to.deep.equal(['__Host-blazon_session', '__Host-blazon_device']);
    expect((await server.get('/v1/svg/github', signedIn(answer).apiKey)).status).to.equal(200);
    expect((await login(email)).status).to.equal(200);
    expect((await confirm(tokenIn(mail))).body.error, 'again').to.equal('email_taken');
    expect(mailsOf(email), 'no further link').to.have.length(1);
  });

  it('answers the same for an address with an account, and notifies its owner', async () => {
    const { email } = await server.customer();
    const [known, unknown] = [await register(email.toUpperCase()), await register('nobody-yet@example.com')];
    expect([known.status, known.text]).to.deep.equal([unknown.status, unknown.text]);
    const names = (answer: typeof known) => [...answer.headers.keys()].sort();
    expect(names(known)).to.deep.equal(names(unknown));
    const mail = await nextMail(email);
    expect(mail).to.include('tried to register').and.not.include('token=');
    await nextMail('nobody-yet@example.com');
  });

  it('creates one account from two links to one address, with the password of the followed link', async () => {
    const email = 'race@example.com';
    await Promise.all([register(email), register(email)]);
    await nextMail(email, 1);
    const answers = await Promise.all(mailsOf(email).map((mail) => confirm(tokenIn(mail))));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 409]);
  });

  it('sends at most five mails in half an hour to one address, and answers as before', async () => {
    const email = 'flooded@example.com';
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await register(email)).status));
    expect(new Set(statuses)).to.deep.equal(new Set([202]));
    await nextMail(email, 4);
    await register('after@example.com');
    await nextMail('after@example.com');
    expect(mailsOf(email)).to.have.length(5);
  });

  it('rejects links that are forged or older than a day', async () => {
    await register('late@example.com');
    const token = tokenIn(await nextMail('late@example.com'));
    for (const forged of ['x', `${token.slice(0, -8)}AAAAAAAA`]) {
      const { status, body } = await confirm(forged);
      expect([status, body.error, (body.details as { field: string }[])[0]?.field]).to.deep.equal([
        400,
        'invalid_request',
        'token',
      ]);
    }
    clockMs += 86_400_000;
    expect((await confirm(token)).body.error).to.equal('invalid_request');
  });

  it('limits attempts to use links from one address', async () => {
    const headers = from();
    const tries = Array.from({ length: 51 }, () =>
      ask(server, '/auth/confirm-registration', { body: { token: 'x' }, headers }),
    );
    const limited = (await Promise.all(tries)).filter(({ status }) => status === 429);
    expect(limited.map(({ body }) => body.error)).to.deep.equal(['rate_limited']);
  });
});
