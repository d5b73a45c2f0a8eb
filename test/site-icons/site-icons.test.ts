// Fetching icons: once per host, one after another, within limits. Icons are kept for a time.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { DAY_MS } from '../../src/platform/time.js';
import { createSiteIcons, type LookupResult } from '../../src/site-icons/site-icons.js';
import type { FindOutcome, FindRequest } from '../../src/site-icons/find-icon.js';
import { removeExcess, siteIconJobs } from '../../src/site-icons/site-icons.job.js';
import { testStores } from '../support/stores.js';
import { temporaryDatabase } from '../support/temporary.js';
import { foundIcon, missingIcon } from './site-icon-records.js';

const START = Date.UTC(2026, 4, 1);
const ACCOUNT = { accountId: 'account', waitMs: 5000 };
const asked = (anyHost: string) => ({ anyHost, host: undefined });

describe('fetches of icons', () => {
  let nowMs = START;
  let outcomes: FindOutcome[] = [];
  let asks: FindRequest[] = [];
  let taken: string[] = [];
  let lookups: LookupResult[] = [];
  let open: Awaited<ReturnType<typeof openOne>>;

  const found = (text?: string): FindOutcome => {
    const record = foundIcon('a.example', 1, text);
    if (record.state !== 'found') throw new Error('no icon');
    return { kind: 'found', icon: record.icon };
  };

  async function openOne() {
    const { db, path, close } = temporaryDatabase();
    const stores = await testStores({ db, dataDir: path, now: () => nowMs });
    const { siteIconStore: store, locks } = stores;
    const icons = createSiteIcons({
      ...{ store, locks, cacheBytes: 1_000_000, now: () => nowMs },
      find: async (request) => {
        asks.push(request);
        return outcomes.shift() ?? { kind: 'none' };
      },
      hostOf: ({ anyHost }) => anyHost,
      takeFromLimits: async (accountId: AccountId) => taken.push(accountId) <= 3,
      onLookup: (result) => void lookups.push(result),
      onError: (error) => {
        throw error;
      },
    });
    return {
      ...{ store, icons },
      async close() {
        await icons.close();
        await stores.close();
        close();
      },
    };
  }

  beforeEach(async () => {
    [nowMs, outcomes, asks, taken, lookups] = [START, [], [], [], []];
    open = await openOne();
  });
  afterEach(() => open.close());

  it('are shared by all requests for a host, and count once for the first account', async () => {
    outcomes = [found()];
    const { icons } = open;
    expect(await icons.stored(asked('a.example'))).to.equal('unknown');
    const all = await Promise.all([1, 2, 3, 4].map(() => icons.fetch(asked('a.example'), ACCOUNT)));
    for (const one of all)
      expect(one).to.include({ host: 'a.example', source: 'https://a.example/icon.svg', px: null });
    expect([asks.length, taken.length]).to.deep.equal([1, 1]);
    expect(await icons.stored(asked('a.example'))).to.include({ host: 'a.example' });
  });

  it('end with the limits of the account', async () => {
    const { icons } = open;
    for (const host of ['a.example', 'b.example', 'c.example'])
      expect(await icons.fetch(asked(host), { ...ACCOUNT, waitMs: 1 }), host).to.be.oneOf(['none', 'unknown']);
    expect(await icons.fetch(asked('d.example'), ACCOUNT)).to.equal('unknown');
    expect(asks.map(({ host }) => host)).to.not.include('d.example');
  });

  it('count each request once, by where its icon comes from', async () => {
    const { icons } = open;
    const request = async (host: string) => {
      const stored = await icons.stored(asked(host));
      return stored === 'unknown' ? icons.fetch(asked(host), { ...ACCOUNT, waitMs: 1000 }) : stored;
    };
    outcomes = [found()];
    await request('found.example');
    await request('found.example');
    await request('none.example');
    await request('none.example');
    await request('third.example');
    await request('over-the-limit.example');
    expect(lookups).to.deep.equal(['fetched', 'hit', 'miss', 'negative', 'miss', 'miss']);
  });

  it('repeat after a day for a site without an icon', async () => {
    const { icons } = open;
    expect(await icons.fetch(asked('a.example'), ACCOUNT)).to.equal('none');
    nowMs += DAY_MS - 1;
    expect(await icons.stored(asked('a.example'))).to.equal('none');
    nowMs += 1;
    expect(await icons.stored(asked('a.example'))).to.equal('unknown');
    outcomes = [found()];
    expect(await icons.fetch(asked('a.example'), ACCOUNT)).to.include({ host: 'a.example' });
  });

  it('renew an icon after 30 days, while the old one is served', async () => {
    const { icons, store } = open;
    outcomes = [found()];
    await icons.fetch(asked('a.example'), ACCOUNT);
    nowMs += 30 * DAY_MS;
    outcomes = [{ kind: 'unchanged' }];
    expect(await icons.stored(asked('a.example'))).to.include({ host: 'a.example' });
    await icons.close();
    expect(asks).to.have.length(2);
    expect(asks[1]?.known).to.deep.equal({ url: 'https://a.example/icon.svg', etag: '"1"' });
    expect((await store.get('a.example'))?.state).to.equal('found');
  });

  it('keep an icon for 60 days while its site does not answer', async () => {
    const { icons, store } = open;
    outcomes = [found()];
    await icons.fetch(asked('a.example'), ACCOUNT);
    for (const day of [30, 31, 59]) {
      nowMs = START + day * DAY_MS;
      outcomes = [{ kind: 'failed', failure: 'timeout' }];
      await icons.refresh('a.example');
      expect((await store.get('a.example'))?.state, `day ${day}`).to.equal('found');
    }
    nowMs = START + 60 * DAY_MS;
    outcomes = [{ kind: 'failed', failure: 'timeout' }];
    await icons.refresh('a.example');
    expect((await store.get('a.example'))?.state).to.equal('missing');
  });

  it('never start for a blocked host', async () => {
    const { icons, store } = open;
    const at = new Date(START);
    await store.put({ id: 'a.example', state: 'blocked', checkedAt: at, usedAt: at, version: 1 });
    expect(await icons.stored(asked('a.example'))).to.equal('none');
    expect(await icons.fetch(asked('a.example'), ACCOUNT)).to.equal('none');
    nowMs += 400 * DAY_MS;
    expect(await icons.stored(asked('a.example'))).to.equal('none');
    expect(asks).to.deep.equal([]);
  });

  it('do not overwrite a block that was set meanwhile', async () => {
    const { store } = open;
    outcomes = [found()];
    await open.icons.fetch(asked('a.example'), ACCOUNT);
    const at = new Date(START);
    await store.put({ id: 'a.example', state: 'blocked', checkedAt: at, usedAt: at, version: 2 });
    nowMs += 30 * DAY_MS;
    outcomes = [found()];
    await open.icons.refresh('a.example');
    expect((await store.get('a.example'))?.state).to.equal('blocked');
  });

  it('note a use at most once a day', async () => {
    const { icons, store } = open;
    outcomes = [found()];
    await icons.fetch(asked('a.example'), ACCOUNT);
    nowMs += DAY_MS - 1;
    await icons.stored(asked('a.example'));
    expect((await store.get('a.example'))?.version).to.equal(1);
    nowMs += 1;
    await icons.stored(asked('a.example'));
    while ((await store.get('a.example'))?.version === 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await store.get('a.example'))?.usedAt).to.deep.equal(new Date(nowMs));
  });

  describe('of the job', () => {
    const run = (refreshSiteIcon?: (host: string) => Promise<void>) =>
      siteIconJobs.jobs?.[0]?.run({ siteIconStore: open.store, refreshSiteIcon, now: () => nowMs } as never);

    it('renew used icons, and delete unused ones', async () => {
      const used = new Date(START);
      const lately = new Date(START - 30 * DAY_MS + 1);
      await open.store.put({ ...foundIcon('used.example'), usedAt: lately, dueAt: used } as never);
      await open.store.put({
        ...foundIcon('unused.example'),
        usedAt: new Date(START - 30 * DAY_MS),
        dueAt: used,
      } as never);
      await open.store.put({ ...missingIcon('missing.example', 1), dueAt: used } as never);
      await open.store.put({ ...foundIcon('fresh.example'), dueAt: new Date(START + 1) } as never);
      const renewed: string[] = [];
      const report = await run(async (host) => void renewed.push(host));
      expect(report).to.deep.equal({ refreshedSiteIcons: 1, unusedSiteIcons: 2, siteIconsOverLimit: 0 });
      expect(renewed).to.deep.equal(['used.example']);
      expect(await open.store.hosts('')).to.deep.equal(['fresh.example', 'used.example']);
    });

    it('delete nothing that is used while icons of sites are off', async () => {
      await open.store.put({ ...foundIcon('used.example'), usedAt: new Date(START), dueAt: new Date(START) } as never);
      expect(await run()).to.deep.equal({ refreshedSiteIcons: 0, unusedSiteIcons: 0, siteIconsOverLimit: 0 });
    });

    it('delete the least recently used icons beyond the bounds of hosts and bytes', async () => {
      for (let at = 0; at < 10; at++)
        await open.store.put({
          ...foundIcon(`h${at}.example`, 1, 'x'.repeat(10_000)),
          usedAt: new Date(START + at),
        });
      expect(await removeExcess(open.store, { hosts: 8, bytes: 1e9 })).to.equal(2);
      expect(await open.store.hosts('')).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9].map((at) => `h${at}.example`));
      await removeExcess(open.store, { hosts: 8, bytes: 50_000 });
      expect((await open.store.size()).bytes).to.be.at.most(50_000);
      expect(await open.store.hosts(''))
        .to.include('h9.example')
        .and.not.include('h2.example');
    });
  });
});
