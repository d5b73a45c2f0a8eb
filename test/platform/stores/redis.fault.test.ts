// Redis that restarts empty, pauses, loses connections, is full, or fails over. Results must be correct, or
// `unavailable`.
import { setImmediate as answersAreRead, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { admissionRecordOf } from '../../../src/metering/admission-record.js';
import { openRedis, type RedisConnection } from '../../../src/platform/stores/redis/connection.js';
import { createRedisLocks } from '../../../src/platform/stores/redis/locks.js';
import { newApiKey, parseApiKey } from '../../../src/accounts/api-key.js';
import { BUCKETS, type Bucket, type Plan, type Plans } from '../../../src/accounts/plan.js';
import { utcDay } from '../../../src/platform/utc-day.js';
import { AppError } from '../../../src/platform/errors.js';
import type { Credential } from '../../../src/accounts/credential.js';
import { someAccount } from '../../support/accounts.js';
import { eventually } from '../../support/auth.js';
import { openRedisProcess, temporaryDurableStores, type RedisProcess } from '../../support/redis-parts.js';
import { describeWithServers, startRedis, startRedisCluster, type RedisServer } from '../../support/servers.js';

const LIMIT = 500;
const plan = (limit: number | null): Plan => ({
  daily: Object.fromEntries(BUCKETS.map((bucket) => [bucket, limit])) as Record<Bucket, number | null>,
  burstPerSecond: null,
  ownBrands: null,
  siteIcons: null,
});
const PLANS: Plans = { free: plan(LIMIT), pro: plan(null), enterprise: plan(null), internal: plan(null) };

interface Tally {
  accepted: number;
  quota: number;
  /** Number of requests that were rejected with `unavailable`. Redis may have counted them. */
  unknown: number;
}
const newTally = (): Tally => ({ accepted: 0, quota: 0, unknown: 0 });

/**
 * Makes one request and adds its result to the tally. Fails the test if the request rejects with any other error than
 * `unavailable`.
 */
async function request(process: RedisProcess, credential: Credential, tally: Tally): Promise<void> {
  try {
    const { rejected } = await process.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
    if (rejected === null) tally.accepted += 1;
    else if (rejected === 'quota') tally.quota += 1;
    else throw new Error(`rejected: ${rejected}`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    tally.unknown += 1;
  }
}

async function customer(process: RedisProcess, tier: 'free' | 'pro' = 'free'): Promise<Credential> {
  const { account, apiKey } = someAccount({ tier });
  await process.accounts.insert(account);
  return { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
}

/** Waits until Redis accepts requests again. */
const recovery = (process: RedisProcess, credential: Credential) =>
  eventually(
    () => process.admissions.admit({ ...credential, bucket: 'svg', charge: 'verify' }).then(Boolean, () => false),
    'recovery',
  );

async function used(process: RedisProcess, credential: Credential): Promise<number> {
  const usage = await process.admissions.usage(credential);
  if ('rejected' in usage) throw new Error(usage.rejected);
  return usage.used.svg;
}

/** Starts one caller per credential. The callers send requests until the returned function is called. */
function load(process: RedisProcess, credentials: readonly Credential[], tally: Tally) {
  let isOver = false;
  const callers = credentials.map(async (credential) => {
    while (!isOver) {
      await request(process, credential, tally);
      await sleep(1);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(callers);
  };
}

describeWithServers('Redis in trouble', ['redis-server'], () => {
  let server: RedisServer;
  let stores: ReturnType<typeof temporaryDurableStores>;
  let process: RedisProcess;
  before(async () => {
    server = await startRedis();
  });
  after(() => server.stop());
  beforeEach(async () => {
    stores = temporaryDurableStores();
    process = await openRedisProcess(server.url, stores, { plans: PLANS, flushIntervalMs: 100 });
  });
  afterEach(async () => {
    await process.close();
    stores.close();
  });

  it('resumes from the ledger when it restarts empty', async () => {
    const credential = await customer(process);
    const tally = newTally();
    await Promise.all(Array.from({ length: 40 }, () => request(process, credential, tally)));
    await process.admissions.flush();
    await server.kill();
    await request(process, credential, tally);
    expect(tally).to.include({ accepted: 40, unknown: 1 });
    await server.restart();
    await recovery(process, credential);
    expect(await used(process, credential)).to.equal(40);
    await request(process, credential, tally);
    expect(await used(process, credential)).to.equal(41);
    await process.admissions.refund({ ...credential, bucket: 'svg', day: utcDay(Date.now()) });
    expect(await used(process, credential)).to.equal(40);
  });

  it('refunds to a day with lost counters', async () => {
    const credential = await customer(process);
    await Promise.all(Array.from({ length: 3 }, () => request(process, credential, newTally())));
    await process.admissions.flush();
    await process.redis.send('flushall');
    await process.admissions.refund({ ...credential, bucket: 'svg', day: utcDay(Date.now()) });
    expect(await used(process, credential)).to.equal(2);
  });

  it('admits at most the usage missing in the ledger beyond the limit after FLUSHALL', async () => {
    const credential = await customer(process);
    const tally = newTally();
    const stop = load(
      process,
      Array.from({ length: 20 }, () => credential),
      tally,
    );
    let lost = 0;
    for (let round = 0; round < 5; round++) {
      const decided = tally.accepted + tally.quota;
      await eventually(() => tally.accepted + tally.quota > decided + 100, 'requests between two losses');
      const kept = (await stores.ledger.read(credential.accountId, utcDay(Date.now())))?.used.svg ?? 0;
      const acceptedBefore = tally.accepted;
      const before = await used(process, credential);
      await process.redis.send('flushall');
      await answersAreRead();
      lost += before - kept + (tally.accepted - acceptedBefore);
    }
    tally.quota = 0;
    await eventually(() => tally.quota >= 100, 'end of the quota');
    await stop();
    expect(tally.accepted).to.be.within(LIMIT, LIMIT + lost);
    expect(await used(process, credential)).to.equal(LIMIT);
  });

  /** Way to pause Redis → function that pauses Redis. It resolves with a function that ends the pause. */
  const STANDSTILLS: Readonly<Record<string, () => Promise<() => void | Promise<void>>>> = {
    'CLIENT PAUSE': async () => {
      const control = await openRedis(server.url);
      // With `write`, Redis pauses all scripts. `all` would also pause the command that ends the pause.
      await control.send('client', 'pause', 600_000, 'write');
      return async () => {
        await control.send('client', 'unpause');
        await control.close();
      };
    },
    SIGSTOP: async () => {
      server.pause();
      return () => server.resume();
    },
  };
  for (const [name, standStill] of Object.entries(STANDSTILLS))
    it(`rejects while it is paused (${name}), and counts none of these requests later`, async () => {
      const credential = await customer(process);
      const tally = newTally();
      await Promise.all(Array.from({ length: 10 }, () => request(process, credential, tally)));
      const goOn = await standStill();
      const during = newTally();
      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          await sleep(index * 5);
          await request(process, credential, during);
        }),
      );
      expect(during).to.include({ accepted: 0, unknown: 60 });
      await goOn();
      await recovery(process, credential);
      expect(await used(process, credential)).to.equal(10);
      await request(process, credential, tally);
      expect(await used(process, credential)).to.equal(11);
    });

  it('rejects a change while it is away, and lets no old key pass after a change that it did not hear of', async () => {
    const { account, apiKey } = someAccount();
    await process.accounts.insert(account);
    const old: Credential = { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
    await request(process, old, newTally());
    const token = await process.records.begin(account.id);
    const next = newApiKey(account.id);
    const key = { hash: next.hash, hint: next.hint, createdAt: new Date(), lastUsedAt: null };
    const changed = { ...account, key, version: account.version + 1 };
    expect(await stores.accounts.save(changed)).to.equal(true);
    server.pause();
    await process.records.publish(account.id, token, admissionRecordOf(changed));
    const begun = await process.records.begin(account.id).catch((error: unknown) => error);
    expect(begun).to.include({ code: 'unavailable' });
    const lock = createRedisLocks(process.redis).acquire('away', { expiresAfterMs: 1000, waitMs: 0 });
    expect(await lock.catch((error: unknown) => error)).to.include({ code: 'unavailable' });
    server.resume();
    await recovery(process, old);
    for (let round = 0; round < 20; round++) {
      const admit = (keyHash: string) =>
        process.admissions.admit({ accountId: account.id, keyHash, bucket: 'svg', charge: 'count' });
      expect(await admit(old.keyHash)).to.deep.equal({ rejected: 'key' });
      expect(await admit(next.hash)).to.include({ rejected: null });
      await sleep(100);
    }
  });

  it('does not open without a server, and says so without the password', async () => {
    const failure = await openRedis('redis://:s3cret@127.0.0.1:1', { readyLimitMs: 300 }).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(Error);
    expect((failure as Error).message)
      .to.include('127.0.0.1:1')
      .and.not.include('s3cret');
  });
});

const infoOf = async (node: RedisConnection, pattern: RegExp): Promise<string | undefined> =>
  pattern.exec(String(await node.send('info', 'replication')))?.[1];

/** Resolves when the replica has all data that the master has at the time of the call. */
async function replicated(master: RedisConnection, replica: RedisConnection): Promise<void> {
  const offset = Number(await infoOf(master, /master_repl_offset:(\d+)/));
  await eventually(
    async () => Number(await infoOf(replica, /slave_repl_offset:(\d+)/)) >= offset,
    'end of the replication',
  );
}

describeWithServers('Redis Cluster in trouble', ['redis-server'], () => {
  it('recovers from the loss of a master once its replica is elected', async () => {
    const cluster = await startRedisCluster({ replicas: 1 });
    const stores = temporaryDurableStores();
    const process = await openRedisProcess(cluster.url, stores, { plans: PLANS });
    const nodes = await Promise.all(cluster.nodes.map(({ port }) => openRedis(`redis://127.0.0.1:${port}`)));
    try {
      // Waits until all replicas are synchronized, because a replica that was never synchronized cannot become a
      // master.
      for (const replica of nodes.slice(3))
        await eventually(() => infoOf(replica, /master_link_status:(up)/), 'replication');
      const credentials = await Promise.all(Array.from({ length: 30 }, () => customer(process, 'pro')));
      const tally = newTally();
      const stop = load(process, credentials, tally);
      await eventually(() => tally.accepted > 500, 'accepted requests');
      const before = tally.accepted;
      const [master, , , heir] = nodes as [RedisConnection, RedisConnection, RedisConnection, RedisConnection];
      await replicated(master, heir);
      await cluster.nodes[0]?.kill();
      await answersAreRead();
      const late = tally.accepted - before;
      // Waits until the cluster makes the replica a master. This happens when most masters cannot reach the old master.
      await eventually(() => infoOf(heir, /role:(master)/), 'election');
      await Promise.all(credentials.map((credential) => recovery(process, credential)));
      const recovered = tally.accepted;
      await eventually(() => tally.accepted > recovered + 100, 'accepted requests');
      await stop();
      const counted = await Promise.all(credentials.map((credential) => used(process, credential)));
      // Replication is asynchronous, so the counts of at most `late` requests are lost.
      expect(counted.reduce((sum, one) => sum + one)).to.be.within(
        tally.accepted - late,
        tally.accepted + tally.unknown,
      );
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
      await process.close();
      stores.close();
      await cluster.stop();
    }
  });
});
