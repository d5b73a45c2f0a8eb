// Accounts sorted by usage, with more accounts than one query of the store returns.
import { expect } from 'chai';
import type { Account, AccountId } from '../../src/accounts/account.js';
import type { UtcDay } from '../../src/platform/utc-day.js';
import { createAccountListing, mostUsedAccounts } from '../../src/accounts/account-listing.js';
import { someAccount } from '../support/accounts.js';
import type { DayRange } from '../../src/platform/day-range.js';

const DAY = '2026-11-25' as UtcDay;

describe('accounts by their use', () => {
  const { account } = someAccount();
  const all = Array.from({ length: 1234 }, (_, at): Account => ({
    ...account,
    id: `account-${String(at).padStart(4, '0')}` as AccountId,
  }));
  let [largestPage, atOnce, mostAtOnce] = [0, 0, 0];
  const ports = {
    accounts: {
      list: async ({ after, limit }: { readonly after?: AccountId; readonly limit: number }) => {
        largestPage = Math.max(largestPage, limit);
        const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
        return all.slice(from, from + limit);
      },
      find: async (id: AccountId) => all.find((one) => one.id === id),
    },
    usage: {
      // Every third account has no usage. The number of SVG requests of the others is the number at the end of their
      // id.
      range: async (id: AccountId) => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await Promise.resolve();
        atOnce--;
        const at = Number(id.slice(-4));
        return at % 3 === 0 ? [] : [{ day: DAY, used: { svg: at, png: 1 } }];
      },
    },
  };
  const page = async (skip: number, limit: number) =>
    (await mostUsedAccounts(ports, { days: { from: DAY, to: DAY }, skip, limit })).map(
      ({ account: { id }, requests }) => [Number(id.slice(-4)), requests],
    );

  it('begin with the most requests, page by page', async () => {
    expect(await page(0, 3)).to.deep.equal([
      [1232, 1233],
      [1231, 1232],
      [1229, 1230],
    ]);
    expect(await page(2, 2)).to.deep.equal([
      [1229, 1230],
      [1228, 1229],
    ]);
    expect(await page(1233, 5), 'the last, without a request').to.deep.equal([[1233, 0]]);
    expect(await page(1234, 5)).to.deep.equal([]);
  });

  it('are counted over the last days including today, and listed page by page', async () => {
    const ranges = new Set<string>();
    const range = (_id: AccountId, { from, to }: DayRange) => {
      ranges.add(`${from} ${to}`);
      return ports.usage.range(_id);
    };
    const now = () => Date.UTC(2026, 10, 25, 23, 59);
    const listing = createAccountListing({ ...ports, usage: { range }, now });
    const second = await listing.listByUse({ limit: 2, page: 2, days: 3 });
    expect(second.rows.map(({ requests }) => requests)).to.deep.equal([1230, 1229]);
    expect([...ranges]).to.deep.equal(['2026-11-23 2026-11-25']);
    expect(second.hasMore).to.equal(true);
    expect((await listing.listByUse({ limit: 617, page: 2, days: 1 })).hasMore, 'the last page').to.equal(false);
  });

  it('are read a few at a time', () => {
    expect(largestPage).to.be.at.most(500);
    expect(mostAtOnce).to.be.within(2, 16);
  });

  it('are listed by id, page by page', async () => {
    const listing = createAccountListing({ ...ports, now: Date.now });
    const idsOf = async (limit: number, at: number) => {
      const { rows, hasMore } = await listing.list({ limit, page: at });
      return [rows.map(({ id }) => Number(id.slice(-4))), hasMore];
    };
    expect(await idsOf(2, 1)).to.deep.equal([[0, 1], true]);
    expect(await idsOf(2, 3)).to.deep.equal([[4, 5], true]);
    expect(await idsOf(617, 2)).to.deep.equal([Array.from({ length: 617 }, (_, index) => 617 + index), false]);
    expect(await idsOf(617, 3), 'after the last page').to.deep.equal([[], false]);
    expect(await idsOf(617, 4)).to.deep.equal([[], false]);
  });
});
