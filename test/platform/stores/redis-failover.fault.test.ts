// Redis that accepts connections but rejects writes, like after a failover. The service must then open a new connection
// to the same URL.
import { rmSync } from 'node:fs';
import { setImmediate as answersAreRead } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openRedis, redisErrorText, type RedisConnection } from '../../../src/platform/stores/redis/connection.js';
import { parseApiKey } from '../../../src/accounts/api-key.js';
import { BUCKETS, type Bucket, type Plan, type Plans } from '../../../src/accounts/plan.js';
import { AppError } from '../../../src/platform/errors.js';
import type { Credential } from '../../../src/accounts/credential.js';
import { someAccount } from '../../support/accounts.js';
import { eventually } from '../../support/auth.js';
import { openRedisProcess, temporaryDurableStores } from '../../support/redis-parts.js';
import { describeWithServers, startRedis, startRedisCluster, type RedisServer } from '../../support/servers.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

const UNLIMITED: Plan = {
  daily: Object.fromEntries(BUCKETS.map((bucket) => [bucket, null])) as Record<Bucket, null>,
  burstPerSecond: null,
  ownBrands: null,
  siteIcons: null,
};
const PLANS: Plans = { free: UNLIMITED, pro: UNLIMITED, enterprise: UNLIMITED, internal: UNLIMITED };
const NOBODY_LISTENS = '1';

/** Returns the driver's error message, or undefined if the command succeeds. */
const failureOf = (redis: RedisConnection, ...command: readonly [string, ...string[]]) =>
  redis.send(...command).then(
    () => undefined,
    (error: unknown) => {
      expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
      return redisErrorText(error);
    },
  );

const infoOf = async (server: Redis, pattern: RegExp): Promise<string | undefined> =>
  pattern.exec(await server.info())?.[1];

/** Returns the ids of connections whose last command was SET. */
async function writersTo(server: Redis): Promise<readonly string[]> {
  const list = String(await server.client('LIST')).split('\n');
  return list.flatMap((line) => (line.includes(' cmd=set ') ? (/^id=(\d+)/.exec(line)?.slice(1) ?? []) : []));
}

interface Rejection {
  readonly cause: (server: Redis, other: RedisServer) => Promise<unknown>;
  readonly command: readonly [string, ...string[]];
}

describeWithServers('a Redis that rejects writes', ['redis-server'], () => {
  let first: RedisServer;
  let second: RedisServer;
  let control: readonly [Redis, Redis];
  let proxy: TcpProxy;
  beforeEach(async () => {
    [first, second] = await Promise.all([startRedis(), startRedis()]);
    control = [new Redis(first.url), new Redis(second.url)];
    proxy = await startTcpProxy(first.port);
  });
  afterEach(async () => {
    for (const client of control) client.disconnect();
    await proxy.close();
    await Promise.all([first.stop(), second.stop()]);
  });
  const address = () => `redis://127.0.0.1:${proxy.port}`;

  const SET = ['set', 'key', 'rejected'] as const;
  /**
   * Error code → a command that Redis rejects with this code (`command`), and a function that causes the rejections
   * (`cause`). A replica without a master rejects only reads with MASTERDOWN, so its command is a read.
   */
  const REJECTIONS: Readonly<Record<string, Rejection>> = {
    READONLY: { command: SET, cause: (server, { port }) => server.replicaof('127.0.0.1', port) },
    MASTERDOWN: {
      command: ['get', 'key'],
      async cause(server) {
        await server.config('SET', 'replica-serve-stale-data', 'no');
        await server.replicaof('127.0.0.1', NOBODY_LISTENS);
      },
    },
    OOM: { command: SET, cause: (server) => server.config('SET', 'maxmemory', '1') },
    MISCONF: {
      command: SET,
      async cause(server) {
        const [, folder = ''] = await server.config('GET', 'dir');
        rmSync(folder, { recursive: true });
        await server.config('SET', 'save', '3600 1');
        await server.bgsave();
        await eventually(() => infoOf(server, /rdb_last_bgsave_status:(err)/), 'snapshot that fails');
      },
    },
    NOREPLICAS: { command: SET, cause: (server) => server.config('SET', 'min-replicas-to-write', '1') },
  };
  for (const [code, { command, cause }] of Object.entries(REJECTIONS))
    it(`is replaced after ${code}, as soon as its address leads to another`, async () => {
      const redis = await openRedis(address());
      try {
        await redis.send('set', 'key', 'before');
        await cause(control[0], second);
        expect(await failureOf(redis, ...command)).to.include(code);
        proxy.leadTo(second.port);
        await eventually(async () => (await failureOf(redis, 'set', 'key', 'after')) === undefined, 'a write');
        expect(await control[1].get('key')).to.equal('after');
      } finally {
        await redis.close();
      }
    });

  it('is named in the error with its code, even in a script', async () => {
    const redis = await openRedis(address());
    try {
      await control[0].config('SET', 'min-replicas-to-write', '1');
      const script = redis.send('eval', "return redis.call('SET', KEYS[1], 1)", 1, 'key');
      const error = await script.catch((reason: unknown) => reason);
      expect(error).to.include({ message: 'Redis rejects writes right now (NOREPLICAS).' });
    } finally {
      await redis.close();
    }
  });

  it('fails the check, which writes an expiring key', async () => {
    const redis = await openRedis(address());
    try {
      await redis.check();
      expect(await control[0].pttl(String(await control[0].randomkey()))).to.be.within(-2, 1000);
      await control[0].config('SET', 'min-replicas-to-write', '1');
      const error = await redis.check().catch((reason: unknown) => reason);
      expect(error).to.include({ code: 'unavailable', message: 'Redis rejects writes right now (NOREPLICAS).' });
      await control[0].config('SET', 'min-replicas-to-write', '0');
      await eventually(
        () =>
          redis.check().then(
            () => true,
            () => false,
          ),
        'check that succeeds',
      );
    } finally {
      await redis.close();
    }
  });

  it('is reconnected at most once a second', async () => {
    const redis = await openRedis(address());
    try {
      await control[0].config('SET', 'min-replicas-to-write', '1');
      const received = async () => Number(await infoOf(control[0], /total_connections_received:(\d+)/));
      const [before, beganMs] = [await received(), performance.now()];
      // Counts only responses with NOREPLICAS. While the connection is being replaced, commands fail with another
      // error.
      for (let answers = 0; answers < 100;) {
        if ((await failureOf(redis, ...SET))?.includes('NOREPLICAS') === true) answers += 1;
        await answersAreRead();
      }
      const seconds = (performance.now() - beganMs) / 1000;
      expect((await received()) - before).to.be.within(1, 1 + Math.ceil(seconds));
    } finally {
      await redis.close();
    }
  });

  it('loses no count and counts nothing twice when it is demoted under load without closing its connections', async () => {
    await control[0].config('SET', 'repl-diskless-sync-delay', '0');
    await control[1].replicaof('127.0.0.1', first.port);
    await eventually(() => infoOf(control[1], /master_link_status:(up)/), 'replication');
    const stores = temporaryDurableStores();
    const process = await openRedisProcess(address(), stores, { plans: PLANS });
    const { account, apiKey } = someAccount();
    await process.accounts.insert(account);
    const credential: Credential = { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
    const tally = { accepted: 0, unavailable: 0 };
    let isOver = false;
    const caller = async (): Promise<void> => {
      while (!isOver) {
        const answer = await process.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' }).catch(codeOf);
        if (answer === 'unavailable') tally.unavailable += 1;
        else tally.accepted += 1;
        await answersAreRead();
      }
    };
    try {
      const callers = Array.from({ length: 20 }, caller);
      await eventually(() => tally.accepted > 200, 'accepted requests');
      // Waits until the replica has all data. Replication is asynchronous, so the new master could otherwise lack
      // recent writes.
      await control[0].client('PAUSE', 600_000, 'WRITE');
      const sent = await infoOf(control[0], /master_repl_offset:(\d+)/);
      await eventually(async () => (await infoOf(control[1], /slave_repl_offset:(\d+)/)) === sent, 'replication');
      await control[1].replicaof('NO', 'ONE');
      await control[0].replicaof('127.0.0.1', second.port);
      await control[0].client('UNPAUSE');
      const rejected = tally.unavailable;
      await eventually(() => tally.unavailable > rejected + 20, 'rejected requests');
      proxy.leadTo(second.port);
      const before = tally.accepted;
      await eventually(() => tally.accepted > before + 200, 'accepted requests');
      isOver = true;
      await Promise.all(callers);
      const usage = await process.admissions.usage(credential);
      const used = 'rejected' in usage ? usage.rejected : usage.used.svg;
      expect(used).to.be.within(tally.accepted, tally.accepted + tally.unavailable);
    } finally {
      isOver = true;
      await process.close();
      stores.close();
    }
  });
});

function codeOf(error: unknown): string {
  if (error instanceof AppError && error.code === 'unavailable') return error.code;
  throw error;
}

describeWithServers('a Redis Cluster of which one node rejects writes', ['redis-server'], () => {
  it('replaces the connection to that node and keeps the others', async () => {
    const cluster = await startRedisCluster();
    const control = cluster.nodes.map(({ port }) => new Redis({ host: '127.0.0.1', port }));
    const redis = await openRedis(cluster.url);
    try {
      // Node → a key that it stores.
      const keys = new Map<Redis, string>();
      for (let at = 0; keys.size < control.length; at++)
        for (const node of control)
          await node.set(`key${at}`, '').then(
            () => keys.set(node, `key${at}`),
            () => undefined,
          );
      const write = (node: Redis) => failureOf(redis, 'set', keys.get(node)!, 'written');
      await redis.check();
      for (const node of control) expect(await write(node)).to.equal(undefined);
      const before = await Promise.all(control.map(writersTo));
      const [full, ...others] = control as [Redis, Redis, Redis];
      await full.config('SET', 'maxmemory', '1');
      expect(await write(full)).to.include('OOM');
      await eventually(async () => {
        await write(full);
        const ids = await writersTo(full);
        return ids.length > 0 && ids.every((id) => !before[0]?.includes(id));
      }, 'another connection to the node that is full');
      expect(await redis.check().catch((error: unknown) => error)).to.be.instanceOf(AppError);
      for (const [at, node] of others.entries()) {
        expect(await write(node)).to.equal(undefined);
        expect(await writersTo(node)).to.deep.equal(before[at + 1]);
      }
      await full.config('SET', 'maxmemory', '0');
      await eventually(async () => (await write(full)) === undefined, 'a write');
      await redis.check();
    } finally {
      await redis.close();
      for (const client of control) client.disconnect();
      await cluster.stop();
    }
  });
});
