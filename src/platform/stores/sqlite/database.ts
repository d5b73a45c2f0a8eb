// The SQLite file of embedded mode, and the lock that keeps a second service out of its folder.
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { lockFile, type FileLock } from './file-lock.js';
import { makeDataDir, makePrivateFile } from './data-dir.js';
import { guardedDatabase, type Database } from './guarded-database.js';

/** A CLI command writes beside the service in steps of a few ms. Waiting blocks the event loop, so not for long. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * WAL with synchronous=NORMAL: a commit has reached the operating system before it is answered, so it survives
 * `kill -9`; a power cut may take the last moments, but never leaves a torn file
 * (sqlite.org/pragma.html#pragma_synchronous).
 * What is deleted is overwritten with zeros (`secure_delete`): without it, it stays in free pages until they are used again.
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
 * Moves the write-ahead log into the file, and cuts the log to nothing: it holds older forms of what was changed or deleted since. Does
 * nothing while another connection reads or writes, and never waits or throws.
 */
export function emptyLog(db: Database): void {
  try {
    const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { readonly timeout: number };
    db.exec('PRAGMA busy_timeout = 0');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  } catch {
    // A full or damaged disk: the log is still the log.
  }
}

/** For a look beside a running service: nothing is created or changed. Throws when there is no file. */
export function openDatabaseReadOnly(dataDir: string): Database {
  const db = openDatabaseFile(databasePath(dataDir), { readOnly: true });
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return db;
}

/** As it is. Throws when there is no such file. */
export function openDatabaseFile(path: string, options: { readonly readOnly: true }): Database {
  return guardedDatabase(new DatabaseSync(path, options));
}

export function openMemoryDatabase(): Database {
  return guardedDatabase(new DatabaseSync(':memory:'));
}

export function databasePath(dataDir: string): string {
  return join(dataDir, 'blazon.sqlite');
}

/** The lock of the one service on this folder; undefined while another process has it. */
export function lockDataDir(dataDir: string): FileLock | undefined {
  makeDataDir(dataDir);
  return lockFile(join(dataDir, 'service.lock'));
}

/** The lock of the one importer into this database; undefined while another process or session has it. */
export function lockImport(db: Database): FileLock | undefined {
  return lockFile(`${db.location()}-import.lock`);
}
