// Accounts sorted by usage, with more accounts than one query of the store returns.
import { expect } from 'chai';
import type { Account, AccountId } from '../../src/accounts/account.js';
import type { UtcDay } from '../../src/platform/utc-day.js';
import { mostUsedAccounts } from '../../src/accounts/account-listing.js';
import { someAccount } from '../support/accounts.js';

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

  it('are read a few at a time', () => {
    expect(largestPage).to.be.at.most(500);
    expect(mostAtOnce).to.be.within(2, 16);
  });
});
