// Runs the contract of `VisitorCounters` on SQLite, and on MongoDB with a single Redis and with Redis Cluster.
import { expect } from 'chai';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { openEmbeddedVisitorCounters } from '../../src/visitor-counters/visitor-counters.sqlite.js';
import { createMongoCounterLedger } from '../../src/visitor-counters/counter-ledger.mongodb.js';
import { openMongo, type MongoConnection } from '../../src/platform/stores/mongodb/connection.js';
import { openRedis, type RedisConnection } from '../../src/platform/stores/redis/connection.js';
import {
  createRedisVisitorCounters,
  type RedisVisitorCounters,
} from '../../src/visitor-counters/visitor-counters.redis.js';
import { AppError } from '../../src/platform/errors.js';
import { utcDay } from '../../src/platform/utc-day.js';
import { counterKeys } from '../../src/visitor-counters/counter-writer.redis.js';
import type { CounterName } from '../../src/visitor-counters/counter.js';
import { eventually } from '../support/auth.js';
import { clockAt, DAY_MS, MINUTE_MS } from '../support/clock.js';
import { describeWithServers, shared } from '../support/servers.js';
import { temporaryDatabase } from '../support/temporary.js';
import { visitor, visitorCountersContract } from './visitor-counters.contract.js';

/** Interval of periodic writes, ms. It is too long to ever elapse in a test, because the tests trigger the writes. */
const NEVER_MS = 2 ** 30;
const HOME = 'home' as CounterName;

visitorCountersContract('embedded', ({ now }) => {
  const { db, path, close } = temporaryDatabase();
  const other = openDatabase(path);
  const open = (database: typeof db) =>
    openEmbeddedVisitorCounters({
      db: database,
      now,
      onError: (error) => expect.fail(String(error)),
      flushIntervalMs: NEVER_MS,
    });
  const [counters, beside] = [open(db), open(other)];
  const later: ReturnType<typeof open>[] = [];
  return {
    counters,
    beside,
    settle() {
      counters.flush();
      beside.flush();
    },
    restarted() {
      const restarted = open(db);
      later.push(restarted);
      return restarted;
    },
    close() {
      for (const one of [beside, counters, ...later]) one.close();
      other.close();
      close();
    },
  };
});

describe('visitor counters in SQLite', () => {
  it('write on their own, report failures, and retry in the next round', async () => {
    const { db, path, close } = temporaryDatabase();
    const { now } = clockAt();
    const errors: unknown[] = [];
    const counters = openEmbeddedVisitorCounters({
      db,
      now,
      onError: (error) => errors.push(error),
      flushIntervalMs: 20,
    });
    const other = openDatabase(path);
    db.exec('PRAGMA busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    for (let index = 0; index < 3; index++) await counters.hit(HOME, visitor(index));
    expect(await eventually(() => errors[0], 'error')).to.have.property('code', 'unavailable');
    other.exec('ROLLBACK');
    const row = await eventually(() => other.prepare('SELECT total, today FROM visitor_counters').get(), 'row');
    expect({ ...(row as object) }).to.deep.equal({ total: 3, today: 3 });
    counters.close();
    other.close();
    close();
  });
});

const REDIS = {
  Redis: async () => (await shared.redis()).url,
  'Redis Cluster': async () => (await shared.redisCluster()).url,
};

async function emptied(name: string, redis: RedisConnection): Promise<void> {
  if (name === 'Redis') await redis.send('flushall');
  else await (await shared.redisCluster()).flush();
}

for (const [name, urlOf] of Object.entries(REDIS)) {
  const family = `MongoDB and ${name}`;
  describeWithServers(family, ['mongod', 'redis-server'], () => {
    let redis: RedisConnection;
    let other: RedisConnection;
    let mongo: MongoConnection;
    before(async () => {
      redis = await openRedis(await urlOf());
      other = await openRedis(await urlOf());
      mongo = await openMongo((await shared.mongo()).uri());
    });
    after(async () => {
      await Promise.all([redis.close(), other.close()]);
      await mongo.db.dropDatabase();
      await mongo.close();
    });

    const open = (connection: RedisConnection, now?: () => number): RedisVisitorCounters =>
      createRedisVisitorCounters({
        redis: connection,
        ledger: createMongoCounterLedger(mongo),
        now,
        onFlushError: (error) => expect.fail(String(error)),
        flushIntervalMs: NEVER_MS,
      });

    async function fresh(): Promise<void> {
      await emptied(name, redis);
      await mongo.db.collection('visitorCounters').deleteMany({});
    }

    visitorCountersContract(family, async ({ now }) => {
      await fresh();
      const [counters, beside] = [open(redis, now), open(other, now)];
      const all = [counters, beside];
      return {
        counters,
        beside,
        async settle() {
          await counters.flush();
          await beside.flush();
        },
        async restarted() {
          // Simulates a restart of Redis and of the process: Redis is empty, and the counters are new.
          await emptied(name, redis);
          const restarted = open(redis, now);
          all.push(restarted);
          return restarted;
        },
        async close() {
          for (const one of all) await one.close();
        },
      };
    });

    describe('visitor counters of several processes', () => {
      let counters: [RedisVisitorCounters, RedisVisitorCounters];
      beforeEach(async () => {
        await fresh();
        counters = [open(redis), open(other)];
      });
      afterEach(() => Promise.all(counters.map((one) => one.close())));

      it('count together, each visit once, and agree on distinct visitors', async () => {
        const totals = await Promise.all(
          Array.from(
            { length: 1000 },
            async (_, index) => (await counters[index % 2]!.hit(HOME, visitor(index % 50))).total,
          ),
        );
        expect(new Set(totals).size).to.equal(1000);
        expect(await counters[0].read(HOME)).to.deep.include({ total: 1000, today: 1000, uniqueToday: 50 });
      });

      it("restart together from MongoDB's counts, once, when Redis has lost everything", async () => {
        for (let index = 0; index < 20; index++) await counters[index % 2]!.hit(HOME, visitor(index));
        await counters[0].flush();
        await emptied(name, redis);
        const totals = await Promise.all(
          Array.from({ length: 40 }, async (_, index) => (await counters[index % 2]!.hit(HOME, visitor(index))).total),
        );
        expect(Math.max(...totals)).to.equal(60);
        expect(new Set(totals).size).to.equal(40);
        expect(await counters[1].read(HOME)).to.deep.include({ total: 60, uniqueToday: 40 });
      });

      it('are written in batches of fifty, and again in the next round after a failure', async () => {
        const written: (readonly CounterName[])[] = [];
        const one = createRedisVisitorCounters({
          redis,
          ledger: {
            ...createMongoCounterLedger(mongo),
            read: async () => undefined,
            async write(readings) {
              written.push(readings.map(({ name: each }) => each));
              if (written.length === 2) throw new Error('broken');
              return [];
            },
          },
          onFlushError: () => undefined,
          flushIntervalMs: NEVER_MS,
        });
        const names = Array.from({ length: 120 }, (_, index) => `counter-${index}` as CounterName);
        for (const each of names) await one.hit(each, visitor(1));
        expect(await one.flush().catch((error: unknown) => error)).to.have.property('message', 'broken');
        await one.flush();
        expect(written.map(({ length }) => length)).to.deep.equal([50, 50, 50, 20]);
        expect([written[0], written[2], written[3]].flat()).to.have.members(names);
        await one.flush();
        expect(written, 'nothing has changed').to.have.length(4);
        await one.close();
      });

      it("count on the day of Redis's clock, and stay in Redis for three days after the last visit", async () => {
        const before = utcDay(Date.now());
        for (const prepare of [async () => undefined, () => emptied(name, redis)]) {
          await prepare();
          await counters[0].read(HOME);
          const [counts, visitors] = counterKeys(HOME);
          expect(Number(await redis.send('pttl', counts)), 'loaded').to.be.within(2 * DAY_MS, 3 * DAY_MS);
          for (const key of [counts, visitors]) await redis.send('pexpire', key, MINUTE_MS);
          await counters[0].hit(HOME, visitor(1));
          for (const key of [counts, visitors])
            expect(Number(await redis.send('pttl', key)), key).to.be.within(2 * DAY_MS, 3 * DAY_MS);
          await counters[0].flush();
          const stored = await createMongoCounterLedger(mongo).read(HOME);
          expect(stored?.day).to.be.oneOf([before, utcDay(Date.now())]);
        }
        await emptied(name, redis);
        await counters[0].read(HOME);
        expect(Number(await redis.send('pttl', counterKeys(HOME)[1])), 'loaded').to.be.within(2 * DAY_MS, 3 * DAY_MS);
      });

      it('drop counts from before a reset if its deletion in Redis was lost', async () => {
        for (let index = 0; index < 5; index++) await counters[0].hit(HOME, visitor(index));
        await counters[0].flush();
        // Simulates a `reset` that was interrupted after its first step, before the deletion in Redis.
        await createMongoCounterLedger(mongo).reset(HOME);
        await counters[0].hit(HOME, visitor(9));
        await counters[0].flush();
        expect(await counters[1].read(HOME)).to.deep.equal({ total: 0, today: 0, uniqueToday: 0 });
      });

      it('keep the newest reading in MongoDB, in any order of writes', async () => {
        const ledger = createMongoCounterLedger(mongo);
        await counters[0].hit(HOME, visitor(1));
        await counters[0].flush();
        const old = (await ledger.read(HOME))!;
        await counters[0].hit(HOME, visitor(2));
        await counters[0].flush();
        expect(await ledger.write([old])).to.deep.equal([]);
        expect(await ledger.read(HOME)).to.deep.include({ total: 2, rev: 2 });
      });

      it('make exactly one round trip for a single visit, and one for all visits of a tick', async () => {
        if (name !== 'Redis') return;
        await counters[0].hit(HOME, visitor(0));
        const numberIn = async (section: string, pattern: RegExp) =>
          Number(pattern.exec(String(await redis.send('info', section)))?.[1] ?? 0);
        const work = async () => ({
          scripts: await numberIn('commandstats', /^cmdstat_evalsha:calls=(\d+)/m),
          reads: await numberIn('stats', /^total_reads_processed:(\d+)/m),
        });
        const before = await work();
        for (let index = 0; index < 10; index++) await counters[0].hit(HOME, visitor(index));
        await Promise.all(Array.from({ length: 64 }, (_, index) => counters[0].hit(HOME, visitor(index))));
        const after = await work();
        expect(after.scripts - before.scripts).to.equal(11);
        // Two of the reads are the `info` requests of `work`.
        expect(after.reads - before.reads).to.equal(11 + 2);
      });

      it('are rejected without MongoDB only until Redis has loaded them', async () => {
        const broken = createRedisVisitorCounters({
          redis,
          ledger: { ...createMongoCounterLedger(mongo), read: () => Promise.reject(new AppError('unavailable')) },
          onFlushError: () => undefined,
          flushIntervalMs: NEVER_MS,
        });
        const error = await broken.hit(HOME, visitor(1)).catch((reason: unknown) => reason);
        expect(error).to.have.property('code', 'unavailable');
        await counters[0].hit(HOME, visitor(1));
        expect(await broken.hit(HOME, visitor(2))).to.deep.include({ total: 2 });
        await broken.close();
      });
    });
  });
}
