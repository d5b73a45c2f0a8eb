// One transaction of SQLite: all of it or nothing.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** `work` is synchronous, so nothing of this process comes between. */
export function inTransaction<Result>(db: DatabaseSyncInstance, work: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
