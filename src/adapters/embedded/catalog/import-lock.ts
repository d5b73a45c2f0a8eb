// Mutual exclusion of imports into one database.
import { lockFile, type FileLock } from '../sqlite/file-lock.js';
import type { Database } from '../sqlite/guarded-database.js';

/** A database in memory belongs to one process, so its lock does too. */
const inMemory = new WeakSet<Database>();

/** Undefined while another process or session has it. */
export function lockImport(db: Database): FileLock | undefined {
  const location = db.location();
  return location === null || location === '' ? lockInMemory(db) : lockFile(`${location}-import.lock`);
}

function lockInMemory(db: Database): FileLock | undefined {
  if (inMemory.has(db)) return undefined;
  inMemory.add(db);
  return { release: () => void inMemory.delete(db) };
}
