// Write transactions of SQLite.
import type { Database } from './guarded-database.js';

/**
 * Runs `work` in a transaction and commits the transaction, or rolls it back if `work` throws. `work` is synchronous,
 * so no other code of this process runs in between. Throws the errors of `work`, and AppError `unavailable` if the
 * database cannot be used.
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
 * Rolls the transaction back. Ignores errors of the rollback. SQLite may have rolled back already, and on a failing
 * disk the error that caused the rollback is more useful.
 */
function undo(db: Database): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // Ignores the error, because the next BEGIN throws if the transaction is still open.
  }
}
