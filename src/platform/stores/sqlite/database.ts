// SQLite file of the embedded stores, and the lock that prevents a second service in the same folder.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { lockFile, type FileLock } from './file-lock.js';
import { makeDataDir, makePrivateFile } from './data-dir.js';
import { guardedDatabase, type Database } from './guarded-database.js';

/**
 * Maximum wait for the write lock in ms. It is short, because waiting blocks the event loop. Commands hold the lock
 * only for a few ms at a time.
 */
const BUSY_TIMEOUT_MS = 1000;

/**
 * Opens the database in WAL mode with synchronous=NORMAL. A commit reaches the operating system before the response, so
 * it survives `kill -9`. A power failure may lose the last commits, but never damages the file
 * (sqlite.org/pragma.html#pragma_synchronous). Deleted data is overwritten with zeros (`secure_delete`), because it
 * would otherwise stay in free pages of the file.
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
 * Moves the write-ahead log into the database file and truncates the log, because the log contains older versions of
 * changed and deleted data. Does nothing while another connection reads or writes. Never waits or throws.
 */
export function emptyLog(db: Database): void {
  try {
    const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { readonly timeout: number };
    db.exec('PRAGMA busy_timeout = 0');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  } catch {
    // For example, the disk is full or damaged. The write-ahead log then stays as it is.
  }
}

/** Opens the database read-only, even while a service is running. Throws if there is no file. */
export function openDatabaseReadOnly(dataDir: string): Database {
  const db = openDatabaseFile(databasePath(dataDir), { readOnly: true });
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** Opens a database file read-only. Throws if there is no file. */
export function openDatabaseFile(path: string, options: { readonly readOnly: true }): Database {
  return guardedDatabase(new DatabaseSync(path, options));
}

export function openMemoryDatabase(): Database {
  return guardedDatabase(new DatabaseSync(':memory:'));
}

export function databasePath(dataDir: string): string {
  return join(dataDir, 'blazon.sqlite');
}

/** Acquires the lock of the service in this folder. Returns undefined if another process has it. */
export function lockDataDir(dataDir: string): FileLock | undefined {
  makeDataDir(dataDir);
  return lockFile(join(dataDir, 'service.lock'));
}

/**
 * Acquires the lock of imports into this database. Returns undefined if another import has the lock, in this process or
 * another one.
 */
export function lockImport(db: Database): FileLock | undefined {
  return lockFile(`${db.location()}-import.lock`);
}
