// Embedded stores with a database that the test opens and closes.
import { FEATURES } from '../../src/features.js';
import { createEmbeddedStores } from '../../src/platform/stores/embedded-stores.js';
import type { StoresEnv } from '../../src/platform/stores/open-stores.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import type { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { migrate } from '../../src/platform/stores/sqlite/schema.js';
import { createEmbeddedUsageHistory } from '../../src/metering/usage-history.sqlite.js';
import { embeddedTables } from '../../src/platform/stores/sqlite/tables.js';
import { createRecordStores } from './features.js';

/** Returns the variables of an embedded database in this folder. */
export function embeddedIn(dataDir: string): StoresEnv {
  return { DATA_DIR: dataDir, MONGODB_URI: '', REDIS_URL: '' };
}

/** Opens all stores that use `Tables`, in a database with the current schema. `now` returns ms since the epoch. */
export function recordStores(db: ReturnType<typeof openDatabase>, now: () => number = Date.now) {
  return createRecordStores({ table: embeddedTables(db), beside: { usage: createEmbeddedUsageHistory(db) }, now });
}

interface Options {
  readonly db: ReturnType<typeof openDatabase>;
  readonly dataDir: string;
  /** Returns the current time, ms since the epoch. */
  readonly now: () => number;
}

export async function testStores({ db, dataDir, now }: Options): Promise<Stores> {
  migrate(db);
  return createEmbeddedStores(db, { dataDir, features: FEATURES, now, onError: () => undefined }, () => undefined);
}
