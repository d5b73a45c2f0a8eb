// Account stores in a new MongoDB database.
import { createMongoAccountSource } from '../../src/metering/account-source.mongodb.js';
import { createMongoUsageHistory } from '../../src/metering/usage-history.mongodb.js';
import { createMongoUsageLedger } from '../../src/metering/usage-ledger.mongodb.js';
import { createAuditOutbox } from '../../src/platform/stores/mongodb/audit-outbox.js';
import { openMongo } from '../../src/platform/stores/mongodb/connection.js';
import { timeLimits } from '../../src/platform/stores/mongodb/driver-error.js';
import { migrate } from '../../src/platform/stores/mongodb/migrate.js';
import { MIGRATIONS } from '../../src/platform/stores/mongodb/migrations.js';
import { mongoTables } from '../../src/platform/stores/mongodb/tables.js';
import type { AdmissionRecords } from '../../src/metering/admission-records.js';
import { invalidatingAccountStore } from '../../src/metering/invalidating-account-store.records.js';
import { createRecordStores } from './features.js';

/** Raises the time limits of MongoDB requests to a minute for these tests, because they do not test speed. */
export function withPatience(): void {
  const usual = { ...timeLimits };
  before(() => void Object.assign(timeLimits, { requestMs: 60_000, writeMs: 60_000, attemptMs: 60_000 }));
  after(() => void Object.assign(timeLimits, usual));
}

type Live = Parameters<typeof createMongoUsageHistory>[0]['live'];

/** Opens the stores. `uri` comes from `MongoServers.uri()`. `close` drops the database if the server is reachable. */
export async function mongoAccountStores(uri: string) {
  const mongo = await openMongo(uri);
  await migrate(mongo.db, MIGRATIONS);
  const failures: unknown[] = [];
  const usage = createMongoUsageHistory({ mongo, live: async () => [] });
  const onFailure = (error: unknown): void => void failures.push(error);
  const carried = createAuditOutbox(mongo.db, { owners: 'accounts', log: 'audit', onFailure });
  const table = mongoTables(mongo, carried);
  const records = (now: () => number) => createRecordStores({ table, beside: { usage }, now, carried });
  const stores = records(Date.now);
  return {
    mongo,
    table,
    /** Errors about audit events that could not be moved to the audit log. */
    failures,
    source: createMongoAccountSource(mongo),
    ledger: createMongoUsageLedger(mongo),
    history: (live: Live) => createMongoUsageHistory({ mongo, live }),
    ...stores,
    accounts: (announced: AdmissionRecords) => invalidatingAccountStore(stores.accounts, announced),
    records,
    /**
     * Closes the connection. Pass `drop: false` for additional connections, because the first connection drops the
     * database.
     */
    async close({ drop = true }: { readonly drop?: boolean } = {}) {
      if (drop) await mongo.db.dropDatabase().catch(() => undefined);
      await mongo.close();
    },
  };
}

export type MongoAccountStores = Awaited<ReturnType<typeof mongoAccountStores>>;
