// Contract tests on Redis, for a single Redis and for Redis Cluster.
import { setTimeout as sleep } from 'node:timers/promises';
import { hash } from 'node:crypto';
import { expect } from 'chai';
import { readPlans } from '../../../config/plans.js';
import { openRedis, type RedisConnection } from '../../../src/platform/stores/redis/connection.js';
import { createRedisLocks } from '../../../src/platform/stores/redis/locks.js';
import { createRedisRateLimits } from '../../../src/accounts/rate-limits.redis.js';
import { admissionRecordOf } from '../../../src/metering/admission-record.js';
import { parseApiKey, newApiKey } from '../../../src/accounts/api-key.js';
import { newPublishableKey, publishableKeyRule } from '../../../src/accounts/publishable-key.js';
import type { Account } from '../../../src/accounts/account.js';
import type { Credential } from '../../../src/accounts/credential.js';
import { AppError } from '../../../src/platform/errors.js';
import { utcDay } from '../../../src/platform/utc-day.js';
import { someAccount, subscribed } from '../../support/accounts.js';
import { eventually } from '../../support/auth.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../support/clock.js';
import { repeated } from '../../support/extent.js';
import { openRedisProcess, temporaryDurableStores, type RedisProcess } from '../../support/redis-parts.js';
import { describeWithServers, shared } from '../../support/servers.js';
import { locksContract } from './locks.contract.js';
import { publishableAdmissionsContract } from '../../metering/publishable-admissions.contract.js';
import { admissionsContract, PLANS, type OpenAdmissions } from '../../metering/quota-admissions.contract.js';
import { rateLimitsContract } from '../../accounts/rate-limits.contract.js';

/** Interval of periodic writes, ms. It never elapses in a test. The tests trigger the writes themselves. */
const NEVER_MS = 2 ** 30;

const FAMILIES = {
  Redis: async () => (await shared.redis()).url,
  'Redis Cluster': async () => (await shared.redisCluster()).url,
};

/** Removes all keys. The connections stay open for all tests. */
async function emptied(family: keyof typeof FAMILIES, redis: RedisConnection): Promise<void> {
  if (family === 'Redis') await redis.send('flushall');
  else await (await shared.redisCluster()).flush();
}

for (const [family, urlOf] of Object.entries(FAMILIES) as [keyof typeof FAMILIES, () => Promise<string>][]) {
  describeWithServers(family, ['redis-server'], () => {
    let redis: RedisConnection;
    let other: RedisConnection;
    before(async () => {
      redis = await openRedis(await urlOf());
      other = await openRedis(await urlOf());
    });
    after(() => Promise.all([redis.close(), other.close()]));

    locksContract(family, async () => {
      await emptied(family, redis);
      return {
        locks: createRedisLocks(redis),
        beside: createRedisLocks(other),
        async pass(name, ms) {
          const key = `lock:{${name}}`;
          await redis.send('pexpire', key, Number(await redis.send('pttl', key)) - ms);
        },
        close: () => undefined,
      };
    });

    rateLimitsContract(
      family,
      async ({ now }) => {
        await emptied(family, redis);
        return {
          limits: createRedisRateLimits(redis, { now }),
          reopened: () => createRedisRateLimits(other, { now }),
          close: () => undefined,
        };
      },
      { expires: true },
    );

    it('dates the windows of rate limits in ms, by the clock of the server', async () => {
      await emptied(family, redis);
      // All nodes of the cluster run on this machine, so they have the same clock.
      const serverMs = async () => {
        const [seconds, microseconds] = (await redis.send('time')) as readonly unknown[];
        return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
      };
      const earliest = await serverMs();
      await createRedisRateLimits(redis).consume([{ key: 'dated', rules: [{ limit: 1, windowMs: 60_000 }] }]);
      const stored = await redis.send('hget', `limit:{${hash('sha256', 'dated')}}`, '60000');
      expect(stored).to.match(/^\d+ 1$/);
      expect(Number(String(stored).split(' ')[0])).to.be.within(earliest, await serverMs());
    });

    it('lets a rate limit expire with the longest of its windows, which the others do not shorten', async () => {
      await emptied(family, redis);
      const rules = [DAY_MS, MINUTE_MS].map((windowMs) => ({ limit: 5, windowMs }));
      const limits = createRedisRateLimits(redis);
      for (const used of [rules, rules.slice(1)]) {
        await limits.consume([{ key: 'expiring', rules: used }]);
        const leftMs = Number(await redis.send('pttl', `limit:{${hash('sha256', 'expiring')}}`));
        expect(leftMs).to.be.within(DAY_MS - HOUR_MS, DAY_MS);
      }
    });

    const openAdmissions: OpenAdmissions = async ({ now }) => {
      await emptied(family, redis);
      const stores = temporaryDurableStores();
      const process = await openRedisProcess(await urlOf(), stores, { plans: PLANS, now });
      return {
        admissions: process.admissions,
        accounts: process.accounts,
        flush: process.admissions.flush,
        lastUse: async ({ keyHash }) => stores.ledger.touched.get(keyHash),
        async close() {
          await process.close();
          stores.close();
        },
      };
    };
    admissionsContract(family, openAdmissions);
    publishableAdmissionsContract(family, openAdmissions);

    describe('admissions of two processes', () => {
      let stores: ReturnType<typeof temporaryDurableStores>;
      let processes: [RedisProcess, RedisProcess];
      beforeEach(async () => {
        await emptied(family, redis);
        stores = temporaryDurableStores();
        const plans = readPlans();
        const open = async () => openRedisProcess(await urlOf(), stores, { plans, flushIntervalMs: NEVER_MS });
        processes = [await open(), await open()];
      });
      afterEach(async () => {
        await Promise.all(processes.map((process) => process.close()));
        stores.close();
      });

      const count = (process: RedisProcess, key: string, bucket: 'batch' | 'svg' = 'batch') => {
        const { accountId, hash } = parseApiKey(key)!;
        return process.admissions.admit({ accountId, keyHash: hash, bucket, charge: 'count' });
      };

      /** Returns how often the single Redis has executed the command. */
      const commands = async (name: string): Promise<number> => {
        const calls = new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm');
        return Number(calls.exec(String(await redis.send('info', 'commandstats')))?.[1] ?? 0);
      };

      it('admit exactly the limit of all requests together', async () => {
        const { account, apiKey } = someAccount({ tier: 'internal' });
        const limited: Account = { ...account, tier: 'pro' };
        await processes[0].accounts.insert(limited);
        const plans = readPlans();
        const few = {
          ...plans,
          pro: { ...plans.pro, burstPerSecond: null, daily: { ...plans.pro.daily, batch: 137 } },
        };
        const two = await Promise.all([0, 1].map(async () => openRedisProcess(await urlOf(), stores, { plans: few })));
        const outcomes = await Promise.all(
          Array.from({ length: 1000 }, async (_, index) => {
            if (index % 7 === 0) await sleep(index % 20);
            return count(two[index % 2]!, apiKey);
          }),
        );
        expect(outcomes.filter(({ rejected }) => rejected === null)).to.have.length(137);
        expect(outcomes.filter(({ rejected }) => rejected === 'quota')).to.have.length(863);
        await Promise.all(two.map((process) => process.close()));
        const [today] = await processes[0].admissions.liveUsage(account.id);
        expect(today?.used.batch).to.equal(137);
        expect((await stores.ledger.read(account.id, utcDay(Date.now())))?.used.batch).to.equal(137);
      });

      it('reject the old key once the new one is published, many times', async () => {
        let { account, apiKey } = someAccount({ tier: 'internal' });
        const [writer, reader] = processes;
        await writer.accounts.insert(account);
        let isOver = false;
        const late: string[] = [];
        // Repeats the request, because on a busy machine Redis may take longer than the time limit of one second.
        const answer = (key: string) =>
          eventually(() => count(reader, key).catch(() => undefined), 'answer of a busy machine');
        // Sends requests without a pause, so that some of them read the account in the middle of a change.
        const load = Array.from({ length: 4 }, async () => {
          while (!isOver) await answer(apiKey);
        });
        for (let round = 0; round < repeated(300, 1000); round++) {
          const next = newApiKey(account.id);
          const changed: Account = {
            ...account,
            key: { hash: next.hash, hint: next.hint, createdAt: new Date(), lastUsedAt: null },
            version: account.version + 1,
          };
          if (round % 3 === 0) await redis.send('del', `{${account.id}}:record`);
          if (!(await writer.accounts.save(changed))) throw new Error('the account was not saved');
          const oldKey = apiKey;
          [account, apiKey] = [changed, next.raw];
          const [old, now] = await Promise.all([answer(oldKey), answer(apiKey)]);
          if (old.rejected !== 'key' || now.rejected !== null) late.push(`${round}: ${old.rejected} ${now.rejected}`);
        }
        isOver = true;
        await Promise.all(load);
        expect(late).to.deep.equal([]);
      });

      it('make one command per tick when the record exists, and one note per interval', async () => {
        const { account, apiKey } = someAccount({ tier: 'internal' });
        await processes[0].accounts.insert(account);
        await count(processes[0], apiKey);
        await processes[0].admissions.flush();
        if (family === 'Redis Cluster') return;
        const before = { evalsha: await commands('evalsha'), zadd: await commands('zadd') };
        for (let tick = 0; tick < 5; tick++) {
          const outcomes = await Promise.all(Array.from({ length: 64 }, () => count(processes[0], apiKey)));
          expect(outcomes.every(({ rejected }) => rejected === null)).to.equal(true);
        }
        expect((await commands('evalsha')) - before.evalsha).to.equal(5);
        expect((await commands('zadd')) - before.zadd).to.equal(1);
      });

      it('decide for each of many accounts of one tick, also when the counters of one are unreadable', async () => {
        const all = Array.from({ length: 100 }, () => someAccount({ tier: 'internal' }));
        for (const { account } of all) await processes[0].accounts.insert(account);
        for (const { apiKey } of all) await count(processes[0], apiKey);
        const damaged = all[70]!;
        await redis.send('set', `{${damaged.account.id}}:usage`, 'no hash');
        const outcomes = await Promise.allSettled(all.map(({ apiKey }) => count(processes[0], apiKey)));
        for (const [index, outcome] of outcomes.entries()) {
          if (all[index] === damaged) expect(outcome).to.have.nested.property('reason.code', 'unavailable');
          else expect(outcome).to.have.nested.property('value.quota.used', 2);
        }
        await redis.send('del', `{${damaged.account.id}}:usage`);
      });

      it('read the account while changes overlap, and set no record that may be older than the last one', async () => {
        const { account, apiKey } = someAccount({ tier: 'internal' });
        const { records, accounts } = processes[0];
        await accounts.insert(account);
        const exists = (name: string) => redis.send('exists', `{${account.id}}:${name}`);
        const record = {
          keyHash: 'a'.repeat(64),
          tier: account.tier,
          tierEndsAt: null,
          suspended: false,
          publishableKeys: [],
          ownBrands: '',
          version: 7,
        };
        expect(await exists('record')).to.equal(1);
        const [one, two] = [await records.begin(account.id), await records.begin(account.id)];
        expect(await exists('record')).to.equal(0);
        await records.publish(account.id, two, { ...record, version: 8 });
        expect([await exists('record'), await exists('mark')], 'the first is under way').to.deep.equal([0, 1]);
        expect(await count(processes[1], apiKey), 'as stored').to.include({ rejected: null });
        expect(await exists('record'), 'it is not filled').to.equal(0);
        await records.publish(account.id, one, record);
        expect([await exists('record'), await exists('mark')]).to.deep.equal([0, 0]);
        expect(await count(processes[1], apiKey), 'as stored').to.include({ rejected: null });
        expect(await exists('record')).to.equal(1);
      });

      it('read accounts of a release without own brands again', async () => {
        const { account, apiKey } = someAccount({ tier: 'internal' });
        const key = newPublishableKey(account.id, { name: 'Website', origins: [], dailyLimit: null }, new Date());
        const { accounts, admissions } = processes[0];
        await accounts.insert({ ...account, publishableKeys: [key] });
        const name = `{${account.id}}:record`;
        await redis.send('del', name);
        const old = ['keyHash', account.key!.hash, 'tier', 'internal', 'suspended', '0', 'version', '1', 'shape', '2'];
        await redis.send('hset', name, ...old);
        expect(await count(processes[0], apiKey)).to.include({ rejected: null });
        expect(await redis.send('hget', name, 'shape')).to.equal('3');
        await redis.send('hset', name, 'shape', '2');
        const { keyHash } = publishableKeyRule(key);
        const credential = { accountId: account.id, keyHash, allowingOrigins: [] };
        expect(await admissions.admit({ ...credential, bucket: 'svg', charge: 'count' })).to.include({
          rejected: null,
        });
        expect(await redis.send('hget', name, 'shape')).to.equal('3');
      });

      it('keep the tier without an end, of an older release, until the record expires', async () => {
        const { account, apiKey } = subscribed({ endsAt: new Date() });
        await processes[0].accounts.insert(account);
        await redis.send('hdel', `{${account.id}}:record`, 'until');
        expect(await count(processes[0], apiKey)).to.have.nested.property('quota.tier', 'pro');
        await redis.send('del', `{${account.id}}:record`);
        expect(await count(processes[0], apiKey)).to.have.nested.property('quota.tier', 'free');
      });

      it('reject the old key after its change, even if they read the account before and another change goes on', async () => {
        const { records, accounts } = processes[0];
        const answer = async () => {
          const { account, apiKey } = someAccount({ tier: 'internal' });
          await accounts.insert(account);
          const [other, token] = [await records.begin(account.id), await records.begin(account.id)];
          let isChanged = false;
          const source: typeof stores.source = {
            async read(id) {
              const found = await stores.source.read(id);
              if (isChanged) return found;
              isChanged = true;
              const changed = { ...account, key: null, version: account.version + 1 };
              await stores.accounts.save(changed);
              await records.publish(id, token, admissionRecordOf(changed));
              return found;
            },
          };
          const reader = await openRedisProcess(await urlOf(), { ...stores, source }, { plans: readPlans() });
          try {
            return await count(reader, apiKey);
          } finally {
            await reader.close();
            await records.abandon(account.id, other);
          }
        };
        // Repeats the request, because the extra calls in `read` may make it exceed its time limit on a busy machine.
        expect(await eventually(() => answer().catch(() => undefined), 'an answer')).to.deep.equal({ rejected: 'key' });
      });

      it('reject the old key after its change, even if an admission stores an older record while changes overlap', async () => {
        const { records, accounts } = processes[0];
        const answer = async () => {
          const { account, apiKey } = someAccount({ tier: 'internal' });
          await accounts.insert(account);
          await redis.send('del', `{${account.id}}:record`);
          const begun: string[] = [];
          const source: typeof stores.source = {
            async read(id) {
              const found = await stores.source.read(id);
              while (begun.length < 2) begun.push(await records.begin(id));
              return found;
            },
          };
          const reader = await openRedisProcess(await urlOf(), { ...stores, source }, { plans: readPlans() });
          try {
            await count(reader, apiKey);
            const [, token = ''] = begun;
            const changed = { ...account, key: null, version: account.version + 1 };
            await stores.accounts.save(changed);
            await records.publish(account.id, token, admissionRecordOf(changed));
            return await count(processes[1], apiKey);
          } finally {
            await reader.close();
            for (const begin of begun) await records.abandon(account.id, begin);
          }
        };
        // Repeats the request, because the extra calls in `read` may make it exceed its time limit on a busy machine.
        expect(await eventually(() => answer().catch(() => undefined), 'an answer')).to.deep.equal({ rejected: 'key' });
      });

      it('end the tier even during a change', async () => {
        const { account, apiKey } = subscribed({ endsAt: new Date() });
        const { accounts, records } = processes[0];
        await accounts.insert(account);
        const token = await records.begin(account.id);
        expect(await count(processes[1], apiKey)).to.have.nested.property('quota.tier', 'free');
        await records.abandon(account.id, token);
      });

      it('read suspension, own brands, publishable keys and the ledger even during a change', async () => {
        const [{ accounts, records, admissions }] = processes;
        const { account: fresh } = someAccount({ tier: 'internal' });
        const key = newPublishableKey(fresh.id, { name: 'Website', origins: [], dailyLimit: 5 }, new Date());
        const account: Account = {
          ...{ ...fresh, publishableKeys: [key] },
          ownBrands: { pages: 'a1 b2', count: 2, changes: 3 },
        };
        await accounts.insert(account);
        await stores.ledger.write([{ accountId: account.id, day: utcDay(Date.now()), rev: 90, used: { svg: 30 } }]);
        const token = await records.begin(account.id);
        const own = { accountId: account.id, keyHash: account.key!.hash };
        const page = { ...own, keyHash: publishableKeyRule(key).keyHash, allowingOrigins: [] };
        const admit = (credential: Credential) => admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
        const counted = await admit(own);
        expect(counted).to.deep.include({ rejected: null, ownBrands: 'a1 b2' });
        expect(counted).to.have.nested.property('quota.used', 31);
        expect(await admit(page))
          .to.have.property('quota')
          .that.includes({ of: 'key', limit: 5, used: 1 });
        await stores.accounts.save({ ...account, suspended: true, version: account.version + 1 });
        for (const credential of [own, page]) expect(await admit(credential)).to.deep.equal({ rejected: 'suspended' });
        await records.abandon(account.id, token);
      });

      it('write usage with the next flush if the ledger was away', async () => {
        const { account, apiKey } = someAccount();
        await processes[0].accounts.insert(account);
        let isAway = true;
        const ledger: typeof stores.ledger = {
          ...stores.ledger,
          write: (readings) => (isAway ? Promise.reject(new AppError('unavailable')) : stores.ledger.write(readings)),
        };
        const parts = { plans: readPlans(), flushIntervalMs: NEVER_MS };
        const writer = await openRedisProcess(await urlOf(), { ...stores, ledger }, parts);
        try {
          await count(writer, apiKey);
          const error = await writer.admissions.flush().catch((reason: unknown) => reason);
          expect(error).to.have.property('code', 'unavailable');
          isAway = false;
          await writer.admissions.flush();
          expect((await stores.ledger.read(account.id, utcDay(Date.now())))?.used.batch).to.equal(1);
        } finally {
          await writer.close();
        }
      });

      it('delete the older record, never the newer, after a mark was lost', async () => {
        const { account } = someAccount({ tier: 'internal' });
        const { records, accounts } = processes[0];
        await accounts.insert(account);
        const exists = (name: string) => redis.send('exists', `{${account.id}}:${name}`);
        const { tier } = account;
        const record = { keyHash: null, tier, tierEndsAt: null, suspended: false, publishableKeys: [], ownBrands: '' };
        await records.publish(account.id, 'lost', { ...record, version: account.version });
        expect(await exists('record')).to.equal(1);
        await records.publish(account.id, 'lost', { ...record, version: account.version + 1 });
        expect(await exists('record')).to.equal(0);
        const token = await records.begin(account.id);
        await records.abandon(account.id, token);
        expect(await exists('mark')).to.equal(0);
      });

      it('are rejected, and their counters deleted, once the account is deleted', async () => {
        const { account, apiKey } = someAccount();
        await processes[0].accounts.insert(account);
        await count(processes[1], apiKey);
        const { records } = processes[0];
        await stores.accounts.save({ ...account, deleting: true, version: account.version + 1 });
        await records.publish(account.id, await records.begin(account.id), null);
        expect(await count(processes[1], apiKey)).to.deep.equal({ rejected: 'key' });
        expect(await processes[1].admissions.usageOf(account.id)).to.deep.equal({ rejected: 'key' });
        for (const name of ['usage', 'tokens'])
          expect(await redis.send('exists', `{${account.id}}:${name}`), name).to.equal(0);
      });

      it('let everything about an account expire: its record, a change that crashed, its counters, and its burst', async () => {
        const { account, apiKey } = someAccount();
        const [{ accounts, records, admissions }] = processes;
        const leftMs = async (name: string, id = account.id) => Number(await redis.send('pttl', `{${id}}:${name}`));
        await accounts.insert(account);
        expect(await leftMs('record'), 'published').to.be.within(1, MINUTE_MS);
        await redis.send('del', `{${account.id}}:record`);
        await count(processes[0], apiKey);
        expect(await leftMs('record'), 'filled').to.be.within(1, MINUTE_MS);
        expect(await leftMs('usage')).to.be.within(2 * DAY_MS, 3 * DAY_MS);
        const nobody = 'NobodyXXXXXX' as typeof account.id;
        expect(await admissions.usageOf(nobody)).to.deep.equal({ rejected: 'key' });
        expect(await leftMs('record', nobody), 'an unknown account').to.be.within(1, 10_000);
        const { accountId, hash: keyHash } = parseApiKey(apiKey)!;
        const perSecond = readPlans().free.burstPerSecond!;
        const request = { accountId, keyHash, bucket: 'svg', charge: 'burst', cost: 1000 * perSecond } as const;
        expect(await admissions.admit(request)).to.include({ rejected: null });
        // The debt lasts for about 1000 seconds. The burst is kept for ten more seconds.
        expect(await leftMs('tokens'), 'a debt').to.be.within(1_001_000, 1_011_000);
        await records.begin(account.id);
        expect(await leftMs('mark')).to.be.within(MINUTE_MS, 5 * MINUTE_MS);
      });

      it('count on from the ledger when Redis has come back with older counters', async () => {
        const { account, apiKey } = someAccount();
        await processes[0].accounts.insert(account);
        await count(processes[0], apiKey);
        const day = utcDay(Date.now());
        await stores.ledger.write([{ accountId: account.id, day, rev: 90, used: { batch: 30, svg: 5 } }]);
        await redis.send('del', `{${account.id}}:record`);
        await count(processes[0], apiKey);
        const [today] = await processes[1].admissions.liveUsage(account.id);
        expect(today).to.deep.include({ day, rev: 91, used: { batch: 31, svg: 5 } });
      });

      it('let counters expire that they have restored from the ledger', async () => {
        const { account, apiKey } = someAccount();
        await processes[0].accounts.insert(account);
        const day = utcDay(Date.now());
        await stores.ledger.write([{ accountId: account.id, day, rev: 90, used: { batch: 30 } }]);
        await redis.send('del', `{${account.id}}:record`);
        await count(processes[0], apiKey);
        expect(Number(await redis.send('pttl', `{${account.id}}:usage`))).to.be.within(1, 3 * DAY_MS);
      });

      it('keep the counters of yesterday, and delete older ones, with the first request of a day', async () => {
        const { account, apiKey } = someAccount();
        await processes[0].accounts.insert(account);
        const name = `{${account.id}}:usage`;
        const today = Math.floor(Date.now() / DAY_MS);
        await redis.send('hset', name, `${today - 1}:svg`, 5, `${today - 1}:rev`, 5, `${today - 2}:svg`, 7);
        await count(processes[0], apiKey);
        const left = (await redis.send('hkeys', name)) as string[];
        expect(left.filter((field) => !field.startsWith(`${today}:`)).sort()).to.deep.equal([
          `${today - 1}:rev`,
          `${today - 1}:svg`,
        ]);
      });

      it('write a refund of a request that the ledger already has', async () => {
        const { account, apiKey } = someAccount();
        const { accounts, admissions } = processes[0];
        await accounts.insert(account);
        const counted = await count(processes[0], apiKey);
        if (counted.rejected !== null) throw new Error('rejected');
        await admissions.flush();
        const { accountId, hash: keyHash } = parseApiKey(apiKey)!;
        const { day } = counted.quota;
        await admissions.refund({ accountId, keyHash, bucket: 'batch', day });
        await admissions.flush();
        expect((await stores.ledger.read(account.id, day))?.used.batch).to.equal(0);
      });

      it('write usage that another process has left, and the last use of the key', async () => {
        const { account, apiKey } = someAccount();
        await processes[0].accounts.insert(account);
        await count(processes[0], apiKey);
        await processes[0].admissions.flush();
        expect(stores.ledger.touched.has(parseApiKey(apiKey)!.hash)).to.equal(true);
        expect((await stores.ledger.read(account.id, utcDay(Date.now())))?.used.batch).to.equal(1);
        const left = someAccount();
        await processes[0].accounts.insert(left.account);
        await redis.send('hset', `{${left.account.id}}:usage`, `${Math.floor(Date.now() / 86_400_000)}:svg`, 7);
        await redis.send('hset', `{${left.account.id}}:usage`, `${Math.floor(Date.now() / 86_400_000)}:rev`, 7);
        await redis.send('zadd', 'usage:dirty:3', Date.now() - 60_000, `${left.account.id} gone`);
        await processes[1].admissions.takeOver();
        expect((await stores.ledger.read(left.account.id, utcDay(Date.now())))?.used.svg).to.equal(7);
        expect(await redis.send('zcard', 'usage:dirty:3')).to.equal(0);
      });
    });

    it('open and check with a user who may not use INFO and CONFIG', async () => {
      const acl = ['acl', 'setuser', 'limited', 'on', '>word', '~*', '&*', '+@all', '-info', '-config'] as const;
      redis.sendToMasters(...acl);
      const url = (await urlOf()).replaceAll('redis://', 'redis://limited:word@');
      const limited = await openRedis(url);
      try {
        await limited.check();
        for (const fact of await limited.serverFacts())
          expect(fact).to.include({ version: null, isMaster: null, maxmemoryPolicy: null, save: null });
      } finally {
        await limited.close();
        redis.sendToMasters('acl', 'deluser', 'limited');
      }
    });

    it('report what a check of the deployment needs', async () => {
      await redis.check();
      const beforeMs = Date.now();
      const facts = await redis.serverFacts();
      const afterMs = Date.now();
      expect(facts).to.have.length(family === 'Redis' ? 1 : 3);
      for (const fact of facts) {
        expect(fact).to.include({ isMaster: true, maxmemoryPolicy: 'noeviction', appendonly: 'no', save: '' });
        expect(fact.nowMs).to.be.within(beforeMs, afterMs);
        expect(fact.version).to.match(/^\d+\./);
      }
    });
  });
}
