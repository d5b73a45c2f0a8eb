// The cluster family as a side of a transfer.
import { ConfigError } from '../../config/config-error.js';
import { readPlans } from '../../config/plans.js';
import { createMongoAccountSource } from '../accounts/account-source.mongodb.js';
import { createMongoUsageLedger } from '../metering/usage-ledger.mongodb.js';
import { createCarriedLog, type CarriedLog } from '../platform/stores/mongodb/carried-log.js';
import { mongoCatalogRows } from '../catalog/catalog-rows.mongodb.js';
import type { MongoConnection } from '../platform/stores/mongodb/connection.js';
import { orUnavailable } from '../platform/stores/mongodb/driver-error.js';
import { keepCollections, keptIds, newKeptPrefix } from '../platform/stores/mongodb/kept-collections.js';
import { migrate } from '../platform/stores/mongodb/migrate.js';
import { MIGRATIONS } from '../platform/stores/mongodb/migrations.js';
import { withSnapshotSession } from '../platform/stores/mongodb/snapshot.js';
import { mongoSections, VISITOR_COUNTERS } from '../platform/stores/mongodb/sections.js';
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
import { removeKnownAccounts, removeKnownCounters } from '../metering/remove-known.redis.js';
import { createRedisQuotaAdmissions } from '../metering/quota-admissions.redis.js';
import { countProcesses } from '../platform/stores/redis/serving-processes.js';
import type { AccountId } from '../accounts/account.js';
import type { CounterName } from '../visitor-counters/counter.js';
import type { Section } from '../platform/stores/sections.js';
import type { Side } from './transfer.js';
import { createCatalogStore } from '../catalog/catalog-store.records.js';
import { ACCOUNTS } from '../accounts/account-store.records.js';
import { MISSING_NAMES } from '../missing-names/missing-name-store.records.js';
import { recordSections } from '../compose/record-sections.js';
import { RESPONSES } from '../metering/response-history.records.js';
import { openClusterServers, type ClusterAddresses, type ClusterServers } from '../compose/cluster-stores.js';

interface WriteOptions {
  /** Collections with accounts are kept under other names; else they are an error. */
  readonly replace: boolean;
}

export interface ClusterSide extends Side {
  /**
   * Runs `work` with accounts, their events, own brands and all else that belongs together as they were at one moment, while processes
   * serve. Rejects with SnapshotTooOldError when it takes too long.
   */
  atOneMoment<Result>(work: (side: Side) => Promise<Result>): Promise<Result>;
  /** Throws ConfigError while a process serves. */
  readonly assertStopped: () => Promise<void>;
  /** Writes what Redis has counted and MongoDB does not have yet, and moves security events into their log. */
  settle(): Promise<void>;
  /** Throws ConfigError while a process serves, or when there are accounts that no transfer has left. */
  readonly assertWritable: () => Promise<void>;
  /**
   * From then on no process starts until `endWriting`. Removes what a transfer that was broken off has left. Returns the beginning of the
   * names under which collections with accounts are kept; undefined when there were none. Throws ConfigError while a process serves.
   */
  beginWriting(options: WriteOptions): Promise<string | undefined>;
  endWriting(): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with ConfigError when a server cannot be used. */
export async function openClusterSide(addresses: ClusterAddresses): Promise<ClusterSide> {
  const servers = await openClusterServers(addresses);
  const { mongo, redis } = servers;
  const carried = createCarriedLog(mongo.db, { owners: 'accounts', log: 'audit', onFailure: () => undefined });
  const table = mongoTables(mongo, carried);
  const sections = [...recordSections(table, () => carried.all()), ...mongoSections(mongo)];
  const catalog = createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now: Date.now });
  return {
    sections: sections.map((section) => forgetting(redis, section)),
    catalog,
    assertStopped: () => assertStopped(redis),
    settle: () => settle(mongo, redis, carried),
    assertWritable: () => assertWritable(mongo, redis),
    beginWriting: (options) => beginWriting(servers, sections, options),
    endWriting: () => removeTransferMark(mongo.db),
    atOneMoment: (work) =>
      withSnapshotSession(mongo.client, (session) => {
        const still = recordSections(mongoTables({ ...mongo, session }, carried), () => carried.all(session));
        const moment = new Map(
          still.filter(({ table: name }) => !HISTORIES.includes(name)).map((one) => [one.name, one]),
        );
        return work({ catalog, sections: sections.map((section) => moment.get(section.name) ?? section) });
      }),
    close: servers.close,
  };
}

/** Tables of many rows to which no other refers: reading them takes longer than MongoDB keeps a moment. */
const HISTORIES: readonly string[] = [RESPONSES.name, MISSING_NAMES.name];

async function assertStopped(redis: RedisConnection): Promise<void> {
  const count = await countProcesses(redis);
  if (count > 0)
    throw new ConfigError(
      `REDIS_URL: ${count} ${count === 1 ? 'process serves' : 'processes serve'} with it; stop all (one that was killed counts for a minute)`,
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
    'MONGODB_URI: the database has accounts already; name another database, or --replace to keep its collections under other names',
  );
}

async function beginWriting(
  servers: ClusterServers,
  sections: readonly Section[],
  { replace }: WriteOptions,
): Promise<string | undefined> {
  const { mongo, redis } = servers;
  // Before the processes are counted: one that starts looks for the mark after it has been counted.
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
      sections.map(({ table }) => table),
    );
  return mark?.keptAs;
}

/** Continues where a command that was broken off has stopped. */
async function keepReplaced({ mongo: { db }, redis }: ClusterServers, prefix: string): Promise<void> {
  await keepCollections(db, prefix, MARKS);
  await migrate(db, MIGRATIONS);
  // Redis would go on admitting keys of accounts that the new database does not have.
  for await (const ids of keptIds(db, prefix + ACCOUNTS.name)) await removeKnownAccounts(redis, ids as AccountId[]);
  for await (const names of keptIds(db, prefix + VISITOR_COUNTERS))
    await removeKnownCounters(redis, names as CounterName[]);
  await markKept(db, { areKept: true });
}

async function settle(mongo: MongoConnection, redis: RedisConnection, carried: CarriedLog): Promise<void> {
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

/** Records of accounts and counters of an earlier time in Redis are removed when new ones are written. */
function forgetting(redis: RedisConnection, section: Section): Section {
  return {
    ...section,
    async write(rows) {
      const ids = rows.map(({ id }) => id);
      if (section.table === ACCOUNTS.name) await removeKnownAccounts(redis, ids as AccountId[]);
      if (section.table === VISITOR_COUNTERS) await removeKnownCounters(redis, ids as CounterName[]);
      await section.write(rows);
    },
  };
}
