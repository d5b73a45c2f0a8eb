// The cluster family of stores: MongoDB keeps what must last, Redis counts and locks for all processes.
import { ConfigError } from '../../config/config-error.js';
import type { Plans } from '../domain/metering/plan.js';
import { createMongoAccountSource } from '../adapters/mongodb/accounts/account-source.js';
import { ACCOUNT_MIGRATIONS } from '../adapters/mongodb/accounts/migrations.js';
import { createMongoUsageHistory } from '../adapters/mongodb/accounts/usage-history.js';
import { createMongoUsageLedger } from '../adapters/mongodb/accounts/usage-ledger.js';
import { createMongoCatalogStore } from '../adapters/mongodb/catalog/catalog-store.js';
import { CATALOG_MIGRATIONS } from '../adapters/mongodb/catalog/migrations.js';
import { createCarriedLog } from '../adapters/mongodb/carried-log.js';
import { openMongo, type MongoConnection } from '../adapters/mongodb/connection.js';
import { createMongoCounterLedger } from '../adapters/mongodb/counter-ledger.js';
import { migrate } from '../adapters/mongodb/migrations.js';
import { mongoTables } from '../adapters/mongodb/tables.js';
import { createAdmissionRecords } from '../adapters/redis/admission-records.js';
import { openRedis, type RedisConnection } from '../adapters/redis/connection.js';
import { createRedisLocks } from '../adapters/redis/locks.js';
import { createRedisQuotaAdmissions } from '../adapters/redis/quota-admissions.js';
import { createRedisRateLimits } from '../adapters/redis/rate-limits.js';
import { createRedisVisitorCounters } from '../adapters/redis/visitor-counters.js';
import { announcedAccounts } from '../stores/announced-accounts.js';
import { createRecordStores } from '../stores/record-stores.js';
import type { Stores } from '../ports/stores.js';

interface Options {
  readonly mongodbUri: string;
  readonly redisUrl: string;
  readonly plans: Plans;
  /** ms since the epoch */
  readonly now: () => number;
  /** Work in the background failed, and is tried again. */
  readonly onError: (error: unknown, what: string) => void;
}

const MIGRATIONS = [...ACCOUNT_MIGRATIONS, ...CATALOG_MIGRATIONS];

/** For any number of processes. Rejects with ConfigError when a server cannot be reached or its data not be used. */
export async function openClusterStores(options: Options): Promise<Stores> {
  const redis = await reached('REDIS_URL', () => openRedis(options.redisUrl));
  try {
    const mongo = await reached('MONGODB_URI', () => openMongo(options.mongodbUri));
    try {
      await reached('MONGODB_URI', () => migrate(mongo.db, MIGRATIONS));
      return createClusterStores(mongo, redis, options);
    } catch (error) {
      await mongo.close();
      throw error;
    }
  } catch (error) {
    await redis.close();
    throw error;
  }
}

function createClusterStores(mongo: MongoConnection, redis: RedisConnection, options: Options): Stores {
  const { plans, now, onError } = options;
  // The servers' clock is the same for all processes; tests have one of their own.
  const clock = now === Date.now ? {} : { now };
  const admissions = createRedisQuotaAdmissions({
    redis,
    accounts: createMongoAccountSource(mongo),
    ledger: createMongoUsageLedger(mongo),
    plans,
    ...clock,
    onFlushError: (error) => onError(error, 'writing the usage counters failed'),
  });
  const visitorCounters = createRedisVisitorCounters({
    redis,
    ledger: createMongoCounterLedger(mongo),
    ...clock,
    onFlushError: (error) => onError(error, 'writing the visitor counters failed'),
  });
  const usage = createMongoUsageHistory({
    mongo,
    live: (id) => admissions.liveUsage(id),
  });
  const records = createRecordStores({
    table: mongoTables(mongo, (error) => onError(error, 'moving security events failed')),
    usage,
    now,
    carried: createCarriedLog(mongo.db, { owners: 'accounts', log: 'audit' }),
  });
  return {
    ...records,
    accounts: announcedAccounts(records.accounts, createAdmissionRecords(redis)),
    admissions,
    catalog: createMongoCatalogStore(mongo.db, now),
    locks: createRedisLocks(redis),
    rateLimits: createRedisRateLimits(redis, clock),
    usage,
    visitorCounters,
    checks: { mongodb: () => mongo.check(), redis: () => redis.check() },
    signingSecret() {
      throw new ConfigError('JWT_SECRET: is not set; the cluster needs one, the same for all processes');
    },
    orDamaged: (read) => read(),
    async close() {
      await admissions.close().catch((error: unknown) => onError(error, 'writing the usage counters failed'));
      await visitorCounters.close().catch((error: unknown) => onError(error, 'writing the visitor counters failed'));
      await redis.close();
      await mongo.close();
    },
  };
}

async function reached<Result>(variable: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    throw new ConfigError(`${variable}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
