// Contract of UsageHistory.
import { expect } from 'chai';
import type { AccountId } from '../../src/domain/account/account.js';
import { parseApiKey } from '../../src/domain/account/api-key.js';
import type { Bucket } from '../../src/domain/metering/plan.js';
import type { AccountStore } from '../../src/ports/account-store.js';
import type { QuotaAdmissions } from '../../src/ports/quota-admissions.js';
import type { UsageHistory } from '../../src/ports/usage-history.js';
import { someAccount } from '../support/accounts.js';
import { clockAt, DAY_MS, type Clock } from '../support/clock.js';

export interface UsageHistoryUnderTest {
  readonly history: UsageHistory;
  /** Of the same database. */
  readonly accounts: AccountStore;
  readonly admissions: QuotaAdmissions;
  readonly close: () => void | Promise<void>;
}

export function usageHistoryContract(
  family: string,
  open: (clock: Clock) => UsageHistoryUnderTest | Promise<UsageHistoryUnderTest>,
): void {
  describe(`UsageHistory, ${family}`, () => {
    let under: UsageHistoryUnderTest;
    let clock: Clock;
    beforeEach(async () => {
      clock = clockAt();
      under = await open(clock);
    });
    afterEach(() => under.close());

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
      clock.advance(DAY_MS);
      await count(apiKey, 'png');
      const all = await under.history.all(account.id);
      expect(all.map((row) => ({ ...row }))).to.deep.equal([
        { day: '2026-05-01', bucket: 'svg', used: 2 },
        { day: '2026-05-02', bucket: 'png', used: 1 },
      ]);
    });

    it('is empty where no request was counted', async () => {
      expect(await under.history.all('nobody' as AccountId)).to.deep.equal([]);
    });
  });
}
