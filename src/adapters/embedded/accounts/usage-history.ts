// Usage history in SQLite.
import type { Bucket } from '../../../domain/metering/plan.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type { UsageHistory } from '../../../ports/usage-history.js';
import type { Database } from '../sqlite/guarded-database.js';

export function createEmbeddedUsageHistory(db: Database): UsageHistory {
  const all = db.prepare('SELECT day, bucket, used FROM usage WHERE account_id = ? ORDER BY day, bucket');
  return {
    all: async (accountId) =>
      all.all(accountId) as { readonly day: UtcDay; readonly bucket: Bucket; readonly used: number }[],
  };
}
