// Usage history in SQLite. Reads the table of usage counters: one row per account, day and bucket.
import { KEY_COUNTER_PREFIX } from './usage-counter.js';
import type { UtcDay } from '../platform/utc-day.js';
import type { UsageHistory, UsageOfDay } from './usage-history.js';
import { writeInChunks } from '../platform/stores/sqlite/chunked-writes.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  // Combines the buckets of a day in one row, which takes half the time of one row per bucket. Excludes counters of
  // publishable keys.
  const range = db.prepare(
    `SELECT day, json_group_object(bucket, used) AS used FROM usage
     WHERE account_id = ? AND day BETWEEN ? AND ? AND bucket NOT GLOB '${KEY_COUNTER_PREFIX}*' GROUP BY day ORDER BY day`,
  );
  const remove = db.prepare('DELETE FROM usage WHERE account_id = ?');
  const nextAccount = db.prepare('SELECT account_id FROM usage WHERE account_id > ? ORDER BY account_id LIMIT 1');
  const removeBefore = db.prepare('DELETE FROM usage WHERE account_id = ? AND day < ? RETURNING day');

  /** Yields the account ids. Each id is read with its own short query. */
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
      // There is no index on days, because an index would slow down each count. The rows of one account are sorted by
      // day, so old days are deleted account by account.
      await writeInChunks(db, accountIds(), (id) => {
        days += new Set((removeBefore.all(id, before) as { readonly day: UtcDay }[]).map(({ day }) => day)).size;
      });
      return days;
    },
  };
}
