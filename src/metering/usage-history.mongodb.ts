// Usage history in MongoDB, combined with the latest counters in Redis.
import type { AccountId } from '../accounts/account.js';
import { bucketEntries } from './usage-counter.js';
import type { UsageHistory } from './usage-history.js';
import type { AccountDayUsage } from './usage-ledger.js';
import type { MongoConnection } from '../platform/stores/mongodb/connection.js';
import { deleteInChunks } from '../platform/stores/mongodb/deletion.js';
import { inTime } from '../platform/stores/mongodb/driver-error.js';
import type { UsageDocument } from './usage-ledger.mongodb.js';

interface Options {
  readonly mongo: Pick<MongoConnection, 'db'>;
  /** Returns the account's counters in Redis. They replace stored counters with the same day and name. */
  readonly live: (accountId: AccountId) => Promise<readonly Pick<AccountDayUsage, 'day' | 'used'>[]>;
}

export function createMongoUsageHistory({ mongo: { db }, live }: Options): UsageHistory {
  const usage = db.collection<UsageDocument>('usage');
  return {
    async range(accountId, { from, to }) {
      const filter = { accountId, day: { $gte: from, $lte: to } };
      const [written, counted] = await Promise.all([
        inTime(() => usage.find(filter, { projection: { day: 1, used: 1 } }).toArray()),
        live(accountId),
      ]);
      const days = new Map(written.map(({ day, used }) => [day, used]));
      for (const { day, used } of counted) if (day >= from && day <= to) days.set(day, { ...days.get(day), ...used });
      return [...days]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([day, used]) => ({ day, used: Object.fromEntries(bucketEntries(used)) }));
    },
    async remove(accountId) {
      await inTime(() => usage.deleteMany({ accountId }));
    },
    prune: (before) => deleteInChunks(usage, { day: { $lt: before } }),
  };
}
