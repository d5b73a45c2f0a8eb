// The cluster family as a side of a transfer.
import { ConfigError } from '../../config/config-error.js';
import { readPlans } from '../../config/plans.js';
import { createMongoAccountSource } from '../adapters/mongodb/accounts/account-source.js';
import { createMongoUsageLedger } from '../adapters/mongodb/accounts/usage-ledger.js';
import { createCarriedLog, type CarriedLog } from '../adapters/mongodb/carried-log.js';
import { mongoCatalogRows } from '../adapters/mongodb/catalog-rows.js';
import type { MongoConnection } from '../adapters/mongodb/connection.js';
import { mongoSections, VISITOR_COUNTERS } from '../adapters/mongodb/sections.js';
import { mongoTables } from '../adapters/mongodb/tables.js';
import {
  hasTransferMark,
  removeTransferMark,
  removeTransferred,
  setTransferMark,
} from '../adapters/mongodb/transfer-mark.js';
import type { RedisConnection } from '../adapters/redis/connection.js';
import { removeKnownAccounts, removeKnownCounters } from '../adapters/redis/accounts/remove-known.js';
import { createRedisQuotaAdmissions } from '../adapters/redis/accounts/quota-admissions.js';
import { countProcesses } from '../adapters/redis/serving-processes.js';
import type { AccountId } from '../domain/account/account.js';
import type { CounterName } from '../domain/visitor-counter/counter.js';
import type { Section } from '../ports/sections.js';
import type { Side } from '../services/transfer/transfer.js';
import { createCatalogStore } from '../stores/catalog/catalog-store.js';
import { ACCOUNTS } from '../stores/account-store.js';
import { recordSections } from '../stores/record-sections.js';
import { openClusterServers, type ClusterAddresses } from './cluster-stores.js';

export interface ClusterSide extends Side {
  /** Throws ConfigError while a process serves. */
  readonly assertStopped: () => Promise<void>;
  /** Writes what Redis has counted and MongoDB does not have yet, and moves security events into their log. */
  settle(): Promise<void>;
  /** Throws ConfigError while a process serves, or when there are accounts that no transfer has left. */
  readonly assertWritable: () => Promise<void>;
  /** As `assertWritable`; from then on no process starts until `endWriting`. Removes what a transfer that was broken off has left. */
  beginWriting(): Promise<void>;
  endWriting(): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with ConfigError when a server cannot be used. */
export async function openClusterSide(addresses: ClusterAddresses): Promise<ClusterSide> {
  const servers = await openClusterServers(addresses);
  const { mongo, redis } = servers;
  const carried = createCarriedLog(mongo.db, { owners: 'accounts', log: 'audit', onFailure: () => undefined });
  const table = mongoTables(mongo, carried);
  const sections = [...recordSections(table), ...mongoSections(mongo)];
  return {
    sections: sections.map((section) => forgetting(redis, section)),
    catalog: createCatalogStore({ table, rows: mongoCatalogRows(mongo.db), now: Date.now }),
    assertStopped: () => assertStopped(redis),
    settle: () => settle(mongo, redis, carried),
    assertWritable: () => assertWritable(mongo, redis),
    beginWriting: () => beginWriting(mongo, redis, sections),
    endWriting: () => removeTransferMark(mongo.db),
    close: servers.close,
  };
}

async function assertStopped(redis: RedisConnection): Promise<void> {
  const count = await countProcesses(redis);
  if (count > 0)
    throw new ConfigError(
      `REDIS_URL: ${count} ${count === 1 ? 'process serves' : 'processes serve'} with it; stop all (one that was killed counts for a minute)`,
    );
}

async function assertWritable(mongo: MongoConnection, redis: RedisConnection): Promise<void> {
  await assertStopped(redis);
  if (!(await hasTransferMark(mongo.db))) await assertNoAccounts(mongo);
}

async function assertNoAccounts({ db }: MongoConnection): Promise<void> {
  if ((await db.collection('accounts').estimatedDocumentCount()) > 0)
    throw new ConfigError(
      'MONGODB_URI: the database has accounts already; name another database, or drop this one first',
    );
}

async function beginWriting(
  mongo: MongoConnection,
  redis: RedisConnection,
  sections: readonly Section[],
): Promise<void> {
  // Before the processes are counted: one that starts looks for the mark after it has been counted.
  const isFirst = await setTransferMark(mongo.db);
  try {
    await assertStopped(redis);
    if (isFirst) await assertNoAccounts(mongo);
    else
      await removeTransferred(
        mongo.db,
        sections.map(({ table }) => table),
      );
  } catch (error) {
    if (isFirst) await removeTransferMark(mongo.db);
    throw error;
  }
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
