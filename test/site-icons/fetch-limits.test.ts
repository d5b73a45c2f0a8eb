// Limits for sites whose icons are fetched for the first time.
import { expect } from 'chai';
import { readPlans } from '../../config/plans.js';
import { DAY_MS, MINUTE_MS } from '../../src/platform/time.js';
import { createFetchLimits } from '../../src/site-icons/fetch-limits.js';
import { someAccount } from '../support/accounts.js';
import { testStores } from '../support/stores.js';
import { temporaryDatabase } from '../support/temporary.js';

describe('limits for new sites', () => {
  let nowMs = Date.UTC(2026, 4, 1);
  let consumed = 0;
  let open: Awaited<ReturnType<typeof openLimits>>;

  async function openLimits() {
    const { db, path, close } = temporaryDatabase();
    const stores = await testStores({ db, dataDir: path, now: () => nowMs });
    const { accounts, rateLimits } = stores;
    const counting = {
      consume: (...given: Parameters<typeof rateLimits.consume>) => {
        consumed++;
        return rateLimits.consume(...given);
      },
    };
    const take = createFetchLimits({ accounts, rateLimits: counting, plans: readPlans(), now: () => nowMs });
    return {
      ...{ accounts, take },
      async close() {
        await stores.close();
        close();
      },
    };
  }
  beforeEach(async () => {
    consumed = 0;
    open = await openLimits();
  });
  afterEach(() => open.close());

  it('are 30 a minute, and a used up limit costs no access to the store', async () => {
    const { account } = someAccount({ tier: 'internal' });
    await open.accounts.insert(account);
    for (let at = 0; at < 30; at++) expect(await open.take(account.id), String(at)).to.equal(true);
    for (let at = 0; at < 50; at++) expect(await open.take(account.id)).to.equal(false);
    expect(consumed).to.equal(31);
    nowMs += MINUTE_MS;
    expect(await open.take(account.id)).to.equal(true);
  });

  it('are 300 a day on the free plan', async () => {
    const { account } = someAccount({ tier: 'free' });
    await open.accounts.insert(account);
    let taken = 0;
    for (let minute = 0; minute < 15; minute++, nowMs += MINUTE_MS)
      for (let at = 0; at < 30; at++) if (await open.take(account.id)) taken++;
    expect(taken).to.equal(300);
    nowMs += DAY_MS;
    expect(await open.take(account.id)).to.equal(true);
  });

  it('admit no account that does not exist', async () => {
    expect(await open.take(someAccount().account.id)).to.equal(false);
  });
});
