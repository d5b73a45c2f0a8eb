// The stores of accounts in MongoDB over a database of their own, for what tests put beside them.
import { ACCOUNT_MIGRATIONS } from '../../src/adapters/mongodb/accounts/migrations.js';
import { createMongoAccountSource } from '../../src/adapters/mongodb/accounts/account-source.js';
import { createMongoAccountStore } from '../../src/adapters/mongodb/accounts/account-store.js';
import type { AdmissionRecords } from '../../src/adapters/mongodb/accounts/admission-records.js';
import { createMongoAuditLog } from '../../src/adapters/mongodb/accounts/audit-log.js';
import { openEventMover } from '../../src/adapters/mongodb/accounts/event-mover.js';
import { createMongoUsageHistory } from '../../src/adapters/mongodb/accounts/usage-history.js';
import { createMongoUsageLedger } from '../../src/adapters/mongodb/accounts/usage-ledger.js';
import { openMongo } from '../../src/adapters/mongodb/connection.js';
import { timeLimits } from '../../src/adapters/mongodb/driver-error.js';
import { migrate } from '../../src/adapters/mongodb/migrations.js';
import { mongoTables } from '../../src/adapters/mongodb/tables.js';
import { createRecordStores } from '../../src/stores/record-stores.js';

/** In this suite MongoDB has a minute for each request: what is promised there is not how fast a busy machine is. */
export function withPatience(): void {
  const usual = { ...timeLimits };
  before(() => void Object.assign(timeLimits, { requestMs: 60_000, writeMs: 60_000, attemptMs: 60_000 }));
  after(() => void Object.assign(timeLimits, usual));
}

type Live = Parameters<typeof createMongoUsageHistory>[0]['live'];

/** `uri` as of `MongoServers.uri()`; the database is dropped by `close`, if the server is there. */
export async function mongoAccountStores(uri: string) {
  const mongo = await openMongo(uri);
  await migrate(mongo.db, ACCOUNT_MIGRATIONS);
  const failures: unknown[] = [];
  const mover = openEventMover({ mongo, now: Date.now, onFailure: (error) => failures.push(error) });
  const table = mongoTables(mongo, (error) => failures.push(error));
  return {
    mongo,
    table,
    mover,
    /** Of the mover. */
    failures,
    accounts: (records: AdmissionRecords) => createMongoAccountStore({ mongo, records, mover }),
    source: createMongoAccountSource(mongo),
    ledger: createMongoUsageLedger(mongo),
    audit: createMongoAuditLog(mongo),
    history: (live: Live) => createMongoUsageHistory({ mongo, live }),
    ...createRecordStores(table, Date.now),
    records: (now: () => number) => createRecordStores(table, now),
    /** Further connections, as other processes have them, leave the database to the first. */
    async close({ drop = true }: { readonly drop?: boolean } = {}) {
      mover.close();
      if (drop) await mongo.db.dropDatabase().catch(() => undefined);
      await mongo.close();
    },
  };
}

export type MongoAccountStores = Awaited<ReturnType<typeof mongoAccountStores>>;
