// Contract tests of the port `ResponseHistory`.
import { expect } from 'chai';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import type { Account, AccountId } from '../../src/accounts/account.js';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import type { Slug } from '../../src/catalog/entry.js';
import { addDays, utcDay, type UtcDay } from '../../src/platform/utc-day.js';
import {
  MAX_COUNTED_SLUGS,
  mergeResponses,
  NO_RESPONSES,
  type DayResponses,
} from '../../src/metering/day-responses.js';
import type { ResponseHistory } from '../../src/metering/response-history.js';
import { someAccount } from '../support/accounts.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const DAY = utcDay(AT.getTime());
const slugs = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([slug, requests]) => ({ slug: slug as Slug, requests }));
const some = (classes: Partial<DayResponses['responses']>, counts: Readonly<Record<string, number>> = {}) => ({
  responses: { ...NO_RESPONSES.responses, ...classes },
  slugs: slugs(counts),
});

export const responseHistoryContract = contract<RecordsUnderTest>('ResponseHistory', (under) => {
  let batches = 0;
  let history: ResponseHistory;
  beforeEach(() => {
    history = under.stores.responses;
  });
  async function customer(): Promise<Account> {
    const { account } = someAccount({ at: AT });
    await under.stores.accounts.insert(account);
    return account;
  }
  const add = (id: AccountId, added: DayResponses, day: UtcDay = DAY) =>
    history.add({ id: `batch${++batches}`, day, accounts: [{ accountId: id, ...added }] });

  it('sums batches by account and day', async () => {
    const [one, other] = [await customer(), await customer()];
    await add(one.id, some({ '2xx': 3, '4xx': 1 }, { github: 2, 'a.b': 1 }));
    await history.add({
      id: 'both',
      day: DAY,
      accounts: [
        { accountId: one.id, ...some({ '2xx': 2, '3xx': 5, '5xx': 1 }, { gitlab: 4, github: 1 }) },
        { accountId: other.id, ...some({ '2xx': 1 }, { github: 1 }) },
      ],
    });
    await add(one.id, some({ '2xx': 7 }), addDays(DAY, 1));
    expect(await history.range(one.id, ALL_DAYS)).to.deep.equal([
      {
        day: DAY,
        responses: { '2xx': 5, '3xx': 5, '4xx': 1, '5xx': 1 },
        slugs: slugs({ gitlab: 4, github: 3, 'a.b': 1 }),
      },
      { day: addDays(DAY, 1), ...some({ '2xx': 7 }) },
    ]);
    expect(await history.range(other.id, ALL_DAYS)).to.deep.equal([{ day: DAY, ...some({ '2xx': 1 }, { github: 1 }) }]);
  });

  it('loses nothing in concurrent batches', async () => {
    const { id } = await customer();
    await Promise.all(Array.from({ length: 20 }, () => add(id, some({ '2xx': 1 }, { github: 1 }))));
    expect(await history.range(id, ALL_DAYS)).to.deep.equal([{ day: DAY, ...some({ '2xx': 20 }, { github: 20 }) }]);
  });

  it('adds a batch once, however often it is repeated', async () => {
    const [one, two] = [await customer(), await customer()];
    const added = some({ '2xx': 2, '3xx': 1 }, { github: 2 });
    const batch = (id: string, ...ids: readonly AccountId[]) => ({
      id,
      day: DAY,
      accounts: ids.map((accountId) => ({ accountId, ...added })),
    });
    // Simulates a first attempt that was interrupted after it had stored the counts of one account.
    await history.add(batch('a', one.id));
    for (let round = 0; round < 2; round++) await history.add(batch('a', one.id, two.id));
    for (const { id } of [one, two]) expect(await history.range(id, ALL_DAYS)).to.deep.equal([{ day: DAY, ...added }]);
    await history.add(batch('b', one.id));
    expect((await history.range(one.id, ALL_DAYS))[0]).to.have.nested.property('responses.2xx', 4);
  });

  it('adds the last of many batches once, although it remembers only some of them', async () => {
    const { id } = await customer();
    const one = some({ '2xx': 1 }, { github: 1 });
    for (let added = 0; added < 20; added++) await add(id, one);
    await history.add({ id: `batch${batches}`, day: DAY, accounts: [{ accountId: id, ...one }] });
    expect(await history.range(id, ALL_DAYS)).to.deep.equal([{ day: DAY, ...some({ '2xx': 20 }, { github: 20 }) }]);
  });

  it('keeps a bounded number of slugs, as mergeResponses does', async () => {
    const { id } = await customer();
    let expected = NO_RESPONSES;
    for (let round = 0; round < 6; round++) {
      const counts = Object.fromEntries(
        Array.from({ length: MAX_COUNTED_SLUGS }, (_, at) => [
          `slug-${(round * 7 + at * 5) % 60}`,
          1 + ((at * round) % 9),
        ]),
      );
      const added = some({ '2xx': 100 }, { ...counts, github: 50 });
      expected = mergeResponses(expected, { ...added, slugs: added.slugs.slice(-MAX_COUNTED_SLUGS) });
      await add(id, { ...added, slugs: added.slugs.slice(-MAX_COUNTED_SLUGS) });
    }
    const [day] = await history.range(id, ALL_DAYS);
    expect(day).to.deep.equal({ day: DAY, ...expected });
    expect(day?.slugs.length).to.be.within(2, MAX_COUNTED_SLUGS);
    expect(day?.slugs[0]?.slug).to.equal('github');
  });

  it('returns the days of a range, both ends included, and of no other account', async () => {
    const [one, other] = [await customer(), await customer()];
    for (const offset of [-2, -1, 0, 1]) {
      await add(one.id, some({ '2xx': offset + 10 }), addDays(DAY, offset));
      await add(other.id, some({ '2xx': 99 }), addDays(DAY, offset));
    }
    const range = async (from: number, to: number) => {
      const found = await history.range(one.id, { from: addDays(DAY, from), to: addDays(DAY, to) });
      return found.map(({ day, responses }) => [day, responses['2xx']]);
    };
    expect(await range(-1, 0)).to.deep.equal([
      [addDays(DAY, -1), 9],
      [DAY, 10],
    ]);
    expect(await range(1, 300)).to.deep.equal([[addDays(DAY, 1), 11]]);
    expect(await range(-300, -3)).to.deep.equal([]);
  });

  it('deletes earlier days of every account, and returns how many there were', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await customer()).id));
    for (const id of ids) for (const offset of [-1, 0, 1]) await add(id, some({ '2xx': 1 }), addDays(DAY, offset));
    expect(await history.prune(DAY)).to.equal(8);
    expect(await history.prune(DAY)).to.equal(0);
    for (const id of ids)
      expect((await history.range(id, ALL_DAYS)).map(({ day }) => day)).to.deep.equal([DAY, addDays(DAY, 1)]);
  });

  it('is deleted with its account, and not written for a deleted one', async () => {
    const account = await customer();
    const staying = await customer();
    await add(account.id, some({ '2xx': 1 }));
    await add(staying.id, some({ '2xx': 1 }));
    await under.stores.accounts.save({
      ...beginDeletion(account, undefined, AT).account,
      version: account.version + 1,
    });
    await add(account.id, some({ '2xx': 1 }), addDays(DAY, 1));
    expect(await history.range(account.id, ALL_DAYS)).to.have.length(1);
    await under.stores.accounts.remove(account.id);
    await add(account.id, some({ '2xx': 1 }));
    expect(await history.range(account.id, ALL_DAYS)).to.deep.equal([]);
    expect(await history.range(staying.id, ALL_DAYS)).to.have.length(1);
  });

  it('keeps nothing of an account that is removed while it is written', async () => {
    for (let round = 0; round < 10; round++) {
      const account = await customer();
      const removal = (async () => {
        const { account: leaving } = beginDeletion(account, undefined, AT);
        await under.stores.accounts.save({ ...leaving, version: account.version + 1 });
        await under.stores.accounts.remove(account.id);
      })();
      await Promise.all([removal, ...Array.from({ length: 5 }, () => add(account.id, NO_RESPONSES))]);
      expect(await history.range(account.id, ALL_DAYS), `round ${round}`).to.deep.equal([]);
    }
  });

  it('is empty if nothing was answered', async () => {
    expect(await history.range('nobody' as AccountId, ALL_DAYS)).to.deep.equal([]);
  });
});
