// Usage history in SQLite: the counters of admissions, a row for each account, day and bucket.
import { KEY_COUNTER_PREFIX } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { UsageHistory, UsageOfDay } from './usage-history.js';
import { writeInChunks } from '../platform/stores/sqlite/chunked-writes.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';

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
      // No index is by day, as the counters are written all the time; by account, each one's oldest days are first.
      await writeInChunks(db, accountIds(), (id) => {
        days += new Set((removeBefore.all(id, before) as { readonly day: UtcDay }[]).map(({ day }) => day)).size;
      });
      return days;
    },
  };
}
