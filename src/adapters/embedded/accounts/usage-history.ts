// Usage history in SQLite: the counters of admissions, a row for each account, day and bucket.
import { KEY_COUNTER_PREFIX } from '../../../domain/metering/usage-counter.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type { UsageHistory, UsageOfDay } from '../../../ports/usage-history.js';
import { writeInChunks } from '../sqlite/chunked-writes.js';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, firstRow, type Row } from '../sqlite/rows.js';

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  // A row for each day takes half the time of one for each bucket. Without the counters of publishable keys.
  const range = db.prepare(
    `SELECT day, json_group_object(bucket, used) AS used FROM usage
     WHERE account_id = ? AND day BETWEEN ? AND ? AND bucket NOT GLOB '${KEY_COUNTER_PREFIX}*' GROUP BY day ORDER BY day`,
  );
  const remove = db.prepare('DELETE FROM usage WHERE account_id = ?');
  const nextAccount = db.prepare('SELECT account_id FROM usage WHERE account_id > ? ORDER BY account_id LIMIT 1');
  const removeBefore = db.prepare('DELETE FROM usage WHERE account_id = ? AND day < ? RETURNING day');

  /** Read as they are needed, so that each is a short search. */
  function* accountIds(): Iterable<string> {
    for (let id = firstRow(nextAccount, '')?.text('account_id'); id !== undefined;) {
      yield id;
      id = firstRow(nextAccount, id)?.text('account_id');
    }
  }

  return {
    range: async (accountId, { from, to }) => allRows(range, accountId, from, to).map(dayOf),
    remove: async (accountId) => void remove.run(accountId),

    async prune(before) {
      let days = 0;
      // No index is by day, as the counters are written all the time; by account, each one's oldest days are first.
      await writeInChunks(db, accountIds(), (id) => {
        days += new Set(allRows(removeBefore, id, before).map((row) => row.text('day'))).size;
      });
      return days;
    },
  };
}

function dayOf(row: Row): UsageOfDay {
  return { day: row.text('day') as UtcDay, used: JSON.parse(row.text('used')) as UsageOfDay['used'] };
}
