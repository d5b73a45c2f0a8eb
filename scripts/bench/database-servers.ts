// Redis and mongod as measurements use them: on free ports, with empty folders, durable as in production.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { findBinary, installMissingServers, type ServerName } from '../server-binaries.js';
import { freePort, startServerProcess, type ServerProcess } from '../server-process.js';
import { temporaryData } from './service.js';

/** Work that the servers did since they were started. */
export interface ServerWork {
  /** Times that Redis read from a connection: a pipeline is one, if it fits one packet. */
  readonly redisReads: number;
  /** By name; those that scripts called are among them. */
  readonly redisCalls: Readonly<Record<string, number>>;
  /** By name, without those of connections and replication. */
  readonly mongoCommands: Readonly<Record<string, number>>;
}

export interface DatabaseServers {
  /** Environment of a service of the cluster family. */
  readonly variables: Readonly<Record<'MONGODB_URI' | 'REDIS_URL' | 'JWT_SECRET', string>>;
  readonly redisPid: number;
  readonly mongoPid: number;
  work(): Promise<ServerWork>;
  stop(): Promise<void>;
}

/** What is shared by the measurements. */
export interface Cluster {
  readonly servers: DatabaseServers;
  /** Environment of a service. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of accounts without limits. */
  readonly keys: readonly string[];
}

export async function startDatabaseServers(): Promise<DatabaseServers> {
  installMissingServers();
  const [redisData, mongoData] = [temporaryData(), temporaryData()];
  const [redisPort, mongoPort] = [await freePort(), await freePort()];
  const redis = await started('redis-server', redisPort, [
    ...['--port', String(redisPort), '--bind', '127.0.0.1', '--dir', redisData.path],
    ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--maxmemory-policy', 'noeviction'],
  ]);
  const mongod = await started('mongod', mongoPort, [
    ...['--port', String(mongoPort), '--bind_ip', '127.0.0.1', '--dbpath', mongoData.path, '--replSet', 'rs0'],
    ...['--wiredTigerCacheSizeGB', '1', '--nounixsocket'],
  ]);
  const admin = new MongoClient(`mongodb://127.0.0.1:${mongoPort}/?directConnection=true`);
  await admin.db('admin').command({
    replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${mongoPort}` }] },
  });
  while ((await admin.db('admin').command({ hello: 1 })).isWritablePrimary !== true) await sleep(50);
  const client = new Redis(redisPort, '127.0.0.1');
  return {
    variables: {
      MONGODB_URI: `mongodb://127.0.0.1:${mongoPort}/blazon?replicaSet=rs0`,
      REDIS_URL: `redis://127.0.0.1:${redisPort}`,
      JWT_SECRET: 'a secret that only measurements know',
    },
    redisPid: redis.pid(),
    mongoPid: mongod.pid(),
    work: async () => ({ ...(await redisWork(client)), mongoCommands: await mongoCommands(admin) }),
    async stop() {
      client.disconnect();
      await admin.close();
      await Promise.all([redis.kill(), mongod.kill()]);
      redisData.remove();
      mongoData.remove();
    },
  };
}

async function redisWork(client: Redis): Promise<Omit<ServerWork, 'mongoCommands'>> {
  const stats = await client.info('stats');
  const calls = (await client.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
  return {
    redisReads: Number(/^total_reads_processed:(\d+)/m.exec(stats)?.[1]),
    redisCalls: Object.fromEntries([...calls].map(([, name = '', count]) => [name, Number(count)])),
  };
}

const WORK_OF_MONGO = ['find', 'aggregate', 'getMore', 'insert', 'update', 'delete', 'findAndModify'];

async function mongoCommands(admin: MongoClient): Promise<Record<string, number>> {
  const status = await admin.db('admin').command({ serverStatus: 1 });
  const { commands } = status.metrics as { commands: Record<string, { total?: unknown } | undefined> };
  return Object.fromEntries(WORK_OF_MONGO.map((name) => [name, Number(commands[name]?.total ?? 0)]));
}

/** Of each name, how much more the later has. */
export function increase(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  const entries = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}

const started = (name: ServerName, port: number, args: readonly string[]): Promise<ServerProcess> =>
  startServerProcess({ binary: findBinary(name) ?? name, port, args });
