// Opens the one SQLite file of embedded mode, and keeps a second service out of its folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** A CLI command writes beside the service in steps of a few ms. Waiting blocks the event loop, so not for long. */
const BUSY_TIMEOUT_MS = 1000;

/**
 * WAL with synchronous=NORMAL: a commit has reached the operating system before it is answered, so it survives
 * `kill -9`; a power cut may take the last moments, but never leaves a torn file (sqlite.org/pragma.html#pragma_synchronous).
 */
export function openDatabase(dataDir: string): DatabaseSyncInstance {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(dataDir, 'blazon.sqlite'));
  db.exec(`
    PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA foreign_keys = ON;
    PRAGMA wal_autocheckpoint = 2000;
  `);
  return db;
}

export interface ServiceLock {
  release(): void;
}

/**
 * The right to be the one service on this folder; undefined while another process holds it.
 * It is SQLite's own lock on an empty database: the operating system lets go of it however the process dies.
 */
export function lockDataDir(dataDir: string): ServiceLock | undefined {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(dataDir, 'service.lock'));
  try {
    lock.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}

/** SQLITE_BUSY or SQLITE_LOCKED, with any extension (sqlite.org/rescode.html). */
export function isBusy(error: unknown): boolean {
  const name = sqliteCodeName(error);
  return name === 'SQLITE_BUSY' || name === 'SQLITE_LOCKED';
}

/** `SQLITE_CONSTRAINT` and the like; undefined for what did not come from SQLite. */
function sqliteCodeName(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('sqliteCodeName' in error)) return undefined;
  return typeof error.sqliteCodeName === 'string' ? error.sqliteCodeName : undefined;
}
