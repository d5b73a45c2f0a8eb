// Cluster stores: MongoDB for durable data, Redis for counters and locks of all processes.
import type { Feature } from '../feature.js';
import { createJobSlots } from '../jobs/job-slots.records.js';
import { createClosing, openFeatureStores } from './open-feature-stores.js';
import { ConfigError } from '../../../config/config-error.js';
import { createAuditOutbox } from './mongodb/audit-outbox.js';
import { openMongo } from './mongodb/connection.js';
import { migrate } from './mongodb/migrate.js';
import { MIGRATIONS } from './mongodb/migrations.js';
import { mongoTables } from './mongodb/tables.js';
import { hasTransferMark } from './mongodb/transfer-mark.js';
import { openRedis } from './redis/connection.js';
import { createRedisLocks } from './redis/locks.js';
import { announceProcess, type ServingProcess } from './redis/serving-processes.js';
import type { Stores } from './stores.js';
import { messageOf } from '../errors.js';
import { commandText } from '../command-text.js';

export interface ClusterAddresses {
  readonly mongodbUri: string;
  readonly redisUrl: string;
}

interface Options extends ClusterAddresses {
  readonly features: readonly Feature[];
  /** Time in ms since the epoch. */
  readonly now: () => number;
  /** Called when background work has failed. The work is repeated later. */
  readonly onError: (error: unknown, what: string) => void;
  /** Maximum number of clients for which the service keeps data in memory. */
  readonly maxClients?: number;
}

/**
 * Opens the stores for a process of the service. Rejects with ConfigError if a server cannot be reached, or if its data
 * cannot be used.
 */
export async function openServiceStores(options: Options): Promise<Stores> {
  return opened(options, async ({ redis }) => announceProcess(redis));
}

/** Opens the stores for a command. The service may be running. Rejects with ConfigError like `openServiceStores`. */
export async function openClusterStores(options: Options): Promise<Stores> {
  return opened(options, async () => undefined);
}

/**
 * Opens the stores, unless a transfer (a copy of all data into this database) is unfinished. This process first
 * registers itself by `announce`, and then looks for the mark of a transfer. A transfer first sets its mark, and then
 * looks for running processes. Therefore at least one of the two notices the other.
 */
async function opened(
  options: Options,
  announce: (servers: ClusterServers) => Promise<ServingProcess | undefined>,
): Promise<Stores> {
  const servers = await openClusterServers(options);
  try {
    const process = await reached('REDIS_URL', () => announce(servers));
    if (await hasTransferMark(servers.mongo.db)) {
      await process?.end();
      throw new ConfigError(
        'MONGODB_URI: a transfer into this database was not finished. Run it again ' +
          `(${commandText('migrate --to cluster')} or ${commandText('restore FILE')}), or use another database`,
      );
    }
    return await createClusterStores(servers, options, process);
  } catch (error) {
    await servers.close();
    throw error;
  }
}

export type ClusterServers = Awaited<ReturnType<typeof openClusterServers>>;

/** Connects to MongoDB and Redis, and migrates the database. Rejects with ConfigError. */
export async function openClusterServers({ mongodbUri, redisUrl }: ClusterAddresses) {
  const redis = await reached('REDIS_URL', () => openRedis(redisUrl));
  try {
    const mongo = await reached('MONGODB_URI', () => openMongo(mongodbUri));
    const close = async (): Promise<void> => {
      await redis.close();
      await mongo.close();
    };
    try {
      await reached('MONGODB_URI', () => migrate(mongo.db, MIGRATIONS));
      return { mongo, redis, close };
    } catch (error) {
      await mongo.close();
      throw error;
    }
  } catch (error) {
    await redis.close();
    throw error;
  }
}

function createClusterStores(
  { mongo, redis, close }: ClusterServers,
  options: Options,
  process: ServingProcess | undefined,
): Promise<Stores> {
  const { features, now, onError, maxClients } = options;
  const carried = createAuditOutbox(mongo.db, {
    owners: 'accounts',
    log: 'audit',
    onFailure: (error) => onError(error, 'moving security events failed'),
  });
  const closing = createClosing();
  const table = mongoTables(mongo, carried);
  return openFeatureStores(features, {
    parts: { table, now, onError, maxClients, carried, onClose: closing.add },
    family: (feature, parts) =>
      feature.cluster?.().then((open) => open({ ...parts, mongo, redis, clock: now === Date.now ? {} : { now } })),
    own: {
      jobSlots: createJobSlots(table, now),
      locks: createRedisLocks(redis),
      checks: { mongodb: () => mongo.check(), redis: () => redis.check() },
      signingSecret() {
        throw new ConfigError('JWT_SECRET: is not set; all processes of a cluster need the same secret');
      },
      readIntact: (read) => read(),
      async close() {
        await closing.run();
        await process?.end();
        await close();
      },
    },
  });
}

async function reached<Result>(variable: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw new ConfigError(`${variable}: ${messageOf(error)}`);
  }
}
