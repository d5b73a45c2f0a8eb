// Usage history in SQLite.
import { KEY_COUNTER_PREFIX } from '../../../domain/metering/usage-counter.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type { UsageCount, UsageHistory, UsageOfDay } from '../../../ports/usage-history.js';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, type Row } from '../sqlite/rows.js';
import { createDayPruning } from './prune-days.js';

/** Without the counters of publishable keys. */
const OF_BUCKETS = `bucket NOT GLOB '${KEY_COUNTER_PREFIX}*'`;

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  const all = db.prepare(
    `SELECT day, bucket, used FROM usage WHERE account_id = ? AND ${OF_BUCKETS} ORDER BY day, bucket`,
  );
  // A row for each day takes half the time of one for each bucket.
  const range = db.prepare(
    `SELECT day, json_group_object(bucket, used) AS used FROM usage
     WHERE account_id = ? AND day BETWEEN ? AND ? AND ${OF_BUCKETS} GROUP BY day ORDER BY day`,
  );
  const remove = db.prepare('DELETE FROM usage WHERE account_id = ?');
  return {
    all: async (accountId) => all.all(accountId) as UsageCount[],
    range: async (accountId, { from, to }) => allRows(range, accountId, from, to).map(dayOf),
    remove: async (accountId) => void remove.run(accountId),
    prune: createDayPruning(db, 'usage'),
  };
}

function dayOf(row: Row): UsageOfDay {
  return { day: row.text('day') as UtcDay, used: JSON.parse(row.text('used')) as UsageOfDay['used'] };
}
