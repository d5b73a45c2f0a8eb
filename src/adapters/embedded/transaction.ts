// One transaction of SQLite: all of it or nothing.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { AppError } from '../../errors.js';
import { unavailability } from './sqlite-error.js';

/**
 * `work` is synchronous, so nothing of this process comes between. Throws what `work` throws, and AppError `unavailable`
 * while the database is locked, full or failing.
 */
export function inTransaction<Result>(db: DatabaseSyncInstance, work: () => Result): Result {
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    undo(db);
    const code = unavailability(error);
    if (code === undefined) throw error;
    throw new AppError('unavailable', `The database cannot be written right now (${code}).`, { cause: error });
  }
}

/** After some errors SQLite has rolled back by itself; a failing disk may refuse this too, and the first error says more. */
function undo(db: DatabaseSyncInstance): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // The next BEGIN tells.
  }
}
