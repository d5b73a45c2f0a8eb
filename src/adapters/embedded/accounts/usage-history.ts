// Usage history in SQLite.
import type { Bucket } from '../../../domain/metering/plan.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type { UsageHistory } from '../../../ports/usage-history.js';
import { writeInChunks } from '../sqlite/chunked-writes.js';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, firstRow } from '../sqlite/rows.js';

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  const all = db.prepare('SELECT day, bucket, used FROM usage WHERE account_id = ? ORDER BY day, bucket');
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
    all: async (accountId) =>
      all.all(accountId) as { readonly day: UtcDay; readonly bucket: Bucket; readonly used: number }[],

    // No index is by day, as the counters are written with every request; by account, each one's oldest days are first.
    async prune(before) {
      let days = 0;
      await writeInChunks(db, accountIds(), (id) => {
        days += new Set(allRows(removeBefore, id, before).map((row) => row.text('day'))).size;
      });
      return days;
    },
  };
}
