// Deletion of old days from a table whose primary key begins with account and day.
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import { writeInChunks } from '../sqlite/chunked-writes.js';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, firstRow } from '../sqlite/rows.js';

/**
 * Resolves to the number of days of an account that were deleted. No index is by day, as the counters are written all the time;
 * by account, each one's oldest days are first.
 */
export function createDayPruning(db: Database, table: 'usage' | 'responses'): (before: UtcDay) => Promise<number> {
  const nextAccount = db.prepare(`SELECT account_id FROM ${table} WHERE account_id > ? ORDER BY account_id LIMIT 1`);
  const removeBefore = db.prepare(`DELETE FROM ${table} WHERE account_id = ? AND day < ? RETURNING day`);

  /** Read as they are needed, so that each is a short search. */
  function* accountIds(): Iterable<string> {
    for (let id = firstRow(nextAccount, '')?.text('account_id'); id !== undefined;) {
      yield id;
      id = firstRow(nextAccount, id)?.text('account_id');
    }
  }

  return async (before) => {
    let days = 0;
    await writeInChunks(db, accountIds(), (id) => {
      days += new Set(allRows(removeBefore, id, before).map((row) => row.text('day'))).size;
    });
    return days;
  };
}
