// The SQLite file of embedded mode, and the lock that keeps a second service out of its folder.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { lockFile, type FileLock } from './file-lock.js';
import { makeDataDir, makePrivateFile } from './data-dir.js';
import { guardedDatabase, type Database } from './guarded-database.js';

/**
 * Wait in ms for a lock. A CLI command beside the service writes in steps of a few ms. The wait blocks the event loop,
 * so it is short.
 */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens the database in WAL mode with synchronous=NORMAL. A commit has reached the operating system before the
 * response, so it survives `kill -9`. A power cut may lose the last moments, but never leaves a torn file
 * (sqlite.org/pragma.html#pragma_synchronous). Deleted data is overwritten with zeros (`secure_delete`). Otherwise it
 * would stay in free pages until they are used again.
 */
export function openDatabase(dataDir: string): Database {
  makeDataDir(dataDir);
  makePrivateFile(databasePath(dataDir));
  const db = guardedDatabase(new DatabaseSync(databasePath(dataDir)), { onClose: emptyLog });
  db.exec(`
    PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA wal_autocheckpoint = 2000;
  `);
  return db;
}

/**
 * Moves the write-ahead log into the file and truncates it, because the log contains older versions of changed or
 * deleted data. Does nothing while another connection reads or writes. Never waits or throws.
 */
export function emptyLog(db: Database): void {
  try {
    const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { readonly timeout: number };
    db.exec('PRAGMA busy_timeout = 0');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  } catch {
    // The disk is full or damaged; the log stays as it is.
  }
}

/** Opens the file beside a running service. Creates and changes nothing. Throws if there is no file. */
export function openDatabaseReadOnly(dataDir: string): Database {
  const db = openDatabaseFile(databasePath(dataDir), { readOnly: true });
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** Opens a file without changing it. Throws if there is no such file. */
export function openDatabaseFile(path: string, options: { readonly readOnly: true }): Database {
  return guardedDatabase(new DatabaseSync(path, options));
}

export function openMemoryDatabase(): Database {
  return guardedDatabase(new DatabaseSync(':memory:'));
}

export function databasePath(dataDir: string): string {
  return join(dataDir, 'blazon.sqlite');
}

/** Takes the lock of the one service in this folder. Returns undefined while another process has it. */
export function lockDataDir(dataDir: string): FileLock | undefined {
  makeDataDir(dataDir);
  return lockFile(join(dataDir, 'service.lock'));
}

/** Takes the lock of the one importer into this database. Returns undefined while another process or session has it. */
export function lockImport(db: Database): FileLock | undefined {
  return lockFile(`${db.location()}-import.lock`);
}
