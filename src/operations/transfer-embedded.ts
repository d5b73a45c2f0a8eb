// Embedded store (SQLite) as source or target of a transfer: the database itself, or a snapshot.
import { existsSync } from 'node:fs';
import { ConfigError } from '../../config/config-error.js';
import { migrate } from '../platform/stores/sqlite/schema.js';
import { embeddedExportTables } from '../platform/stores/sqlite/export-tables.js';
import { removeLeftSnapshots } from '../platform/stores/sqlite/snapshot.js';
import { databasePath, lockDataDir, openDatabase } from '../platform/stores/sqlite/database.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';
import { embeddedTables } from '../platform/stores/sqlite/tables.js';
import type { Side } from './transfer.js';
import { embeddedCatalog } from '../catalog/stores.embedded.js';
import { FEATURES } from '../features.js';
import { recordExportTables } from '../platform/stores/record-export-tables.js';
import { namingFullDisk, writable } from '../platform/stores/embedded-stores.js';

export {
  discardSnapshot,
  NoRoomError,
  openSnapshot,
  putInPlace,
  snapshotFault,
  writeSnapshot,
  type Snapshot,
} from '../platform/stores/sqlite/snapshot.js';
export { namingFullDisk };
export type { Database };

export async function embeddedSide(db: Database): Promise<Side> {
  migrate(db);
  const recorded = await recordExportTables(FEATURES, { table: embeddedTables(db) });
  return {
    tables: [...recorded, ...embeddedExportTables(db)],
    catalog: embeddedCatalog(db, Date.now),
  };
}

export function databaseIn(dataDir: string): string | undefined {
  const path = databasePath(dataDir);
  return existsSync(path) ? path : undefined;
}

/** Opens the database. Throws ConfigError if there is no database. */
export function openEmbedded(dataDir: string): Database {
  if (databaseIn(dataDir) === undefined)
    throw new ConfigError(`DATA_DIR: there is no database in ${dataDir}. Check the path`);
  return writable(dataDir, () => openDatabase(dataDir));
}

/**
 * Runs `work` while the folder is locked, so that no service can start in this folder. Throws ConfigError if a service
 * is using the folder.
 */
export async function whileStopped<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const lock = writable(dataDir, () => lockDataDir(dataDir));
  if (!lock) throw new ConfigError(`DATA_DIR: a Blazon process is using ${dataDir}. Stop it first`);
  try {
    removeLeftSnapshots(dataDir);
    return await work();
  } finally {
    lock.release();
  }
}
