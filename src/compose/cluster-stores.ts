// The cluster family of stores: MongoDB keeps what must last, Redis counts and locks for all processes.
import { ConfigError } from '../../config/config-error.js';
import type { Plans } from '../accounts/plan.js';
import { createMongoAccountSource } from '../accounts/account-source.mongodb.js';
import { createMongoUsageHistory } from '../metering/usage-history.mongodb.js';
import { createMongoUsageLedger } from '../metering/usage-ledger.mongodb.js';
import { createCarriedLog } from '../platform/stores/mongodb/carried-log.js';
import { mongoCatalogRows } from '../catalog/catalog-rows.mongodb.js';
import { openMongo } from '../platform/stores/mongodb/connection.js';
import { createMongoCounterLedger } from '../visitor-counters/counter-ledger.mongodb.js';
import { migrate } from '../platform/stores/mongodb/migrate.js';
import { MIGRATIONS } from '../platform/stores/mongodb/migrations.js';
import { mongoTables } from '../platform/stores/mongodb/tables.js';
import { hasTransferMark } from '../platform/stores/mongodb/transfer-mark.js';
import { createAdmissionRecords } from '../metering/admission-records.redis.js';
import { openRedis } from '../platform/stores/redis/connection.js';
import { createRedisLocks } from '../platform/stores/redis/locks.js';
import { createRedisQuotaAdmissions } from '../metering/quota-admissions.redis.js';
import { createRedisRateLimits } from '../accounts/rate-limits.redis.js';
import { announceProcess, type ServingProcess } from '../platform/stores/redis/serving-processes.js';
import { createRedisVisitorCounters } from '../visitor-counters/visitor-counters.redis.js';
import { announcedAccounts } from '../accounts/announced-accounts.records.js';
import { createCatalogStore } from '../catalog/catalog-store.records.js';
import { createRecordStores } from './record-stores.js';
import type { Stores } from './stores.js';
import { messageOf } from '../platform/errors.js';
import { commandText } from '../platform/installation.js';

export interface ClusterAddresses {
  readonly mongodbUri: string;
  readonly redisUrl: string;
}

interface Options extends ClusterAddresses {
  readonly plans: Plans;
  /** ms since the epoch */
  readonly now: () => number;
  /** Work in the background failed, and is tried again. */
  readonly onError: (error: unknown, what: string) => void;
  /** Of the service. */
  readonly maxClients?: number;
}

/** For the service, one of any number of processes. Rejects with ConfigError when a server cannot be reached or its data not be used. */
export async function openServiceStores(options: Options): Promise<Stores> {
  return opened(options, async ({ redis }) => announceProcess(redis));
}

/** For a command, whether or not processes serve. Rejects with ConfigError as `openServiceStores` does. */
export async function openClusterStores(options: Options): Promise<Stores> {
  return opened(options, async () => undefined);
}

/** `announce` comes before the mark is read: a transfer looks for processes after it has set the mark. */
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
        `MONGODB_URI: a transfer into this database was not finished; run it again (${commandText('migrate --to cluster')} or ${commandText('restore FILE')}), or name another database`,
      );
    }
    return createClusterStores(servers, options, process);
  } catch (error) {
    await servers.close();
    throw error;
  }
}

export type ClusterServers = Awaited<ReturnType<typeof openClusterServers>>;

/** Both servers, migrated. Rejects with ConfigError. */
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
): Stores {
  const { plans, now, onError, maxClients } = options;
  // The servers' clock is the same for all processes; tests have one of their own.
  const clock = now === Date.now ? {} : { now };
  const admissions = createRedisQuotaAdmissions({
    redis,
    accounts: createMongoAccountSource(mongo),
    ledger: createMongoUsageLedger(mongo),
    plans,
    maxClients,
    ...clock,
    onFlushError: (error) => onError(error, 'writing the usage counters failed'),
  });
  const visitorCounters = createRedisVisitorCounters({
    redis,
    ledger: createMongoCounterLedger(mongo),
    ...clock,
    onFlushError: (error) => onError(error, 'writing the visitor counters failed'),
  });
  const usage = createMongoUsageHistory({ mongo, live: (id) => admissions.liveUsage(id) });
  const carried = createCarriedLog(mongo.db, {
    owners: 'accounts',
    log: 'audit',
    onFailure: (error) => onError(error, 'moving security events failed'),
  });
  const table = mongoTables(mongo, carried);
  const records = createRecordStores({ table, usage, now, carried });
  return {
    ...records,
    accounts: announcedAccounts(records.accounts, createAdmissionRecords(redis)),
    admissions,
    catalog: createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now }),
    locks: createRedisLocks(redis),
    rateLimits: createRedisRateLimits(redis, clock),
    usage,
    visitorCounters,
    checks: { mongodb: () => mongo.check(), redis: () => redis.check() },
    signingSecret() {
      throw new ConfigError('JWT_SECRET: is not set; the cluster needs one, the same for all processes');
    },
    readIntact: (read) => read(),
    async close() {
      await admissions.close().catch((error: unknown) => onError(error, 'writing the usage counters failed'));
      await visitorCounters.close().catch((error: unknown) => onError(error, 'writing the visitor counters failed'));
      await process?.end();
      await close();
    },
  };
}

async function reached<Result>(variable: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw new ConfigError(`${variable}: ${messageOf(error)}`);
  }
}
