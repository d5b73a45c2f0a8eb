// Many sign-ins with wrong passwords: few of the passwords are hashed, and the owner can still sign in.
import { expect } from 'chai';
import { openPasswordHasher, type OpenedPasswordHasher } from '../../src/accounts/password-hasher.worker.js';
import { readPasswordRules } from '../../config/passwords.js';
import type { Account } from '../../src/accounts/account.js';
import type { PasswordHasher } from '../../src/accounts/password-hasher.js';
import {
  backgroundSettled,
  openTestAccounts,
  PASSWORD,
  PASSWORD_HASH,
  someClient,
  type TestAccounts,
} from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { FAMILY } from '../support/backend.js';
import { clockAt, DAY_MS, MINUTE_MS, type Clock } from '../support/clock.js';
import { testVerification, type TestVerification } from '../support/password-verification.js';

/**
 * Number of concurrent sign-ins. A busy Redis cannot handle a thousand within its time limit: most would be rejected as
 * `unavailable`.
 */
const AT_ONCE = FAMILY === 'cluster' ? 100 : 1000;

describe('a flood of wrong passwords', () => {
  let parts: TestAccounts;
  let clock: Clock;
  let account: Account;
  let check: TestVerification;
  let argon2: OpenedPasswordHasher;
  let hashed = 0;
  beforeEach(async () => {
    clock = clockAt();
    hashed = 0;
    parts = await openTestAccounts({ now: clock.now });
    argon2 = openPasswordHasher({ ...readPasswordRules().argon2id, poolThreads: 4 });
    check = testVerification(parts, clock, {
      ...argon2,
      isFull: (turn) => argon2.isFull(turn),
      verify: (...asked) => {
        hashed += 1;
        return argon2.verify(...asked);
      },
    });
    account = someAccount({ email: 'Ada@Example.com', passwordHash: PASSWORD_HASH, at: clock.date() }).account;
    await parts.accounts.insert(account);
  });
  afterEach(async () => {
    await parts.close();
    argon2.close();
  });

  const atOnce = <Result>(count: number, call: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, index) => call(index)));
  /** Guesses passwords of one account, each from a different client address. */
  const flood = (count: number) =>
    atOnce(count, (index) => check.outcome(account, { password: `guess number ${index}` }));
  const ask = (deviceToken?: string, password = PASSWORD) =>
    check.outcome(account, {
      email: 'ada@example.COM',
      password,
      client: someClient({ ...(deviceToken !== undefined && { deviceToken }) }),
    });
  const device = (of = account, secret?: string) => check.device(of, secret);

  it('reaches the hash at most 10 times of 1,000, whether or not the account exists', async () => {
    for (const one of [flood, (count: number) => atOnce(count, () => check.guess('nobody'))]) {
      hashed = 0;
      const outcomes: unknown[] = [];
      while (outcomes.length < 1000) outcomes.push(...(await one(AT_ONCE)));
      expect(hashed).to.equal(10);
      expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).to.have.length(10);
      expect(outcomes.filter((outcome) => outcome === 'login_throttled')).to.have.length(990);
    }
  });

  it('admits the owner from a trusted device, and no other client, not even with the right password', async () => {
    await flood(50);
    expect(await ask()).to.equal('login_throttled');
    expect(await ask(device(someAccount({ email: 'eve@example.com' }).account))).to.equal('login_throttled');
    expect(await ask(device(account, 'forged'))).to.equal('login_throttled');
    expect(await ask(device())).to.equal('no rejection');
    const stolen = device();
    for (let index = 0; index < 10; index++)
      expect(await ask(stolen, `guess number ${index}`)).to.equal('invalid_credentials');
    expect(await ask(stolen), 'a device has a budget too').to.equal('login_throttled');
    expect(await ask(device()), 'each its own').to.equal('no rejection');
  });

  it('trusts no device after a new password, a year, or for another account', async () => {
    const known = device();
    const others = device({ ...account, password: { ...account.password, version: 2 } });
    await flood(50);
    expect(await ask(others), 'of another password').to.equal('login_throttled');
    expect(await ask(known, 'a wrong pass phrase')).to.equal('invalid_credentials');
    const nobody = { account: undefined, client: someClient({ deviceToken: known }) };
    expect(await check.outcome(account, nobody), 'of nobody').to.equal('login_throttled');
    clock.advance(365 * DAY_MS);
    await flood(50);
    expect(await ask(known), 'of last year').to.equal('login_throttled');
  });

  it('is limited to 10 guesses in 15 minutes and 100 a day', async () => {
    let guesses = 0;
    for (let quarter = 0; quarter < 12; quarter++) {
      hashed = 0;
      await flood(15);
      guesses += hashed;
      expect(hashed).to.equal(quarter < 10 ? 10 : 0);
      clock.advance(15 * MINUTE_MS);
    }
    expect(guesses).to.equal(100);
    clock.advance(DAY_MS);
    expect(await ask()).to.equal('no rejection');
  });

  it('reaches the hash at most 50 times in five minutes from one address, over all accounts', async () => {
    const client = someClient({ budgetAddress: 'one' });
    const outcomes = await atOnce(200, (index) => check.guess(`user${index}`, client));
    // The number is lower if the hash queue was full, because passwords that the full queue rejects are not hashed.
    expect(hashed).to.be.at.most(50);
    expect(outcomes.filter((outcome) => outcome === 'login_throttled')).to.have.length(150);
  });

  it('from one address does not throttle another address', async () => {
    argon2.close();
    argon2 = openPasswordHasher({ ...readPasswordRules().argon2id, poolThreads: 3 });
    const client = someClient({ budgetAddress: 'many' });
    // Fills the hash queue: one password is hashed, and 32 passwords wait.
    const flooding = atOnce(33, (index) => check.guess(`user${index}`, client));
    expect(await ask()).to.equal('no rejection');
    expect(await flooding).to.deep.equal([...Array<string>(32).fill('invalid_credentials'), 'busy']);
    const tries = await atOnce(11, () => check.guess('user32'));
    expect(tries).to.deep.equal([...Array<string>(10).fill('invalid_credentials'), 'login_throttled']);
  });

  it('from many addresses only blocks strangers: trusted browsers and live sessions are served', async () => {
    let isOver = false;
    const rejected = new Set<unknown>();
    const crowd = async () => {
      for (let round = 0; !isOver; round++)
        for (const outcome of await atOnce(80, (index) => check.guess(`user${round}-${index}`))) rejected.add(outcome);
    };
    const flooding = crowd();
    await eventually(() => argon2.isFull({ lane: 'stranger', fairnessKey: 'another' }), 'full queue');
    try {
      for (let count = 0; count < 10; count++) {
        expect(await ask(device()), 'a known browser').to.equal('no rejection');
        const confirmed = await check.outcome(account, { purpose: 'confirmation' });
        expect(confirmed, 'a session').to.equal('no rejection');
      }
    } finally {
      isOver = true;
    }
    await flooding;
    expect([...rejected]).to.have.members(['busy', 'invalid_credentials']);
  });

  it('uses one limit at sign-in and in live sessions, and a separate limit with a device cookie', async () => {
    const confirm = (password: string, deviceToken?: string) =>
      check.outcome(account, {
        password,
        purpose: 'confirmation',
        client: someClient(deviceToken === undefined ? {} : { deviceToken }),
      });
    for (let count = 0; count < 5; count++) {
      expect(await ask(undefined, 'a wrong one'), 'sign-in').to.equal('invalid_credentials');
      expect(await confirm('a wrong one'), 'confirmation').to.equal('invalid_credentials');
    }
    expect([await ask(), await confirm(PASSWORD)]).to.deep.equal(['login_throttled', 'login_throttled']);
    const known = device();
    for (let count = 0; count < 5; count++) {
      expect(await ask(known, 'a wrong one'), 'sign-in').to.equal('invalid_credentials');
      expect(await confirm('a wrong one', known), 'confirmation').to.equal('invalid_credentials');
    }
    expect([await ask(known), await confirm(PASSWORD, known)]).to.deep.equal(['login_throttled', 'login_throttled']);
    expect(await confirm(PASSWORD, device()), 'another browser').to.equal('no rejection');
  });

  it('is mailed to the owner once, and recorded as a security event', async () => {
    await flood(200);
    await flood(200);
    await check.settle();
    const types = (await parts.audit.read(account.id, { limit: 100 })).map(({ type }) => type);
    expect(types.filter((type) => type === 'authn_login_fail')).to.have.length(10);
    expect(types.filter((type) => type === 'authn_login_fail_max')).to.have.length(1);
  });

  it('is distinguished from many concurrent right passwords: no mail, no security event', async () => {
    const gate: (() => void)[] = [];
    const hasher: PasswordHasher = {
      ...argon2,
      isFull: () => false,
      verify: () => new Promise((resolve) => gate.push(() => resolve(true))),
    };
    check = testVerification(parts, clock, hasher);
    // Ten passwords of the account are checked, 64 wait, and the last request is rejected.
    const crowd = Array.from({ length: 75 }, () => ask());
    expect(await Promise.race(crowd)).to.equal('login_throttled');
    await check.settle();
    expect((await parts.accounts.find(account.id))?.mails).to.deep.equal(account.mails);
    expect(await parts.audit.read(account.id, { limit: 10 })).to.deep.equal([]);
    for (let done = 0; done < 74; done++) {
      while (gate.length === 0) await backgroundSettled();
      gate.shift()?.();
    }
    const outcomes = await Promise.all(crowd);
    expect(outcomes.filter((outcome) => outcome === 'no rejection')).to.have.length(74);
  });

  it('from an address over its limit throttles no account', async () => {
    const client = someClient({ budgetAddress: 'busy' });
    for (let index = 0; index < 50; index++) await check.guess(`user${index}`, client);
    expect(await check.outcome(account, { password: 'a guess or two', client })).to.equal('login_throttled');
    await check.settle();
    expect((await parts.accounts.find(account.id))?.mails).to.deep.equal(account.mails);
    expect(await parts.audit.read(account.id, { limit: 10 })).to.deep.equal([]);
  });
});
