// The right to be the one import on a database.
import { lockFile, type FileLock } from '../sqlite/file-lock.js';
import type { Database } from '../sqlite/guarded-database.js';

/** Databases in memory are one process's own, and so is the right to import into them. */
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
