// Cluster stores (MongoDB and Redis) as source or target of a transfer.
import { ConfigError } from '../../config/config-error.js';
import { readPlans } from '../../config/plans.js';
import { createMongoAccountSource } from '../metering/account-source.mongodb.js';
import { createMongoUsageLedger } from '../metering/usage-ledger.mongodb.js';
import { createAuditOutbox, type AuditOutbox } from '../platform/stores/mongodb/audit-outbox.js';
import { mongoCatalogRows } from '../catalog/catalog-rows.mongodb.js';
import type { MongoConnection } from '../platform/stores/mongodb/connection.js';
import { orUnavailable } from '../platform/stores/mongodb/driver-error.js';
import { keepCollections, keptIds, newKeptPrefix } from '../platform/stores/mongodb/kept-collections.js';
import { migrate } from '../platform/stores/mongodb/migrate.js';
import { MIGRATIONS } from '../platform/stores/mongodb/migrations.js';
import { withSnapshotSession } from '../platform/stores/mongodb/snapshot.js';
import { mongoExportTables } from '../platform/stores/mongodb/export-tables.js';
import { mongoTables } from '../platform/stores/mongodb/tables.js';
import {
  hasTransferMark,
  markKept,
  MARKS,
  removeTransferMark,
  removeTransferred,
  setTransferMark,
  transferMark,
} from '../platform/stores/mongodb/transfer-mark.js';
import type { RedisConnection } from '../platform/stores/redis/connection.js';
import { createRedisQuotaAdmissions } from '../metering/quota-admissions.redis.js';
import { countProcesses } from '../platform/stores/redis/serving-processes.js';
import type { ExportTable } from '../platform/stores/export-tables.js';
import type { Side } from './transfer.js';
import { createCatalogStore } from '../catalog/catalog-store.records.js';
import { FEATURES } from '../features.js';
import { exportTableDefinitions, recordExportTables } from '../platform/stores/record-export-tables.js';
import { openClusterServers, type ClusterAddresses, type ClusterServers } from '../platform/stores/cluster-stores.js';

interface WriteOptions {
  /**
   * True to keep existing collections under another name and write new collections. False to throw an error if existing
   * collections have accounts.
   */
  readonly replace: boolean;
}

export interface ClusterSide extends Side {
  /**
   * Runs `work` on a consistent snapshot of accounts, their audit events, own brands and related data. Processes may
   * serve requests meanwhile. Rejects with SnapshotTooOldError if `work` takes too long.
   */
  atOneMoment<Result>(work: (side: Side) => Promise<Result>): Promise<Result>;
  /** Throws ConfigError if a process is running on these stores. */
  readonly assertStopped: () => Promise<void>;
  /** Writes the latest counters from Redis to MongoDB, and moves audit events from the accounts to the log. */
  settle(): Promise<void>;
  /**
   * Throws ConfigError if a process is running on these stores, or if they have accounts. Accounts that an aborted
   * transfer has written are allowed, because a new transfer deletes them.
   */
  readonly assertWritable: () => Promise<void>;
  /**
   * Prevents processes from starting until `endWriting`. Deletes what an aborted transfer has written. Returns the name
   * prefix of the kept collections, or undefined if no collections were kept. Throws ConfigError if a process is
   * running on these stores.
   */
  beginWriting(options: WriteOptions): Promise<string | undefined>;
  endWriting(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to MongoDB and Redis. Rejects with ConfigError if one of them cannot be used. */
export async function openClusterSide(addresses: ClusterAddresses): Promise<ClusterSide> {
  const servers = await openClusterServers(addresses);
  const { mongo, redis } = servers;
  const carried = createAuditOutbox(mongo.db, { owners: 'accounts', log: 'audit', onFailure: () => undefined });
  const table = mongoTables(mongo, carried);
  const recorded = await recordExportTables(FEATURES, { table, carried: () => carried.all() });
  const tables = [...recorded, ...mongoExportTables(mongo)];
  const histories = (await exportTableDefinitions(FEATURES))
    .filter(({ isHistory }) => isHistory)
    .map(({ definition }) => definition.name);
  const catalog = createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now: Date.now });
  return {
    tables: tables.map((table) => forgetting(redis, table)),
    catalog,
    assertStopped: () => assertStopped(redis),
    settle: () => settle(mongo, redis, carried),
    assertWritable: () => assertWritable(mongo, redis),
    beginWriting: (options) => beginWriting(servers, tables, options),
    endWriting: () => removeTransferMark(mongo.db),
    atOneMoment: (work) =>
      withSnapshotSession(mongo.client, async (session) => {
        const still = await recordExportTables(FEATURES, {
          table: mongoTables({ ...mongo, session }, carried),
          carried: () => carried.all(session),
        });
        const moment = new Map(
          still.filter(({ table: name }) => !histories.includes(name)).map((one) => [one.name, one]),
        );
        return work({ catalog, tables: tables.map((table) => moment.get(table.name) ?? table) });
      }),
    close: servers.close,
  };
}

async function assertStopped(redis: RedisConnection): Promise<void> {
  const count = await countProcesses(redis);
  if (count > 0)
    throw new ConfigError(
      `REDIS_URL: ${count} ${count === 1 ? 'process is' : 'processes are'} using it. Stop all processes first (a ` +
        'killed process counts for up to one minute)',
    );
}

async function assertWritable(mongo: MongoConnection, redis: RedisConnection): Promise<void> {
  await assertStopped(redis);
  if (!(await hasTransferMark(mongo.db)) && (await hasAccounts(mongo))) throw takenError();
}

async function hasAccounts({ db }: MongoConnection): Promise<boolean> {
  return (await orUnavailable(() => db.collection('accounts').findOne({}, { projection: { _id: 1 } }))) !== null;
}

function takenError(): ConfigError {
  return new ConfigError(
    'MONGODB_URI: the database already has accounts. Use another database, or --replace to rename the existing ' +
      'collections and keep them',
  );
}

async function beginWriting(
  servers: ClusterServers,
  tables: readonly ExportTable[],
  { replace }: WriteOptions,
): Promise<string | undefined> {
  const { mongo, redis } = servers;
  // The mark is set before the running processes are counted. A starting process first registers and then checks the
  // mark. Therefore either this count includes the process, or the process finds the mark.
  const isFirst = await setTransferMark(mongo.db);
  try {
    await assertStopped(redis);
    if (isFirst && (await hasAccounts(mongo))) {
      if (!replace) throw takenError();
      await markKept(mongo.db, { keptAs: newKeptPrefix() });
    }
  } catch (error) {
    if (isFirst) await removeTransferMark(mongo.db);
    throw error;
  }
  const mark = await transferMark(mongo.db);
  if (mark?.keptAs !== undefined && mark.areKept !== true) await keepReplaced(servers, mark.keptAs);
  else if (!isFirst)
    await removeTransferred(
      mongo.db,
      tables.map(({ table }) => table),
    );
  return mark?.keptAs;
}

/**
 * Keeps the replaced data: renames the collections so that their names begin with `prefix`, creates empty collections,
 * and removes cached data of the replaced accounts from Redis. A repeated call continues an aborted one.
 */
async function keepReplaced({ mongo: { db }, redis }: ClusterServers, prefix: string): Promise<void> {
  await keepCollections(db, prefix, MARKS);
  await migrate(db, MIGRATIONS);
  // Redis still has cached data of the replaced accounts. With this data, keys of the replaced accounts would still be
  // accepted.
  for (const { forgetInRedis } of FEATURES) {
    if (!forgetInRedis) continue;
    const forget = await forgetInRedis.load();
    for await (const ids of keptIds(db, prefix + forgetInRedis.table)) await forget(redis, ids);
  }
  await markKept(db, { areKept: true });
}

async function settle(mongo: MongoConnection, redis: RedisConnection, carried: AuditOutbox): Promise<void> {
  const admissions = createRedisQuotaAdmissions({
    redis,
    accounts: createMongoAccountSource(mongo),
    ledger: createMongoUsageLedger(mongo),
    plans: readPlans(),
  });
  await admissions.takeOver();
  await admissions.close();
  await carried.moveAll();
}

/** Wraps the table. Before rows are written, removes the cached data of their accounts from Redis. */
function forgetting(redis: RedisConnection, table: ExportTable): ExportTable {
  return {
    ...table,
    async write(rows) {
      const ids = rows.map(({ id }) => id);
      for (const { forgetInRedis } of FEATURES)
        if (forgetInRedis?.table === table.table) await (await forgetInRedis.load())(redis, ids);
      await table.write(rows);
    },
  };
}
