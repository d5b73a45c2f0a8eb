// Response counts in memory: limited in number, stored by day, and kept while the store is unavailable.
import { setImmediate as nextTick } from 'node:timers/promises';
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import type { Slug } from '../../src/catalog/entry.js';
import { MAX_COUNTED_SLUGS } from '../../src/metering/day-responses.js';
import { AppError } from '../../src/platform/errors.js';
import type { ResponseBatch } from '../../src/metering/response-history.js';
import { openResponseCounts, type ResponseCounts } from '../../src/metering/response-counts.js';
import { rejection } from '../support/account-services.js';
import { clockAt, DAY_MS, type Clock } from '../support/clock.js';

const ID = 'AccountId012' as AccountId;
const GITHUB = 'github' as Slug;

/**
 * Memory limit in bytes. It suffices for 10,000 accounts with new counts and 10,000 accounts with counts that are being
 * stored, each with the maximum number of slugs.
 */
const MAX_BYTES = 60_000_000;

describe('response counts', () => {
  let clock: Clock;
  let added: ResponseBatch[];
  let tried: string[];
  let isAway: boolean;
  let counts: ResponseCounts;
  beforeEach(() => {
    clock = clockAt();
    added = [];
    tried = [];
    isAway = false;
    counts = openResponseCounts({
      history: {
        async add(batch) {
          tried.push(batch.id);
          if (isAway) throw new AppError('unavailable');
          added.push(batch);
        },
      },
      now: clock.now,
      maxBytes: MAX_BYTES,
      onError: () => undefined,
    });
  });
  afterEach(() => counts.close());
  const accounts = () => added.flatMap((batch) => batch.accounts);

  it('are written once, by class and slug', async () => {
    for (const status of [200, 204, 304, 308, 404, 429, 500, 503]) counts.count(ID, status);
    counts.count(ID, 200, GITHUB);
    counts.count(ID, 200, GITHUB);
    await counts.flush();
    await counts.flush();
    expect(added.map(({ day, accounts: [first] }) => ({ day, first }))).to.deep.equal([
      {
        day: '2026-05-01',
        first: {
          accountId: ID,
          responses: { '2xx': 4, '3xx': 2, '4xx': 2, '5xx': 2 },
          slugs: [{ slug: GITHUB, requests: 2 }],
        },
      },
    ]);
  });

  it('belong to the day on which they were counted', async () => {
    counts.count(ID, 200);
    clock.advance(DAY_MS);
    counts.count(ID, 200);
    counts.count(ID, 200);
    clock.advance(-DAY_MS);
    counts.count(ID, 200);
    await counts.flush();
    expect(added.map(({ day, accounts: [first] }) => [day, first?.responses['2xx']])).to.deep.equal([
      ['2026-05-01', 1],
      ['2026-05-02', 2],
      ['2026-05-01', 1],
    ]);
  });

  it('wait while a store is unavailable, each batch under its name', async () => {
    counts.count(ID, 200);
    isAway = true;
    expect(await rejection(counts.flush())).to.equal('unavailable');
    counts.count(ID, 404);
    expect(await rejection(counts.flush())).to.equal('unavailable');
    isAway = false;
    await counts.flush();
    expect(accounts().map(({ responses }) => [responses['2xx'], responses['4xx']])).to.deep.equal([
      [1, 0],
      [0, 1],
    ]);
    expect(new Set(tried).size).to.equal(2);
    expect(tried[0]).to.equal(tried[1]);
  });

  it('are dropped if their batch can never be written, and the others are written', async () => {
    const broken = openResponseCounts({
      history: {
        async add(batch) {
          if (batch.day === '2026-05-01') throw new SyntaxError('a damaged row');
          added.push(batch);
        },
      },
      now: clock.now,
      maxBytes: MAX_BYTES,
      onError: () => undefined,
    });
    broken.count(ID, 200);
    clock.advance(DAY_MS);
    broken.count(ID, 404);
    expect(await rejection(broken.flush())).to.be.instanceOf(SyntaxError);
    await broken.flush();
    expect(accounts().map(({ responses }) => responses['4xx'])).to.deep.equal([1]);
    await broken.close();
  });

  it('are limited to a number of accounts and slugs in all cases', async () => {
    isAway = true;
    for (let account = 0; account < 50_000; account++) counts.count(`account${account}` as AccountId, 200);
    await counts.flush().catch(() => undefined);
    for (let account = 50_000; account < 90_000; account++) counts.count(`account${account}` as AccountId, 200);
    isAway = false;
    await counts.flush();
    await counts.flush();
    expect(accounts().length).to.be.within(10_000, 20_000);
    expect(Math.max(...added.map((batch) => batch.accounts.length))).to.be.at.most(100);
    for (let slug = 0; slug < 10_000; slug++) counts.count(ID, 200, `slug-${slug}` as Slug);
    await counts.flush();
    expect(accounts().at(-1)?.responses['2xx']).to.equal(10_000);
    expect(accounts().at(-1)?.slugs.length).to.be.at.most(MAX_COUNTED_SLUGS);
  });

  it('are written early for many accounts, so that none is lost while the store keeps up', async () => {
    for (let account = 0; account < 45_000; account++) {
      counts.count(`account${account}` as AccountId, 200);
      if (account % 50 === 0) await nextTick();
    }
    await counts.flush();
    expect(new Set(accounts().map(({ accountId }) => accountId)).size).to.equal(45_000);
  });

  it('are written by close', async () => {
    counts.count(ID, 200);
    await counts.close();
    expect(accounts()).to.have.length(1);
  });
});
