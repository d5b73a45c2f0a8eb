// Redis and MongoDB servers for tests. They are started on free ports with empty folders, or given by URL.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient, type Document } from 'mongodb';
import { findBinary, type ServerName } from '../../scripts/server-binaries.js';
import { freePort, isFreePort, startServerProcess, type ServerProcess } from '../../scripts/server-process.js';

/** File system in memory. Servers that store their data there need no time to sync it to a disk. */
const MEMORY = '/dev/shm';
const READY_LIMIT_MS = 30_000;
/** Difference between a Redis node's cluster bus port and its port. */
const BUS_OFFSET = 10_000;
const SLOTS = 16_384;
/**
 * Time after which a node considers another node failed, ms. It is long, because a process on a busy machine may be
 * silent for seconds.
 */
const NODE_TIMEOUT_MS = '5000';
/** Number of databases in a single Redis. Tests that share the server use different databases. */
export const REDIS_DATABASES = 256;

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;
export type MongoServers = Awaited<ReturnType<typeof startMongo>>;

/** Starts a single Redis. With `append`, it keeps its data when it restarts. */
export async function startRedis({ append = false }: { readonly append?: boolean } = {}) {
  const { path, remove } = serverFolder();
  const port = await freePort();
  const persistence = append ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
  const server = await startServerProcess({
    binary: binary('redis-server'),
    port,
    args: [...redisArguments(port, path), ...persistence, '--databases', String(REDIS_DATABASES)],
  });
  return {
    ...server,
    url: `redis://127.0.0.1:${port}`,
    async stop(): Promise<void> {
      await server.kill();
      remove();
    },
  };
}

/** Starts a Redis Cluster with three masters. Each master has `replicas` replicas. */
export async function startRedisCluster({ replicas = 0 }: { readonly replicas?: number } = {}) {
  const count = 3 * (1 + replicas);
  const folders = Array.from({ length: count }, () => serverFolder());
  const nodes = await Promise.all(folders.map(async ({ path }) => startClusterNode(path)));
  await formOpenCluster(nodes);
  const clients = () => nodes.slice(0, 3).map(({ port }) => new Redis({ host: '127.0.0.1', port, lazyConnect: true }));
  return {
    nodes,
    /** URLs of the three masters, separated by commas. */
    url: urlsOf(nodes.slice(0, 3)).join(','),
    /** Removes all keys of all masters. */
    async flush(): Promise<void> {
      for (const client of clients()) {
        await client.flushall();
        client.disconnect();
      }
    },
    async stop(): Promise<void> {
      await Promise.all(nodes.map((node) => node.kill()));
      for (const { remove } of folders) remove();
    },
  };
}

const urlsOf = (nodes: readonly ServerProcess[]) => nodes.map(({ port }) => `redis://127.0.0.1:${port}`);

async function startClusterNode(dir: string): Promise<ServerProcess> {
  const port = await freeNodePort();
  return startServerProcess({
    binary: binary('redis-server'),
    port,
    args: [
      ...redisArguments(port, dir),
      ...['--cluster-enabled', 'yes', '--cluster-node-timeout', NODE_TIMEOUT_MS, '--appendonly', 'no'],
    ],
  });
}

/** Returns a free port whose cluster bus port is also valid and free. */
export async function freeNodePort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + BUS_OFFSET <= 65_535 && (await isFreePort(port + BUS_OFFSET))) return port;
  }
}

export function redisArguments(port: number, dir: string): string[] {
  const address = ['--port', String(port), '--bind', '127.0.0.1'];
  return [...address, '--dir', dir, '--save', '', '--maxmemory-policy', 'noeviction'];
}

async function formOpenCluster(nodes: readonly ServerProcess[]): Promise<void> {
  const clients = nodes.map(({ port }) => new Redis({ host: '127.0.0.1', port }));
  try {
    await formCluster(nodes, clients);
  } finally {
    for (const client of clients) client.disconnect();
  }
}

/**
 * Forms a cluster. The first three nodes become masters, and node n becomes a replica of master n modulo 3. `clients`
 * are connected to the nodes.
 */
export async function formCluster(nodes: readonly ServerProcess[], clients: readonly Redis[]): Promise<void> {
  const ids = await Promise.all(clients.map(async (client) => String(await client.call('CLUSTER', 'MYID'))));
  await Promise.all(
    clients.slice(0, 3).map((client, at) => {
      const [from, to] = [at, at + 1].map((part) => Math.floor((part * SLOTS) / 3));
      return client.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String(Number(to) - 1));
    }),
  );
  for (const { port } of nodes.slice(1)) await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', String(port));
  const all = async (holds: (info: string) => boolean) => {
    const infos = await Promise.all(clients.map(async (client) => String(await client.call('CLUSTER', 'INFO'))));
    return infos.every(holds);
  };
  await until(() => all((info) => info.includes(`cluster_known_nodes:${nodes.length}`)));
  for (const [at, client] of clients.entries())
    if (at >= 3) await untilSucceeds(() => client.call('CLUSTER', 'REPLICATE', ids[at % 3] ?? ''));
  await until(() => all((info) => info.includes('cluster_state:ok')));
}

interface MongoOptions {
  readonly members?: 1 | 3;
  /** True if the last member is an arbiter, which votes but stores no data. */
  readonly arbiter?: boolean;
  /** True if the server accepts `configureFailPoint`, which simulates errors. */
  readonly failPoints?: boolean;
}

/** Starts MongoDB as a replica set with one or three members. The first member becomes the primary. */
export async function startMongo({ members = 1, arbiter = false, failPoints = false }: MongoOptions = {}) {
  const folders = Array.from({ length: members }, () => serverFolder());
  const nodes = await Promise.all(folders.map(async ({ path }) => startMongod(path, failPoints ? FAIL_POINTS : [])));
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const client = new MongoClient(`mongodb://${hosts[0] ?? ''}/?directConnection=true`);
  try {
    const settings = { electionTimeoutMillis: 1000, heartbeatIntervalMillis: 200 };
    const replicas = hosts.map((host, _id) => {
      const arbiterOnly = arbiter && _id === members - 1;
      return { _id, host, arbiterOnly, priority: arbiterOnly ? 0 : _id === 0 ? 2 : 1 };
    });
    await client.db('admin').command({ replSetInitiate: { _id: 'rs0', members: replicas, settings } });
    await until(async () => (await client.db('admin').command({ hello: 1 })).isWritablePrimary === true);
  } finally {
    await client.close();
  }
  const uri = () => `mongodb://${hosts.join(',')}/blazon_${randomBytes(6).toString('hex')}?replicaSet=rs0`;
  return {
    nodes,
    /** Returns the URL of a new database in the replica set. */
    uri,
    /** Resolves with the primary when there is one. */
    async primary(): Promise<ServerProcess> {
      for (;;) {
        const { primary } = await command(uri(), { hello: 1 });
        const found = nodes.find(({ port }) => primary === `127.0.0.1:${port}`);
        if (found) return found;
      }
    },
    /**
     * Makes the primary step down for five seconds. Without `force`, MongoDB would refuse under load, because the other
     * members are always a little behind.
     */
    stepDown: (): Promise<void> =>
      untilSucceeds(() => command(uri(), { replSetStepDown: 5, secondaryCatchUpPeriodSecs: 1, force: true })),
    async stop(): Promise<void> {
      await Promise.all(nodes.map((node) => node.kill()));
      for (const { remove } of folders) remove();
    },
  };
}

/** Runs a command on the primary. Waits until there is one. */
async function command(uri: string, sent: Document): Promise<Document> {
  const client = await MongoClient.connect(uri);
  try {
    return await client.db('admin').command(sent);
  } finally {
    await client.close();
  }
}

/** Starts a mongod without a configured replica set. */
export async function startUninitiatedMongo() {
  const { path, remove } = serverFolder();
  const node = await startMongod(path);
  return {
    port: node.port,
    async stop(): Promise<void> {
      await node.kill();
      remove();
    },
  };
}

const FAIL_POINTS = ['--setParameter', 'enableTestCommands=1'];

async function startMongod(dir: string, more: readonly string[] = []): Promise<ServerProcess> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', dir, '--replSet', 'rs0'];
  const small = ['--wiredTigerCacheSizeGB', '0.25', '--nounixsocket'];
  const quiet = ['--setParameter', 'diagnosticDataCollectionEnabled=false'];
  return startServerProcess({ binary: binary('mongod'), port, args: [...args, ...small, ...quiet, ...more] });
}

function binary(name: ServerName): string {
  const found = findBinary(name);
  if (found === undefined) throw new Error(`${name} is missing: npm run test-servers installs it`);
  return found;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('a test server did not become ready');
    await sleep(50);
  }
}

async function untilSucceeds(act: () => Promise<unknown>): Promise<void> {
  await until(() =>
    act().then(
      () => true,
      () => false,
    ),
  );
}

/** Creates a data folder for a server. It is removed by `remove`, or when this process ends. */
function serverFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'blazon-server-'));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', remove);
  return {
    path,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}

let redis: ReturnType<typeof startRedis> | undefined;
let cluster: ReturnType<typeof startRedisCluster> | undefined;
let mongo: ReturnType<typeof startMongo> | undefined;

/** Servers that all tests of this process share. A test that stops or pauses a server must start its own server. */
export const shared = {
  redis: () => (redis ??= startRedis()),
  redisCluster: () => (cluster ??= startRedisCluster()),
  mongo: () => (mongo ??= startMongo()),
};

/**
 * Defines a `describe` block that needs these servers. If one is missing, the tests are skipped. With CI=true, they
 * fail instead.
 */
export function describeWithServers(
  title: string,
  names: readonly ServerName[],
  body: (this: Mocha.Suite) => void,
): void {
  const missing = names.filter((name) => findBinary(name) === undefined);
  if (missing.length === 0) {
    describe(title, body);
    return;
  }
  const reason = `${missing.join(' and ')} missing: npm run test-servers installs what is missing`;
  if (process.env.CI === 'true') {
    it(`${title}: ${reason}`, () => {
      throw new Error(reason);
    });
  } else it(`${title} (${reason})`);
}
