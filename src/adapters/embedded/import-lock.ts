// The right to be the one import on a database.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { lockFile, type FileLock } from './file-lock.js';

/** Databases in memory are one process's own, and so is the right to import into them. */
const inMemory = new WeakSet<DatabaseSyncInstance>();

/** Undefined while another process or session has it. */
export function lockImport(db: DatabaseSyncInstance): FileLock | undefined {
  const location = db.location();
  return location === null || location === '' ? lockInMemory(db) : lockFile(`${location}-import.lock`);
}

function lockInMemory(db: DatabaseSyncInstance): FileLock | undefined {
  if (inMemory.has(db)) return undefined;
  inMemory.add(db);
  return { release: () => void inMemory.delete(db) };
}
