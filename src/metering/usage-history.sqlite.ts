// Usage history in SQLite: the counters of admissions, one row per account, day and bucket.
import { KEY_COUNTER_PREFIX } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { UsageHistory, UsageOfDay } from './usage-history.js';
import { writeInChunks } from '../platform/stores/sqlite/chunked-writes.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  // Returns one row per day without the counters of publishable keys. Reading takes half the time of one row per
  // bucket.
  const range = db.prepare(
    `SELECT day, json_group_object(bucket, used) AS used FROM usage
     WHERE account_id = ? AND day BETWEEN ? AND ? AND bucket NOT GLOB '${KEY_COUNTER_PREFIX}*' GROUP BY day ORDER BY day`,
  );
  const remove = db.prepare('DELETE FROM usage WHERE account_id = ?');
  const nextAccount = db.prepare('SELECT account_id FROM usage WHERE account_id > ? ORDER BY account_id LIMIT 1');
  const removeBefore = db.prepare('DELETE FROM usage WHERE account_id = ? AND day < ? RETURNING day');

  /** Yields the ids one by one, so that each query is short. */
  function* accountIds(): Iterable<string> {
    const idAfter = (id: string) => (nextAccount.get(id) as { readonly account_id: string } | undefined)?.account_id;
    for (let id = idAfter(''); id !== undefined; id = idAfter(id)) yield id;
  }

  return {
    async range(accountId, { from, to }) {
      const days = range.all(accountId, from, to) as { readonly day: UtcDay; readonly used: string }[];
      return days.map(({ day, used }) => ({ day, used: JSON.parse(used) as UsageOfDay['used'] }));
    },
    remove: async (accountId) => void remove.run(accountId),

    async prune(before) {
      let days = 0;
      // Days have no index, because the counters are written all the time. The rows of one account are sorted by day,
      // so its oldest days come first.
      await writeInChunks(db, accountIds(), (id) => {
        days += new Set((removeBefore.all(id, before) as { readonly day: UtcDay }[]).map(({ day }) => day)).size;
      });
      return days;
    },
  };
}
