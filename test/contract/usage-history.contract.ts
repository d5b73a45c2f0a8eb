// Contract of UsageHistory.
import { expect } from 'chai';
import { ALL_DAYS } from '../../src/domain/metering/day-range.js';
import type { AccountId } from '../../src/domain/account/account.js';
import { parseApiKey } from '../../src/domain/account/api-key.js';
import type { Bucket } from '../../src/domain/metering/plan.js';
import { utcDay, type UtcDay } from '../../src/domain/metering/utc-day.js';
import type { AccountStore } from '../../src/ports/account-store.js';
import type { QuotaAdmissions } from '../../src/ports/quota-admissions.js';
import type { UsageHistory } from '../../src/ports/usage-history.js';
import { someAccount } from '../support/accounts.js';
import { DAY_MS } from '../support/clock.js';
import { contract } from './contract.js';

interface UsageHistoryUnderTest {
  readonly history: UsageHistory;
  /** Of the same database. */
  readonly accounts: AccountStore;
  readonly admissions: QuotaAdmissions;
}

export const usageHistoryContract = contract<UsageHistoryUnderTest>('UsageHistory', (under) => {
  it("returns this account's counters by day, oldest first, today included", async () => {
    const { account, apiKey } = someAccount();
    const other = someAccount();
    for (const each of [account, other.account]) await under.accounts.insert(each);
    const count = async (key: string, bucket: Bucket): Promise<void> => {
      const { accountId, hash } = parseApiKey(key)!;
      await under.admissions.admit({ accountId, keyHash: hash, bucket, charge: 'count' });
    };
    await count(apiKey, 'svg');
    await count(apiKey, 'svg');
    await count(other.apiKey, 'svg');
    under.clock.advance(DAY_MS);
    await count(apiKey, 'png');
    expect(await under.history.range(account.id, ALL_DAYS)).to.deep.equal([
      { day: '2026-05-01', used: { svg: 2 } },
      { day: '2026-05-02', used: { png: 1 } },
    ]);
  });

  it('returns the counters of a range of days, both ends included, and of no other account', async () => {
    const [one, other] = [someAccount(), someAccount()];
    const days = Array.from({ length: 5 }, (_, day) => utcDay(under.clock.now() + day * DAY_MS));
    for (const { account } of [one, other]) await under.accounts.insert(account);
    for (const [at] of days.entries()) {
      for (const { apiKey } of [one, other]) {
        const { accountId, hash: keyHash } = parseApiKey(apiKey)!;
        for (let count = 0; count <= at; count++)
          await under.admissions.admit({ accountId, keyHash, bucket: 'svg', charge: 'count' });
      }
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
    const customers = Array.from({ length: 30 }, () => someAccount());
    for (const { account } of customers) await under.accounts.insert(account);
    for (let day = 0; day < 3; day++) {
      for (const { apiKey } of customers) {
        const { accountId, hash: keyHash } = parseApiKey(apiKey)!;
        for (const bucket of ['svg', 'png'] as const)
          await under.admissions.admit({ accountId, keyHash, bucket, charge: 'count' });
      }
      under.clock.advance(DAY_MS);
    }
    const second = utcDay(under.clock.now() - 2 * DAY_MS);
    expect(await under.history.prune(second)).to.equal(30);
    expect(await under.history.prune(second)).to.equal(0);
    for (const { account } of customers)
      expect(await under.history.range(account.id, ALL_DAYS)).to.deep.equal([
        { day: '2026-05-02', used: { png: 1, svg: 1 } },
        { day: '2026-05-03', used: { png: 1, svg: 1 } },
      ]);
  });

  it('is empty where no request was counted', async () => {
    expect(await under.history.range('nobody' as AccountId, ALL_DAYS)).to.deep.equal([]);
  });
});
