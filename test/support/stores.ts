// Embedded stores over a database that a test opens and closes.
import { readPlans } from '../../config/plans.js';
import { createEmbeddedStores } from '../../src/compose/embedded-stores.js';
import type { StoresEnv } from '../../src/compose/open-stores.js';
import type { Stores } from '../../src/compose/stores.js';
import type { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { migrate } from '../../src/platform/stores/sqlite/schema.js';
import { createEmbeddedUsageHistory } from '../../src/metering/usage-history.sqlite.js';
import { embeddedTables } from '../../src/platform/stores/sqlite/tables.js';
import { createRecordStores } from '../../src/compose/record-stores.js';

/** Environment of an embedded database in this folder. */
export function embeddedIn(dataDir: string): StoresEnv {
  return { DATA_DIR: dataDir, MONGODB_URI: '', REDIS_URL: '' };
}

/** Stores of records in a database with the tables of this release. `now` returns ms since the epoch. */
export function recordStores(db: ReturnType<typeof openDatabase>, now: () => number = Date.now) {
  return createRecordStores({ table: embeddedTables(db), usage: createEmbeddedUsageHistory(db), now });
}

interface Options {
  readonly db: ReturnType<typeof openDatabase>;
  readonly dataDir: string;
  /** ms since the epoch */
  readonly now: () => number;
}

export function testStores({ db, dataDir, now }: Options): Stores {
  migrate(db);
  return createEmbeddedStores(db, { dataDir, plans: readPlans(), now, onError: () => undefined }, () => undefined);
}
