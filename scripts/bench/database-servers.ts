// Starts Redis and mongod for measurements, on free ports, with empty folders and with the durability of production.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { findBinary, installMissingServers } from '../server-binaries.js';
import { freePort, startServerProcess } from '../server-process.js';
import { temporaryData, type Variables } from './service.js';

/** Work that the servers have done since their start. */
interface ServerWork {
  /**
   * Number of times that Redis has read data from a connection. Commands that arrive in one packet count as one read.
   */
  readonly redisReads: number;
  /** Number of commands that read or write data. Commands for connections and replication are not counted. */
  readonly mongoCommands: number;
}

export type DatabaseServers = Awaited<ReturnType<typeof startDatabaseServers>>;

export async function startDatabaseServers() {
  installMissingServers();
  const [data, redisData, mongoData] = [temporaryData(), temporaryData(), temporaryData()];
  const [redisPort, mongoPort] = [await freePort(), await freePort()];
  const redis = await startServerProcess({
    binary: findBinary('redis-server') ?? 'redis-server',
    port: redisPort,
    args: [
      ...['--port', String(redisPort), '--bind', '127.0.0.1', '--dir', redisData.path],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '', '--maxmemory-policy', 'noeviction'],
    ],
  });
  const mongod = await startServerProcess({
    binary: findBinary('mongod') ?? 'mongod',
    port: mongoPort,
    args: [
      ...['--port', String(mongoPort), '--bind_ip', '127.0.0.1', '--dbpath', mongoData.path, '--replSet', 'rs0'],
      ...['--wiredTigerCacheSizeGB', '1', '--nounixsocket'],
    ],
  });
  const admin = new MongoClient(`mongodb://127.0.0.1:${mongoPort}/?directConnection=true`);
  const command = (sent: object) => admin.db('admin').command({ ...sent });
  await command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: `127.0.0.1:${mongoPort}` }] } });
  while ((await command({ hello: 1 })).isWritablePrimary !== true) await sleep(50);
  const client = new Redis(redisPort, '127.0.0.1');
  /** Environment of a service that uses these servers. */
  const variables: Variables = {
    DATA_DIR: data.path,
    MONGODB_URI: `mongodb://127.0.0.1:${mongoPort}/blazon?replicaSet=rs0`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    JWT_SECRET: 'a secret that only measurements know',
  };
  return {
    variables,
    async work(): Promise<ServerWork> {
      const { commands } = (await command({ serverStatus: 1 })).metrics as {
        readonly commands: Readonly<Record<string, { readonly total?: unknown } | undefined>>;
      };
      const counted = ['find', 'aggregate', 'getMore', 'insert', 'update', 'delete', 'findAndModify'];
      return {
        redisReads: Number(/^total_reads_processed:(\d+)/m.exec(await client.info('stats'))?.[1]),
        mongoCommands: counted.reduce((sum, name) => sum + Number(commands[name]?.total ?? 0), 0),
      };
    },
    async stop(): Promise<void> {
      client.disconnect();
      await admin.close();
      await Promise.all([redis.kill(), mongod.kill()]);
      for (const { remove } of [data, redisData, mongoData]) remove();
    },
  };
}
