// Usage history in MongoDB, with the live counters of days that are still counted.
import type { Filter } from 'mongodb';
import type { AccountId } from '../../../domain/account/account.js';
import type { Bucket } from '../../../domain/metering/plan.js';
import { bucketEntries } from '../../../domain/metering/usage-counter.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import type { UsageCount, UsageHistory } from '../../../ports/usage-history.js';
import type { MongoConnection } from '../connection.js';
import { deleteInChunks } from '../deletion.js';
import { inTime } from '../driver-error.js';
import type { UsageDocument } from './usage-ledger.js';

interface Options {
  readonly mongo: Pick<MongoConnection, 'db'>;
  /** Counters that may be newer than the written ones; they replace those of the same day and bucket. */
  readonly live: (accountId: AccountId) => Promise<readonly UsageCount[]>;
}

export function createMongoUsageHistory({ mongo: { db }, live }: Options): UsageHistory {
  const usage = db.collection<UsageDocument>('usage');

  async function read(accountId: AccountId, days: Filter<UsageDocument>): Promise<UsageCount[]> {
    const [written, counted] = await Promise.all([
      inTime(() => usage.find({ accountId, ...days }, { projection: { day: 1, used: 1 } }).toArray()),
      live(accountId),
    ]);
    const counts = new Map(
      [...written.flatMap(countsOf), ...counted].map((count) => [`${count.day} ${count.bucket}`, count]),
    );
    return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count);
  }

  return {
    all: (accountId) => read(accountId, {}),
    async range(accountId, { from, to }) {
      const days = new Map<UtcDay, Partial<Record<Bucket, number>>>();
      for (const { day, bucket, used } of await read(accountId, { day: { $gte: from, $lte: to } })) {
        if (day >= from && day <= to) days.set(day, { ...days.get(day), [bucket]: used });
      }
      return [...days].map(([day, used]) => ({ day, used }));
    },
    async remove(accountId) {
      await inTime(() => usage.deleteMany({ accountId }));
    },
    prune: (before) => deleteInChunks(usage, { day: { $lt: before } }),
  };
}

function countsOf({ day, used }: Pick<UsageDocument, 'day' | 'used'>): UsageCount[] {
  return bucketEntries(used).map(([bucket, count]) => ({ day, bucket, used: count }));
}
