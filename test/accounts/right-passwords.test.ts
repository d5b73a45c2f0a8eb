// Rate limits for attempts with the correct password, with a real SQLite database and an instant hasher.
import { expect } from 'chai';
import type { Account } from '../../src/accounts/account.js';
import type { PasswordHasher } from '../../src/accounts/password-hasher.js';
import { ownerRateLimitKeys } from '../../src/accounts/password-rate-limits.js';
import { openTestAccounts, PASSWORD, someClient, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS, MINUTE_MS, type Clock } from '../support/clock.js';
import { testVerification, type TestVerification } from '../support/password-verification.js';

describe('right passwords', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let check: TestVerification;
  let hashed = 0;
  beforeEach(async () => {
    clock = clockAt();
    hashed = 0;
    parts = await openTestAccounts({ now: clock.now });
    const hasher: PasswordHasher = {
      hash: async () => '',
      verify: async (_stored, password) => {
        hashed++;
        return password === PASSWORD;
      },
      isFull: () => false,
      isOutdated: () => false,
    };
    check = testVerification(parts, clock, hasher);
  });
  afterEach(async () => {
    await check.settle();
    await parts.close();
  });

  async function customer(): Promise<Account> {
    const { account } = someAccount({ at: clock.date() });
    await parts.accounts.insert(account);
    return account;
  }
  const give: TestVerification['outcome'] = (account, claim) => check.outcome(account, claim);
  /** Returns how many of `count` attempts are admitted, and the result of the last attempt. */
  async function letThrough(
    count: number,
    one: () => Promise<unknown>,
  ): Promise<{ readonly passed: number; readonly last: unknown }> {
    let passed = 0;
    let last: unknown;
    for (let index = 0; index < count; index++) {
      last = await one();
      if (last === 'no rejection') passed++;
    }
    return { passed, last };
  }

  it('are accepted 200 times in 15 minutes per account, from any number of addresses and trusted browsers', async () => {
    const account = await customer();
    const deviceToken = check.device(account);
    expect(await letThrough(210, () => give(account))).to.deep.equal({ passed: 200, last: 'rate_limited' });
    expect(await give(account, { client: someClient({ deviceToken }) })).to.equal('rate_limited');
    expect(await give(await customer()), 'of another account').to.equal('no rejection');
    clock.advance(15 * MINUTE_MS);
    expect(await give(account)).to.equal('no rejection');
  });

  it('are accepted 2,000 times a day per account, which allows one every minute', async () => {
    const account = await customer();
    const began = clock.now();
    const script = await letThrough(1440, () => {
      clock.advance(MINUTE_MS);
      return give(account);
    });
    expect(script.passed).to.equal(1440);
    clock.advance(DAY_MS - (clock.now() - began) + MINUTE_MS);
    let passed = 0;
    for (let round = 0; round < 21; round++) {
      passed += (await letThrough(100, () => give(account))).passed;
      clock.advance(15 * MINUTE_MS);
    }
    expect(passed).to.equal(2000);
  });

  it('have separate limits for sign-ins and confirmations, so that sign-ins cannot block a change of the password', async () => {
    const account = await customer();
    await letThrough(200, () => give(account));
    expect(await give(account)).to.equal('rate_limited');
    expect(await letThrough(210, () => give(account, { purpose: 'confirmation' }))).to.deep.equal({
      passed: 200,
      last: 'rate_limited',
    });
  });

  it('are accepted 300 times in 15 minutes per client address, and not even hashed beyond that', async () => {
    const client = someClient({ budgetAddress: 'an office' });
    const accounts = await Promise.all(Array.from({ length: 10 }, customer));
    let next = 0;
    const one = () => give(accounts[next++ % accounts.length]!, { client });
    expect(await letThrough(300, one)).to.deep.equal({ passed: 300, last: 'no rejection' });
    expect(await letThrough(5, one)).to.deep.equal({ passed: 0, last: 'rate_limited' });
    expect(hashed).to.equal(300);
    expect(await give(accounts[0]!), 'from elsewhere').to.equal('no rejection');
    clock.advance(15 * MINUTE_MS);
    expect(await one()).to.equal('no rejection');
  });

  it('and wrong passwords have separate limits', async () => {
    const account = await customer();
    const client = someClient({ budgetAddress: 'a household' });
    for (let index = 0; index < 9; index++)
      expect(await give(account, { password: 'wrong', client })).to.equal('invalid_credentials');
    expect(await letThrough(100, () => give(account, { client }))).to.deep.equal({ passed: 100, last: 'no rejection' });
    expect(await give(account, { password: 'wrong', client })).to.equal('invalid_credentials');
    expect(await give(account, { password: 'wrong', client })).to.equal('login_throttled');
    const { passed } = await letThrough(210, async () => give(await customer(), { client }));
    expect(passed, 'the address had spent 100 on right ones').to.equal(200);
  });

  it('cannot be distinguished from wrong ones by strangers once they are limited', async () => {
    const account = await customer();
    await letThrough(200, () => give(account));
    expect(await give(account, { password: 'wrong' })).to.equal('invalid_credentials');
  });

  it('are accepted again after a reset by the operator or by a mailed link', async () => {
    const account = await customer();
    for (const purpose of ['sign-in', 'confirmation'] as const) await letThrough(201, () => give(account, { purpose }));
    await parts.operator.unlock(account);
    for (const purpose of ['sign-in', 'confirmation'] as const)
      expect(await give(account, { purpose })).to.equal('no rejection');
    expect(ownerRateLimitKeys(account)).to.have.length(3);
  });

  it('create devices that share a limit of wrong passwords: 50 in 15 minutes, 500 a day', async () => {
    const account = await customer();
    const guess = () => {
      const deviceToken = check.device(account);
      return give(account, { password: 'wrong', client: someClient({ deviceToken }) });
    };
    let wrong = 0;
    for (let round = 0; round < 12; round++) {
      for (let index = 0; index < 60; index++) if ((await guess()) === 'invalid_credentials') wrong++;
      if (round === 0) expect(wrong).to.equal(50);
      clock.advance(15 * MINUTE_MS);
    }
    expect(wrong).to.equal(500);
  });
});
