// E-mail addresses of one mailbox in several spellings: domains in Unicode and ASCII, and every character that RFC 5321
// allows.
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, from, signedIn } from '../support/auth.js';
import { FAMILY } from '../support/backend.js';
import { runCli } from '../support/cli.js';
import { startMailServer, type MailServer } from '../support/mail-server.js';
import { PUBLIC_ORIGIN, startServer, type TestServer } from '../support/server.js';

const TYPED = 'Ada@Bücher.example';
const STORED = 'Ada@xn--bcher-kva.example';
const SPELLINGS = [TYPED, STORED, 'ada@BÜCHER.example', 'ada@bu\u0308cher.example', 'ADA@XN--BCHER-KVA.EXAMPLE'];

describe('the spelling of an e-mail address', () => {
  let mails: MailServer;
  let server: TestServer;
  before(async () => {
    mails = await startMailServer();
    server = await startServer({ TRUST_PROXY: '1', SMTP_URL: mails.url });
  });
  after(async () => {
    await server.close();
    await mails.down();
  });
  const calls = () => accountCalls(server);
  /** Finds a mail by the address in its header, because the test server lists recipients in Unicode only. */
  const mailTo = (address: string, subject: string) =>
    eventually(
      () =>
        mails.received.find(
          ({ source }) => source.includes(`\r\nTo: ${address}\r\n`) && source.includes(`Subject: Blazon: ${subject}`),
        ),
      `mail to ${address}`,
    );

  it('is stored with an ASCII domain: every spelling signs in, and none registers again', async () => {
    const { register, login } = calls();
    const { email, accessToken } = signedIn(await register(TYPED));
    expect(email).to.equal(STORED);
    await mailTo(STORED, 'Verify');
    for (const spelling of SPELLINGS) {
      expect(signedIn(await login(spelling)).email, spelling).to.equal(STORED);
      expect((await register(spelling)).body.error, spelling).to.equal('email_taken');
    }
    const same = await calls().confirm('/auth/change-email', accessToken, { newEmail: SPELLINGS[2] });
    expect([same.status, same.body.error]).to.deep.equal([400, 'invalid_request']);
  });

  it('shares rate limits of sign-ins and mails of the account', async () => {
    const { register, login } = calls();
    signedIn(await register('budget@почта.рф'));
    for (let tries = 0; tries < 10; tries++) {
      const spelling = tries % 2 === 0 ? 'budget@почта.рф' : 'BUDGET@xn--80a1acny.xn--p1ai';
      expect((await login(spelling, 'not this pass phrase')).body.error).to.equal('invalid_credentials');
    }
    for (const spelling of ['budget@ПОЧТА.рф', 'budget@xn--80a1acny.xn--p1ai'])
      expect((await login(spelling)).body.error, spelling).to.equal('login_throttled');
    await ask(server, '/auth/forgot-password', { body: { email: 'Budget@ПОЧТА.рф' }, headers: from() });
    await mailTo('budget@xn--80a1acny.xn--p1ai', 'Reset');
  });

  it('is stored with an ASCII domain after a change, too', async () => {
    const { register, confirm } = calls();
    const { accessToken } = signedIn(await register('mover@example.com'));
    const { status } = await confirm('/auth/change-email', accessToken, { newEmail: 'mover@例え.テスト' });
    expect(status).to.equal(202);
    await mailTo('mover@xn--r8jz45g.xn--zckzah', 'Confirm');
  });

  it('may have every character of a dot-atom: it registers, signs in and gets its mails', async () => {
    const { register, login } = calls();
    const locals = [
      'a&b',
      'a/b',
      'x=y',
      '$ada',
      '{a}b',
      "'a'",
      '=?utf-8?q?a?=',
      "!#$%&'*+-/=?^_`{|}~",
      '$where',
      '-a',
      '__proto__',
    ];
    for (const address of locals.map((local) => `${local}@example.com`)) {
      expect(signedIn(await register(address)).email).to.equal(address);
      expect(signedIn(await login(address.toUpperCase())).email).to.equal(address);
      expect((await register(address)).body.error, address).to.equal('email_taken');
      expect((await mailTo(address, 'Verify')).to).to.deep.equal([address]);
    }
  });

  it('is found by commands in every spelling', async function () {
    if (FAMILY === 'cluster') this.skip();
    const { register } = calls();
    const { id } = signedIn(await register('cli@bücher.example', PASSWORD));
    for (const spelling of ['cli@bücher.example', ' CLI@xn--bcher-kva.example ', id]) {
      const { stdout, stderr } = await runCli('account', ['show', spelling, '--json'], {
        DATA_DIR: server.dataDir,
        PUBLIC_URL: PUBLIC_ORIGIN,
      });
      expect(stderr).to.equal('');
      expect(JSON.parse(stdout), spelling).to.include({ id, email: 'cli@xn--bcher-kva.example' });
    }
    const created = await runCli('account', ['create', 'CLI@BÜCHER.example'], {
      DATA_DIR: server.dataDir,
      PUBLIC_URL: PUBLIC_ORIGIN,
    });
    expect([created.status, created.stderr]).to.deep.equal([
      1,
      'There is already an account with this e-mail address.\n',
    ]);
  });
});
