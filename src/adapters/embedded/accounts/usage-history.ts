// Usage history in SQLite.
import type { UsageCount, UsageHistory } from '../../../ports/usage-history.js';
import type { Database } from '../sqlite/guarded-database.js';
import { createDayPruning } from './prune-days.js';

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  const all = db.prepare('SELECT day, bucket, used FROM usage WHERE account_id = ? ORDER BY day, bucket');
  const range = db.prepare(
    'SELECT day, bucket, used FROM usage WHERE account_id = ? AND day BETWEEN ? AND ? ORDER BY day, bucket',
  );
  return {
    all: async (accountId) => all.all(accountId) as UsageCount[],
    range: async (accountId, { from, to }) => range.all(accountId, from, to) as UsageCount[],
    prune: createDayPruning(db, 'usage'),
  };
}
