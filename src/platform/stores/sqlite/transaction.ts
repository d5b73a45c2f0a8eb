// Write transactions of SQLite.
import type { Database } from './guarded-database.js';

/**
 * Commits all of `work` or nothing. `work` is synchronous, so no other code of this process runs within. Throws the
 * errors of `work`, and AppError `unavailable` while the database cannot be used.
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
 * Rolls back. After some errors, SQLite has already done so. On a failing disk this fails, too, and the first error is
 * more useful.
 */
function undo(db: Database): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // If a transaction is still open, the next BEGIN throws.
  }
}
