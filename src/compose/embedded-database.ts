// The embedded database, opened for the service that owns its folder, or for a command beside it.
import { statSync } from 'node:fs';
import { ConfigError } from '../../config/config-error.js';
import { migrateCatalog } from '../adapters/embedded/catalog/schema.js';
import { databasePath, lockDataDir, openDatabase } from '../adapters/embedded/sqlite/database.js';
import type { Database } from '../adapters/embedded/sqlite/guarded-database.js';
import { findDamage, isEmptied } from '../adapters/embedded/sqlite/integrity.js';
import { migrateAccounts } from '../adapters/embedded/schema.js';
import { damageOf } from '../adapters/embedded/sqlite/sqlite-error.js';
import { migrateWriteProbe } from '../adapters/embedded/sqlite/write-probe.js';

/** A command may wait for its turn to write much longer than the service, which answers nobody while it waits. */
const COMMAND_BUSY_TIMEOUT_MS = 15_000;

/**
 * Of the one service on this folder. Throws ConfigError when there is another, the folder is of no use, or its database
 * is damaged.
 */
export function openServiceDatabase(dataDir: string): { readonly db: Database; readonly close: () => void } {
  const lock = writable(dataDir, () => lockDataDir(dataDir));
  if (!lock)
    throw new ConfigError(
      `DATA_DIR: ${dataDir} is in use by another Blazon process; stop that one or choose another folder`,
    );
  try {
    const db = writable(dataDir, () => migrated(checked(openDatabase(dataDir), dataDir)));
    return {
      db,
      close: () => {
        db.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Whether the folder has a database; without one, `openSharedDatabase` creates it. Writes nothing. */
export function hasDatabase(dataDir: string): boolean {
  try {
    return statSync(databasePath(dataDir), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // There may be one: opening it names the reason, a folder without permission, for example.
    return true;
  }
}

/** For a command, whether or not a service runs. Throws ConfigError when the folder is of no use. */
export function openSharedDatabase(dataDir: string): Database {
  return writable(dataDir, () => {
    const db = openDatabase(dataDir);
    db.exec(`PRAGMA busy_timeout = ${COMMAND_BUSY_TIMEOUT_MS}`);
    return migrated(db);
  });
}

function writable<Opened>(dataDir: string, open: () => Opened): Opened {
  try {
    if (isEmptied(dataDir)) throw damaged(dataDir, 'it is empty, but was not');
    return open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const damage = damageOf(error);
    if (damage !== undefined) throw damaged(dataDir, damage);
    throw new ConfigError(
      `DATA_DIR: ${dataDir} cannot be used (${reasonOf(error)}); it must be a folder that this process may write, with a database of this release or none`,
    );
  }
}

/** In SQLite's own words, where the error has others for a caller. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function damaged(dataDir: string, finding: string): ConfigError {
  return new ConfigError(
    `DATA_DIR: the database in ${dataDir} is damaged (${finding}); restore a backup, or move blazon.sqlite, -wal and -shm away to begin without accounts: docs/operations.md, "Damaged database"`,
  );
}

/** What `read` gives. Throws ConfigError when what it reads is damaged. */
export async function orDamaged<Result>(dataDir: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const finding =
      damageOf(error) ?? (error instanceof SyntaxError ? 'an entry of the catalog cannot be read' : undefined);
    throw finding === undefined ? error : damaged(dataDir, finding);
  }
}

/** Before anything is written: a damaged file stays as it is. */
function checked(db: Database, dataDir: string): Database {
  const finding = findDamage(db, dataDir);
  if (finding === undefined) return db;
  db.close();
  throw damaged(dataDir, finding);
}

function migrated(db: Database): Database {
  migrateAccounts(db);
  migrateCatalog(db);
  migrateWriteProbe(db);
  return db;
}
