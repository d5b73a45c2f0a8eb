// Secrets must never appear in plain text in logs, errors or the database, from the registration to the deletion of an
// account.
import { expect } from 'chai';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { accountCalls, ask, eventually, from, newLinkToken, signedIn, type Ask } from '../support/auth.js';
import { FAMILY } from '../support/backend.js';
import { startMailServer } from '../support/mail-server.js';
import { spellingsOf } from '../support/secrets.js';
import { startServer, type TestServer } from '../support/server.js';

const EMAIL = 'ada@example.com';
const JWT_SECRET = 'a secret that signs what this service signs';
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef', STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef' };
const [FIRST, SECOND, THIRD, WRONG] = [1, 2, 3, 0].map((number) => `pass/phrase+"${number}" für ada`) as [
  ...[string, string, string, string],
];

/** Returns the names of the secrets that the bytes contain, in plain text or in another encoding. */
const found = (bytes: Buffer | string, secrets: ReadonlyMap<string, string>): string[] =>
  [...secrets].flatMap(([name, secret]) =>
    spellingsOf(secret).some((spelling) => Buffer.from(bytes).includes(spelling)) ? [name] : [],
  );

describe('the secrets of an account', () => {
  let server: TestServer;
  /**
   * Secrets by name. For a token or key, the value is only a part near its end. The beginning is omitted, because it is
   * the account's id, which is not secret.
   */
  const secrets = new Map<string, string>([
    ...Object.entries({ FIRST, SECOND, THIRD, WRONG, JWT_SECRET }),
    ...Object.entries(STRIPE),
  ]);
  let answers = 0;
  const note = (what: string, token: unknown) => secrets.set(`${what} ${(answers += 1)}`, String(token).slice(-40, -6));
  const errors: string[] = [];

  /** Sends a request. Records the tokens in the response, and the texts of errors. */
  async function call(path: string, given: Ask = {}) {
    const answer = await ask(server, path, { headers: from(), ...given });
    if (answer.status >= 400) errors.push(`${answer.text}\n${JSON.stringify([...answer.headers])}`);
    const { apiKey, accessToken } = answer.body;
    if (apiKey !== undefined) note('API key', apiKey);
    if (accessToken !== undefined) note('access token', accessToken);
    for (const line of answer.headers.getSetCookie()) note('cookie', line.split(';', 1)[0]);
    return answer;
  }
  async function link(purpose: 'verify-email' | 'reset-password'): Promise<string> {
    const token = await newLinkToken(server, EMAIL, { purpose });
    note('link', token);
    return token;
  }
  const login = (password: string) => call('/auth/login', { body: { email: EMAIL, password } });

  before(async () => void (server = await startServer({ JWT_SECRET, ...STRIPE, TRUST_PROXY: '1' }, Date.now, 'none')));
  after(() => server.close());

  it('are stored as hashes only, logged nowhere, and repeated by no error', async () => {
    const { apiKey } = signedIn(await call('/auth/register', { body: { email: EMAIL, password: FIRST } }));
    await call('/auth/verify-email', { body: { token: await link('verify-email') } });
    await login(WRONG);
    const { accessToken: bearer, cookie } = signedIn(await login(FIRST));
    await accountCalls(server).refresh(cookie);
    for (const currentPassword of [WRONG, FIRST])
      await call('/auth/regenerate-key', { bearer, body: { currentPassword } });
    await call('/auth/change-password', { bearer, body: { currentPassword: FIRST, newPassword: SECOND } });
    // Sends secrets in fields and headers that expect other values.
    await call('/auth/login', { body: `{"email":"${EMAIL}","password":${JSON.stringify(SECOND)}, broken` });
    await call('/auth/login', { body: { email: SECOND, password: SECOND, key: apiKey } });
    await call('/auth/reset-password', { body: { token: cookie, newPassword: SECOND } });
    const stray = [apiKey, bearer, cookie].map(encodeURIComponent);
    for (const secret of stray)
      for (const path of [`/v1/svg/github?key=${secret}`, `/v1/svg/${secret}`, `/${secret}`, `/auth/me?${secret}=1`])
        await call(path, { method: 'GET' });
    await call('/auth/me', { method: 'GET', bearer: apiKey, headers: { 'X-API-Key': bearer, Cookie: cookie } });
    expect((await call('/auth/forgot-password', { body: { email: EMAIL } })).status).to.equal(202);
    await call('/auth/reset-password', { body: { token: await link('reset-password'), newPassword: THIRD } });
    const again = signedIn(await login(THIRD));
    const activity = await call('/auth/activity', { method: 'GET', bearer: again.accessToken });

    expect(errors.length).to.be.above(15);
    expect(secrets.size).to.be.above(15);
    expect(found(errors.join('\n'), secrets)).to.deep.equal([]);
    expect(found(server.logged(), secrets)).to.deep.equal([]);
    expect(found(activity.text, secrets)).to.deep.equal([]);
    const stored = await server.stored();
    expect(stored.includes(EMAIL), 'the account is in what is searched').to.equal(true);
    expect(found(stored, secrets)).to.deep.equal([]);
    expect(found(`${THIRD} is found`, secrets)).to.deep.equal(['THIRD']);

    const { status } = await call('/auth/account', {
      method: 'DELETE',
      bearer: again.accessToken,
      body: { currentPassword: THIRD },
    });
    expect(status).to.equal(204);
    expect(found(await server.stored(), secrets)).to.deep.equal([]);
    if (FAMILY === 'embedded') expectNoRows(server.dataDir);
    else expect((await server.stored()).includes(EMAIL)).to.equal(false);
  });

  it('are not logged when a mail fails, and neither is the password of the mail server', async () => {
    const mails = await startMailServer();
    mails.mood = 'rejects';
    const password = 'the password of the mail server';
    const SMTP_URL = mails.url.replace('//', `//ada:${encodeURIComponent(password)}@`);
    const mailing = await startServer({ JWT_SECRET, SMTP_URL }, Date.now, 'none');
    await ask(mailing, '/auth/register', { body: { email: EMAIL, password: FIRST } });
    await eventually(() => mailing.logged().includes('mail') && mailing.logged().includes('"err"'), 'failed mail');
    expect(found(mailing.logged(), new Map([...secrets, ['mail password', password]]))).to.deep.equal([]);
    await mailing.close();
    await mails.down();
  });
});

/**
 * Checks the tables instead of the bytes of the file, because unused pages of the file may still contain the e-mail
 * address.
 */
function expectNoRows(dataDir: string): void {
  const db = openDatabase(dataDir);
  for (const table of ['accounts', 'audit', 'budgets', 'usage', 'responses']) {
    const rows = JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all());
    expect(rows.includes(EMAIL), table).to.equal(false);
    if (table === 'accounts') expect(rows).to.equal('[]');
  }
  db.close();
}
