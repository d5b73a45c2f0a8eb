// Rate limits of registration, and attempts that are not counted.
import { expect } from 'chai';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import { AppError } from '../../src/platform/errors.js';
import { createBackgroundTasks } from '../../src/platform/jobs/background-tasks.js';
import type { Delivery, Mail } from '../../src/platform/mail/mailer.js';
import { createRegistration } from '../../src/accounts/registration.js';
import { createVerifiedRegistration } from '../../src/accounts/verified-registration.js';
import {
  openTestAccounts,
  PASSWORD,
  PASSWORD_HASH,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';

const LIMIT = 100;
const verified = {
  request: () => expect.fail('registration is open'),
  open: () => expect.fail('registration is open'),
};

describe('registration', () => {
  let parts: TestAccounts;
  beforeEach(async () => (parts = await openTestAccounts()));
  afterEach(() => parts.close());

  /** Returns a function that registers an address. All registrations come from the same client. */
  function registering({ hash = async () => PASSWORD_HASH, accounts = parts.accounts }) {
    const service = createRegistration({
      ...parts,
      accounts,
      passwords: { assertGood: () => undefined, hash },
      onChange: () => undefined,
      now: Date.now,
      registration: 'open',
      verified,
    });
    const client = someClient();
    return (email: string) => rejection(service.register({ email, password: PASSWORD, client }));
  }

  it('refunds its rate limit when too many passwords are being hashed', async () => {
    let isBusy = true;
    const hash = async () => {
      if (isBusy) throw new AppError('busy');
      return PASSWORD_HASH;
    };
    const register = registering({ hash });
    const attempt = (index: number) => register(`ada${index}@example.com`);
    for (let index = 0; index < LIMIT + 20; index++) expect(await attempt(index)).to.equal('busy');
    isBusy = false;
    for (let index = 0; index < LIMIT; index++) expect(await attempt(index)).to.equal('no rejection');
    expect(await attempt(LIMIT)).to.equal('rate_limited');
  });

  it('refunds its rate limits when the account could not be stored', async () => {
    let isBroken = true;
    const insert: typeof parts.accounts.insert = (...given) =>
      isBroken ? Promise.reject(new AppError('unavailable')) : parts.accounts.insert(...given);
    const register = registering({ accounts: { ...parts.accounts, insert } });
    for (let index = 0; index < LIMIT + 20; index++) expect(await register('ada@example.com')).to.equal('unavailable');
    isBroken = false;
    expect(await register('ada@example.com')).to.equal('no rejection');
    expect((await parts.accounts.findByEmail('ada@example.com'))!.mails, 'its mail').to.have.length(1);
  });

  it('mails one address at most five times in half an hour, though its accounts are deleted', async () => {
    const register = registering({});
    const mails: number[] = [];
    for (let count = 0; count < 6; count++) {
      expect(await register('ada@example.com')).to.equal('no rejection');
      const account = (await parts.accounts.findByEmail('ada@example.com'))!;
      mails.push(account.mails.length);
      await parts.operator.delete(account);
    }
    expect(mails).to.deep.equal([1, 1, 1, 1, 1, 0]);
  });

  it('does not use up the mails of an address by attempts to register it again', async () => {
    const register = registering({});
    await register('ada@example.com');
    for (let count = 0; count < 10; count++) expect(await register('ADA@example.com')).to.equal('email_taken');
    await parts.operator.delete((await parts.accounts.findByEmail('ada@example.com'))!);
    await register('ada@example.com');
    expect((await parts.accounts.findByEmail('ada@example.com'))!.mails).to.have.length(1);
  });

  it('is recorded with the network of the customer: the new account, and its first session', async () => {
    await registering({})('ada@example.com');
    const { id, key, sessions } = (await parts.accounts.findByEmail('ada@example.com'))!;
    const events = await parts.audit.read(id, { limit: 10 });
    expect(events.map(({ type, detail }) => [type, detail])).to.deep.equal([
      ['authn_login_success', { session: sessions[0]?.id }],
      ['user_created', { tier: 'free', key: key?.hint }],
    ]);
    for (const { by } of events) expect(by).to.deep.equal({ kind: 'customer', address: '192.0.2.0/24' });
    expect(sessions[0]).to.include({ userAgent: 'test', address: '192.0.2.0/24' });
  });
});

describe('registration by a mailed link', () => {
  let parts: TestAccounts;
  let sent: Mail[];
  let deliver: (mail: Mail) => Delivery;
  let reports: unknown[];
  beforeEach(async () => {
    parts = await openTestAccounts();
    [sent, reports] = [[], []];
    deliver = () => ({ accepted: true });
  });
  afterEach(() => parts.close());

  function requesting() {
    const background = createBackgroundTasks((error) => reports.push(String(error)));
    const service = createVerifiedRegistration({
      ...parts,
      background,
      mailer: {
        ...parts.mailer,
        send: async (mail: Mail) => {
          const delivery = deliver(mail);
          sent.push(mail);
          return delivery;
        },
      },
      secrets: ['secret'],
      onError: (error, what, fields) => reports.push({ error, what, ...fields }),
    });
    return async (email: string) => {
      await service.request({ email, passwordHash: PASSWORD_HASH, client: someClient() });
      await background.settle();
    };
  }

  it('does not use up the mails of an address while none can be sent', async () => {
    const request = requesting();
    deliver = () => {
      throw new Error('the mail server is down');
    };
    for (let count = 0; count < 10; count++) await request('ada@example.com');
    expect(reports).to.deep.equal(Array.from({ length: 10 }, () => 'Error: the mail server is down'));
    deliver = () => ({ accepted: true });
    for (let count = 0; count < 10; count++) await request('Ada@example.com');
    expect(sent.map(({ to }) => to)).to.deep.equal(Array.from({ length: 5 }, () => 'Ada@example.com'));
  });

  it('reports a recipient that the mail server rejects', async () => {
    deliver = () => ({ accepted: false, reply: '550 nobody here' });
    await requesting()('ada@example.com');
    expect(reports).to.deep.equal([
      {
        error: undefined,
        what: 'the mail server rejected the recipient; the e-mail will not be sent again',
        mail: 'confirm-registration',
        reply: '550 nobody here',
      },
    ]);
  });

  it('is mailed to the address of an account that is being deleted', async () => {
    const { account } = someAccount({ email: 'ada@example.com' });
    await parts.accounts.insert(account);
    const request = requesting();
    await request('ada@example.com');
    expect(sent).to.deep.equal([]);
    await parts.actors.run(account.id, { kind: 'operator', address: null }, (current, at) =>
      beginDeletion(current, undefined, at),
    );
    await request('ada@example.com');
    expect(sent.map(({ to }) => to)).to.deep.equal(['ada@example.com']);
  });
});
