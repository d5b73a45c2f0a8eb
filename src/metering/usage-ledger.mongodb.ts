// Usage ledger in MongoDB: one document per account and day.
import type { Collection, Document, UpdateOneModel } from 'mongodb';
import type { KeyUse } from './key-uses.js';
import { keyId } from '../accounts/key-format.js';
import type { UtcDay } from '../platform/utc-day.js';
import { CLOCK_TOLERANCE_MS } from '../platform/time.js';
import type { DayUsage, UsageLedger } from './usage-ledger.js';
import type { MongoConnection } from '../platform/stores/mongodb/connection.js';
import { ignoreDuplicates, inTime } from '../platform/stores/mongodb/driver-error.js';

export interface UsageDocument extends DayUsage {
  readonly _id: string;
  readonly accountId: string;
  readonly day: UtcDay;
}

interface AccountDocument extends Document {
  readonly _id: string;
}

/** Maximum number of updates per command, which takes about 20 ms. */
const CHUNK = 500;

export function createMongoUsageLedger({ db }: Pick<MongoConnection, 'db'>): UsageLedger {
  const usage = db.collection<UsageDocument>('usage');
  const accounts = db.collection<AccountDocument>('accounts');

  return {
    async read(id, day) {
      const found = await inTime(() => usage.findOne({ _id: `${id}:${day}` }, { projection: { rev: 1, used: 1 } }));
      return found ? { rev: found.rev, used: found.used } : undefined;
    },

    write: (readings) =>
      writeAll(
        usage,
        readings.map(({ accountId, day, rev, used }) => ({
          // If the stored counters are as new or newer, the filter matches nothing. The upsert then tries an insert,
          // which fails because the `_id` exists. That failure is expected.
          filter: { _id: `${accountId}:${day}`, rev: { $lt: rev } },
          update: { $set: { rev, used }, $setOnInsert: { accountId, day } },
          upsert: true,
        })),
      ),

    touch: (keys) => writeAll(accounts, keys.map(lastUse)),
  };
}

async function writeAll<Item extends Document>(
  collection: Collection<Item>,
  updates: readonly UpdateOneModel<Item>[],
): Promise<void> {
  for (let from = 0; from < updates.length; from += CHUNK) {
    const operations = updates.slice(from, from + CHUNK).map((updateOne) => ({ updateOne }));
    await inTime(() => collection.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicates));
  }
}

function lastUse({ accountId, keyHash, lastUsedAt: at }: KeyUse): UpdateOneModel<AccountDocument> {
  const path = `lastUses.${keyId(keyHash)}`;
  // A stored time is overwritten if it is older, or if it is so far in the future that it comes from a wrong clock.
  const ahead = new Date(at.getTime() + CLOCK_TOLERANCE_MS);
  const older = [{ [path]: null }, { [path]: { $lt: at } }, { [path]: { $gt: ahead } }];
  // Excludes a key that was replaced in the meantime. Otherwise the last use of that key would be stored again and
  // never removed.
  const kept = [{ 'key.hash': keyHash }, { 'publishableKeys.id': keyId(keyHash) }];
  return { filter: { _id: accountId, $and: [{ $or: older }, { $or: kept }] }, update: { $set: { [path]: at } } };
}
