// Write transactions of SQLite.
import type { Database } from './guarded-database.js';

/**
 * Commits all of `work` or nothing. It is synchronous, so no other code of this process runs within. Throws what `work`
 * throws, and AppError `unavailable` while the database cannot be used.
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
 * After some errors SQLite has rolled back by itself; on a failing disk this fails too, and the first error says
 * more.
 */
function undo(db: Database): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
  } catch {
    // If anything is still open, the next BEGIN throws.
  }
}
