// Analytics: reports over a year of an account among many, and what counting responses costs.
import { statSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { readPlans } from '../../config/plans.js';
import { openCommandStores } from '../../src/compose/embedded-stores.js';
import { newAccount } from '../../src/domain/account/changes/lifecycle.js';
import type { AccountId } from '../../src/domain/account/account.js';
import type { Slug } from '../../src/domain/catalog/entry.js';
import { MAX_RANGE_DAYS } from '../../src/domain/metering/day-range.js';
import { MAX_COUNTED_SLUGS } from '../../src/domain/metering/day-responses.js';
import { BUCKETS } from '../../src/domain/metering/plan.js';
import { addDays, utcDay } from '../../src/domain/metering/utc-day.js';
import { openResponseCounts } from '../../src/services/response-counts.js';
import { median, percentile, visit } from './load.js';
import { startService, temporaryData } from './service.js';
import { round, type Row } from './table.js';

const TODAY = utcDay(Date.now());
const FIRST = addDays(TODAY, 1 - MAX_RANGE_DAYS);
/** With a year of usage each. */
const ACCOUNTS = 20;
/** Rows of others in the table: a day each. */
const OTHER_ROWS = 1_000_000;
const REQUESTS = 1000;
const COUNTED = 2_000_000;
const WRITTEN_ACCOUNTS = 10_000;
const DAYS_MEASURED = 400;
/** Slugs of a usual account on a day. */
const USUAL_SLUGS = 5;

export async function measureAnalytics(dataDir: string): Promise<Row[]> {
  return [
    ...(await measureReports(dataDir)),
    await measureCounting(),
    await measureWriting(),
    await measureBytes(USUAL_SLUGS),
    await measureBytes(MAX_COUNTED_SLUGS),
  ];
}

async function measureReports(dataDir: string): Promise<Row[]> {
  const service = await startService(dataDir);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const keys: string[] = [];
    for (let count = 0; count < ACCOUNTS; count++) keys.push(await service.anotherKey());
    fillYears(
      dataDir,
      keys.map((key) => key.slice(4, 16)),
    );
    const measure = async (path: string): Promise<Row> => {
      const times: number[] = [];
      for (let count = 0; count < REQUESTS; count++) {
        const key = keys[count % ACCOUNTS] ?? '';
        const { ms, status } = await visit(`${service.base}${path}?from=${FIRST}`, agent, { 'X-API-Key': key });
        if (status !== 200) throw new Error(`${path} answered ${status}`);
        times.push(ms);
      }
      return {
        what: `\`GET ${path}\`, ${MAX_RANGE_DAYS} days: p99`,
        measured: `${round(percentile(times, 0.99))} ms, median ${round(median(times))} ms`,
        peer: `${(OTHER_ROWS / 1e6).toFixed(0)} million rows of other accounts`,
        figure: percentile(times, 0.99),
        goal: { atMost: 20 },
        unit: ' ms',
      };
    };
    return [await measure('/v1/analytics/usage'), await measure('/v1/analytics/responses')];
  } finally {
    agent.destroy();
    await service.stop();
  }
}

/** Every bucket on every day, as many slugs as there may be; and other accounts around them. */
function fillYears(dataDir: string, ids: readonly string[]): void {
  const db = new DatabaseSync(join(dataDir, 'blazon.sqlite'));
  const usage = db.prepare('INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?)');
  const responses = db.prepare('INSERT OR REPLACE INTO responses VALUES (?, ?, ?, ?, ?, ?, ?)');
  const slugs = JSON.stringify(slugsOf(MAX_COUNTED_SLUGS).map(({ slug, requests }) => [slug, requests]));
  db.exec('PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE');
  for (const id of ids) {
    for (let day = FIRST; day <= TODAY; day = addDays(day, 1)) {
      for (const [at, bucket] of BUCKETS.entries()) usage.run(id, day, bucket, 1000 + at);
      responses.run(id, day, 1000, 100, 10, 1, slugs);
    }
  }
  for (let row = 0; row < OTHER_ROWS; row++)
    usage.run(`other${String((row * 7919) % OTHER_ROWS).padStart(7, '0')}`, TODAY, 'svg', 1);
  db.exec('COMMIT');
  db.close();
}

/** Of one account, as in a busy process: one response after the other, of slugs that repeat. */
async function measureCounting(): Promise<Row> {
  const counts = openResponseCounts({
    history: { add: () => Promise.resolve() },
    now: Date.now,
    onError: console.error,
  });
  const calls = Array.from({ length: 100 }, (_, at) => ({
    id: `account${String(at).padStart(5, '0')}` as AccountId,
    slug: `some-brand-${at % 20}` as Slug,
  }));
  const run = (): number => {
    const beganMs = performance.now();
    for (let round = 0; round < COUNTED / calls.length; round++)
      for (const { id, slug } of calls) counts.count(id, 200, slug);
    return ((performance.now() - beganMs) * 1e6) / COUNTED;
  };
  run();
  const times = [run(), run(), run()];
  await counts.close();
  return {
    what: 'counting a response, 100 accounts, 20 slugs',
    measured: `${round(median(times))} ns`,
    peer: '–',
    figure: median(times),
    goal: { atMost: 1000 },
    unit: ' ns',
  };
}

/** All accounts that are kept in memory, each with a row of today; the longest step keeps requests waiting. */
async function measureWriting(): Promise<Row> {
  return withStores(async ({ accounts, responses }) => {
    const ids: AccountId[] = [];
    for (let count = 0; count < WRITTEN_ACCOUNTS; count++) ids.push(await insertAccount(accounts, count));
    const steps: number[] = [];
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < ids.length; at += 100) {
        const part = ids.slice(at, at + 100).map((accountId) => ({ accountId, ...dayOf(USUAL_SLUGS) }));
        const beganMs = performance.now();
        await responses.add({ id: `${round}`, day: TODAY, accounts: part });
        steps.push(performance.now() - beganMs);
      }
    }
    const perAccount = (median(steps) * 1000) / 100;
    return {
      what: 'writing the responses of an account, in SQLite',
      measured: `${round(perAccount)} µs; steps of 100 accounts: median ${round(median(steps))} ms, p99 ${round(percentile(steps, 0.99))} ms`,
      peer: '–',
      figure: perAccount,
      goal: null,
      unit: ' µs',
    };
  });
}

async function measureBytes(slugs: number): Promise<Row> {
  return withStores(async ({ accounts, responses }, dataDir) => {
    const ids: AccountId[] = [];
    for (let count = 0; count < 100; count++) ids.push(await insertAccount(accounts, count));
    const before = sizeOf(dataDir);
    for (let offset = 0; offset < DAYS_MEASURED; offset++) {
      const day = addDays(TODAY, -offset);
      const part = ids.map((accountId) => ({ accountId, ...dayOf(slugs) }));
      await responses.add({ id: day, day, accounts: part });
    }
    const bytes = (sizeOf(dataDir) - before) / (DAYS_MEASURED * ids.length);
    return {
      what: `responses of an account and day with ${slugs} slugs, in SQLite`,
      measured: `${Math.round(bytes)} B`,
      peer: '–',
      figure: bytes,
      goal: null,
      unit: ' B',
    };
  });
}

type CommandStores = ReturnType<typeof openCommandStores>;

async function withStores(measure: (stores: CommandStores, dataDir: string) => Promise<Row>): Promise<Row> {
  const data = temporaryData();
  const stores = openCommandStores({ dataDir: data.path, plans: readPlans(), now: Date.now, onError: console.error });
  try {
    return await measure(stores, data.path);
  } finally {
    await stores.close();
    data.remove();
  }
}

async function insertAccount(accounts: CommandStores['accounts'], number: number): Promise<AccountId> {
  const email = `bench-analytics-${number}@example.com`;
  const { account } = newAccount({ email, passwordHash: 'none', tier: 'internal', at: new Date() });
  await accounts.insert(account);
  return account.id;
}

/** Of the database after everything was written to it. */
function sizeOf(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'blazon.sqlite'));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return statSync(join(dataDir, 'blazon.sqlite')).size;
}

function dayOf(slugs: number) {
  return { responses: { '2xx': 1000, '3xx': 100, '4xx': 10, '5xx': 1 }, slugs: slugsOf(slugs) };
}

/** Names of a usual length, most requests first. */
function slugsOf(count: number): { readonly slug: Slug; readonly requests: number }[] {
  return Array.from({ length: count }, (_, at) => ({ slug: `some-brand-${at}` as Slug, requests: 1000 - at }));
}
