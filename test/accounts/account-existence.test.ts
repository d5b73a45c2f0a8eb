// Secrecy of an account's existence. Before the response and right after it, the service must make the same store calls
// in the same order, whether the account exists or not.
import { mock } from 'node:test';
import { expect } from 'chai';
import type { AccountActors } from '../../src/accounts/account-actors.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import type { PasswordResetRequests } from '../../src/accounts/password-reset-requests.js';
import { createBackgroundTasks, type BackgroundTasks } from '../../src/platform/jobs/background-tasks.js';
import { createEmailLinks, type EmailLinks } from '../../src/accounts/email-links.js';
import { createPasswordVerification } from '../../src/accounts/password-verification.js';
import { createPasswordResets } from '../../src/accounts/password-resets.js';
import type { Mail } from '../../src/platform/mail/mailer.js';
import { createVerifiedRegistration } from '../../src/accounts/verified-registration.js';
import { createRegistration } from '../../src/accounts/registration.js';
import {
  backgroundSettled,
  openTestAccounts,
  rejection,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { recordStores } from '../support/stores.js';
import { MINUTE_MS } from '../support/clock.js';

const UNKNOWN = 'nobody@example.com';

describe('whether there is an account', () => {
  let parts: TestAccounts;
  let db: ReturnType<typeof openDatabase>;
  let background: BackgroundTasks;
  let known: string;
  let calls: string[];
  beforeEach(async () => {
    parts = await openTestAccounts();
    db = openDatabase(parts.dataDir);
    background = createBackgroundTasks((error) => expect.fail(String(error)));
    const { account } = someAccount();
    await parts.accounts.insert(account);
    known = account.email;
    calls = [];
  });
  afterEach(async () => {
    await background.settle();
    db.close();
    await parts.close();
  });

  function recorded<Store extends object>(name: string, store: Store): Store {
    return new Proxy(store, {
      get(target, method): unknown {
        const member: unknown = Reflect.get(target, method);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          calls.push(`${name}.${String(method)}`);
          return Reflect.apply(member, target, given);
        };
      },
    });
  }
  const stores = () => ({
    accounts: recorded('accounts', parts.accounts),
    rateLimits: recorded('rateLimits', parts.rateLimits),
    audit: recorded('audit', parts.audit),
    actors: recorded<AccountActors>('actors', parts.actors),
  });
  const resetsOver = (requests: PasswordResetRequests) =>
    createPasswordResets({
      ...stores(),
      resetRequests: recorded('requests', requests),
      background,
      now: Date.now,
    });
  function links(requests: PasswordResetRequests = recordStores(db).resetRequests): EmailLinks {
    return createEmailLinks({
      ...stores(),
      resets: resetsOver(requests),
      passwords: { assertGood: () => undefined, hash: async () => '' },
      sessions: { device: () => '' },
      linkSecrets: parts.linkSecrets,
      now: Date.now,
    });
  }
  /**
   * Returns three lists of store calls, all from the start of `work`. `answer` ends at the response, `behind` after ten
   * rounds of background work, and `all` after all work.
   */
  async function stages(work: () => Promise<unknown>): Promise<{
    readonly answer: readonly string[];
    readonly behind: readonly string[];
    readonly all: readonly string[];
  }> {
    calls = [];
    // Mocks the clock, so that delayed work does not start while the calls are recorded, even on a slow machine.
    mock.timers.enable({ apis: ['setTimeout'] });
    let answer: string[];
    try {
      await work();
      answer = [...calls];
      for (let round = 0; round < 10; round++) await backgroundSettled();
    } finally {
      mock.timers.reset();
    }
    const behind = [...calls];
    await background.settle();
    return { answer, behind, all: [...calls] };
  }

  it('is not looked up by forgot-password before its answer, even while earlier work is still running', async () => {
    const service = links();
    const [there, nowhere] = [
      await stages(() => service.forgotPassword(known, someClient())),
      await stages(() => service.forgotPassword(UNKNOWN, someClient())),
    ];
    const stored = ['rateLimits.consume', 'requests.add'];
    for (const { answer, behind } of [there, nowhere]) expect([answer, behind]).to.deep.equal([stored, stored]);
    expect(nowhere.all).to.deep.equal([...stored, 'accounts.findByEmail', 'requests.remove']);
    expect(there.all).to.deep.equal([...stored, 'accounts.findByEmail', 'actors.run', 'requests.remove']);
    expect((await parts.accounts.findByEmail(known))?.links.map(({ purpose }) => purpose)).to.include('reset-password');
  });

  it('does not show when no more requests are stored: forgot-password is `busy`, and consumes no rate limit', async () => {
    const service = links({ ...recordStores(db).resetRequests, add: async () => false });
    for (const email of [known, UNKNOWN]) {
      const { all } = await stages(async () =>
        expect(await rejection(service.forgotPassword(email, someClient()))).to.equal('busy'),
      );
      expect(all).to.deep.equal(['rateLimits.consume', 'requests.add', 'rateLimits.refund']);
    }
  });

  it('does not show when too much work is deferred: the job mails what forgot-password stored', async () => {
    const service = links();
    for (let count = 0; count < 2000; count++) background.defer(async () => undefined);
    for (const email of [known, UNKNOWN]) {
      const { all } = await stages(() => service.forgotPassword(email, someClient()));
      expect(all).to.deep.equal(['rateLimits.consume', 'requests.add']);
      for (let count = 0; count < 2000; count++) background.defer(async () => undefined);
    }
    const later = () => Date.now() + MINUTE_MS;
    expect(
      await createPasswordResets({
        ...stores(),
        resetRequests: recordStores(db, later).resetRequests,
        background,
        now: later,
      }).drain(),
    ).to.equal(2);
    expect((await parts.accounts.findByEmail(known))?.links.map(({ purpose }) => purpose)).to.include('reset-password');
  });

  it('does not show when sign-ins are throttled: the owner is notified later', async () => {
    const check = createPasswordVerification({
      ...stores(),
      background,
      hasher: { hash: async () => '', verify: async () => false, isFull: () => false, isOutdated: () => false },
      now: Date.now,
      deviceSecrets: ['secret'],
    });
    const found = await parts.accounts.findByEmail(known);
    const seen = [];
    for (const [email, account] of [
      [known, found],
      [UNKNOWN, undefined],
    ] as const) {
      const guess = () =>
        rejection(check.verify({ email, account, password: 'wrong', purpose: 'sign-in', client: someClient() }));
      for (let count = 0; count < 10; count++) expect(await guess()).to.equal('invalid_credentials');
      await background.settle();
      seen.push(await stages(async () => expect(await guess()).to.equal('login_throttled')));
    }
    for (const { behind } of seen) expect(behind).to.deep.equal(['rateLimits.consume']);
    expect(seen.map(({ all }) => all)).to.deep.equal([['rateLimits.consume', 'actors.run'], ['rateLimits.consume']]);
  });

  const verifiedOver = (sent: Mail[]) =>
    createVerifiedRegistration({
      ...stores(),
      background,
      mailer: recorded('mailer', {
        send: async (mail: Mail) => {
          sent.push(mail);
          return { accepted: true } as const;
        },
        forget: () => Promise.resolve(),
        close: () => undefined,
      }),
      origin: 'https://icons.example',
      secrets: ['secret'],
      now: Date.now,
      onError: (error) => expect.fail(String(error)),
    });

  it('does not show in the calls or the work of a registration by mailed link', async () => {
    const sent: Mail[] = [];
    const service = createRegistration({
      ...stores(),
      passwords: {
        assertGood: () => calls.push('passwords.assertGood'),
        hash: async () => `hash ${calls.push('passwords.hash')}`,
      },
      sessions: parts.sessions,
      onChange: () => expect.fail('no account is made'),
      now: Date.now,
      registration: 'verified',
      verified: verifiedOver(sent),
    });
    const ask = (email: string) => () =>
      service.register({ email, password: 'a long pass phrase', client: someClient() });
    const [there, nowhere] = [await stages(ask(known)), await stages(ask(UNKNOWN))];
    const before = ['rateLimits.consume', 'passwords.assertGood', 'passwords.hash', 'rateLimits.consume'];
    for (const { answer, behind } of [there, nowhere]) expect([answer, behind]).to.deep.equal([before, before]);
    expect(there.all).to.deep.equal([...before, 'accounts.findByEmail', 'actors.run']);
    expect(nowhere.all).to.deep.equal([...before, 'accounts.findByEmail', 'mailer.send']);
    expect(sent.map(({ to }) => to)).to.deep.equal([UNKNOWN]);
    expect((await parts.accounts.findByEmail(known))?.noticedAt).to.have.property('registration-tried');
    // The limits on mails per address and on unsent mails must not reveal whether the account exists.
    for (const email of [known, UNKNOWN]) for (let count = 1; count < 5; count++) await ask(email)();
    await background.settle();
    for (const email of [known, UNKNOWN]) expect((await stages(ask(email))).all).to.deep.equal(before);
    for (let count = 0; count < 2000; count++) background.defer(async () => undefined);
    for (const email of [someAccount().account.email, 'somebody@example.com'])
      expect(await rejection(ask(email)())).to.equal('busy');
  });

  it('does not affect how few registrations are kept while the mail server is down', async () => {
    const sends: (() => void)[] = [];
    const hanging = createVerifiedRegistration({
      ...stores(),
      background,
      mailer: {
        send: () => new Promise((resolve) => sends.push(() => resolve({ accepted: true }))),
        forget: () => Promise.resolve(),
        close: () => undefined,
      },
      origin: 'https://icons.example',
      secrets: ['secret'],
      now: Date.now,
      onError: (error) => expect.fail(String(error)),
    });
    const request = (email: string) => hanging.request({ email, passwordHash: 'hash', client: someClient() });
    for (let count = 0; count < 200; count++) await request(`waiting${count}@example.com`);
    for (const email of [known, 'one-more@example.com']) expect(await rejection(request(email))).to.equal('busy');
    const settled = background.settle();
    await eventually(() => sends.length === 2, 'two mails under way');
    for (let ended = 0; ended < 200; ended++) {
      await eventually(() => sends.length > ended, 'the next mail');
      sends[ended]?.();
    }
    await settled;
    await request('at-last@example.com');
    await eventually(() => sends.length === 201, 'a mail again');
    sends[200]?.();
    await background.settle();
  });

  it('is not even looked up by a registration that is closed', async () => {
    const closed = createRegistration({
      ...stores(),
      passwords: { assertGood: () => calls.push('passwords'), hash: async () => String(calls.push('passwords')) },
      sessions: parts.sessions,
      onChange: () => undefined,
      now: Date.now,
      registration: 'closed',
      verified: verifiedOver([]),
    });
    for (const email of [known, UNKNOWN]) {
      const { all } = await stages(async () =>
        expect(
          await rejection(closed.register({ email, password: 'a long pass phrase', client: someClient() })),
        ).to.equal('forbidden'),
      );
      expect(all).to.deep.equal([]);
    }
  });
});
