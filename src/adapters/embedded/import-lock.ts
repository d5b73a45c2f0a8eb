// The right to be the one import on a database, held by SQLite's own lock on an empty file beside it.
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isBusy } from './database.js';

export interface ImportLock {
  release(): void;
}

/** Databases in memory are one process's own, and so is the right to import into them. */
const inMemory = new WeakSet<DatabaseSyncInstance>();

/** Undefined while another process or session has it. The operating system takes it back when its process dies. */
export function lockImport(db: DatabaseSyncInstance): ImportLock | undefined {
  const location = db.location();
  if (location === null || location === '') return lockInMemory(db);
  const lock = new DatabaseSync(`${location}-import.lock`);
  try {
    lock.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}

function lockInMemory(db: DatabaseSyncInstance): ImportLock | undefined {
  if (inMemory.has(db)) return undefined;
  inMemory.add(db);
  return { release: () => void inMemory.delete(db) };
}
