// One transaction of SQLite: all of it or nothing.
import type { Database } from './guarded-database.js';

/**
 * `work` is synchronous, so nothing of this process comes between. Throws what `work` throws, and AppError
 * `unavailable` while the database cannot be used.
 */
export function inTransaction<Result>(db: Database, work: () => Result): Result {
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    undo(db);
    throw error;
  }
}

/**
 * After some errors SQLite has rolled back by itself; a failing disk may refuse this too, and the first error says
 * more.
 */
function undo(db: Database): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // The next BEGIN tells.
  }
}
