// Contract tests of the port `UsageHistory`.
import { expect } from 'chai';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import type { AccountId } from '../../src/accounts/account.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import type { Bucket } from '../../src/accounts/plan.js';
import { newPublishableKey, publishableKeyRule } from '../../src/accounts/publishable-key.js';
import { utcDay, type UtcDay } from '../../src/platform/utc-day.js';
import { someAccount, type SomeAccount } from '../support/accounts.js';
import { DAY_MS } from '../support/clock.js';
import { contract } from '../platform/stores/contract.js';
import type { AccountsUnderTest } from './quota-admissions.contract.js';

export const usageHistoryContract = contract<AccountsUnderTest>('UsageHistory', (under) => {
  async function count(apiKey: string, bucket: Bucket = 'svg'): Promise<void> {
    const { accountId, hash: keyHash } = parseApiKey(apiKey)!;
    await under.admissions.admit({ accountId, keyHash, bucket, charge: 'count' });
    await under.flush();
  }
  async function customers(number: number) {
    const made = Array.from({ length: number }, () => someAccount());
    for (const { account } of made) await under.accounts.insert(account);
    return made;
  }

  it("returns this account's counters by day, oldest first, today included", async () => {
    const [one, other] = (await customers(2)) as [SomeAccount, SomeAccount];
    for (const { apiKey } of [one, one, other]) await count(apiKey);
    under.clock.advance(DAY_MS);
    await count(one.apiKey, 'png');
    expect(await under.history.range(one.account.id, ALL_DAYS)).to.deep.equal([
      { day: '2026-05-01', used: { svg: 2 } },
      { day: '2026-05-02', used: { png: 1 } },
    ]);
  });

  it('returns the counters of a range of days, both ends included, and of no other account', async () => {
    const [one, other] = (await customers(2)) as [SomeAccount, SomeAccount];
    const days = Array.from({ length: 5 }, (_, day) => utcDay(under.clock.now() + day * DAY_MS));
    for (const [at] of days.entries()) {
      for (const { apiKey } of [one, other]) for (let times = 0; times <= at; times++) await count(apiKey);
      if (at < days.length - 1) under.clock.advance(DAY_MS);
    }
    const range = async (from: UtcDay, to: UtcDay) =>
      (await under.history.range(one.account.id, { from, to })).map(({ day, used }) => ({ day, used }));
    const expected = days.map((day, at) => ({ day, used: { svg: at + 1 } }));
    const [first, second, , fourth, today] = days as [UtcDay, UtcDay, UtcDay, UtcDay, UtcDay];
    expect(await range(second, fourth)).to.deep.equal(expected.slice(1, 4));
    expect(await range(today, today), 'today as admissions count it').to.deep.equal(expected.slice(4));
    expect(await range(first, today)).to.deep.equal(expected);
    expect(await range(utcDay(Date.UTC(2026, 3, 1)), utcDay(Date.UTC(2026, 3, 30)))).to.deep.equal([]);
  });

  it('deletes the counters of earlier days, of every account, and returns how many days there were', async () => {
    const made = await customers(30);
    for (let day = 0; day < 3; day++) {
      for (const { apiKey } of made) for (const bucket of ['svg', 'png'] as const) await count(apiKey, bucket);
      under.clock.advance(DAY_MS);
    }
    const second = utcDay(under.clock.now() - 2 * DAY_MS);
    expect(await under.history.prune(second)).to.equal(30);
    expect(await under.history.prune(second)).to.equal(0);
    for (const { account } of made)
      expect(await under.history.range(account.id, ALL_DAYS)).to.deep.equal([
        { day: '2026-05-02', used: { png: 1, svg: 1 } },
        { day: '2026-05-03', used: { png: 1, svg: 1 } },
      ]);
  });

  it('contains the buckets only, not the counters of publishable keys', async () => {
    const { account } = someAccount();
    const key = newPublishableKey(account.id, { name: 'Website', origins: [], dailyLimit: 5 }, new Date());
    await under.accounts.insert({ ...account, publishableKeys: [key] });
    const credential = { accountId: account.id, keyHash: publishableKeyRule(key).keyHash, allowingOrigins: [] };
    for (let times = 0; times < 2; times++)
      await under.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
    await under.flush();
    expect(await under.history.range(account.id, ALL_DAYS)).to.deep.equal([{ day: '2026-05-01', used: { svg: 2 } }]);
  });

  it('is empty if no request was counted', async () => {
    expect(await under.history.range('nobody' as AccountId, ALL_DAYS)).to.deep.equal([]);
  });
});
