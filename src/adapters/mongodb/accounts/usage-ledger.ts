// Usage ledger: counters of each account and day, written behind those that admissions count, and the last use of keys.
import type { Document, UpdateOneModel } from 'mongodb';
import type { AccountId } from '../../../domain/account/account.js';
import type { KeyUse } from '../../../domain/account/key-uses.js';
import { keyId } from '../../../domain/account/key-format.js';
import type { CounterValues } from '../../../domain/metering/usage-counter.js';
import type { UtcDay } from '../../../domain/metering/utc-day.js';
import { CLOCK_TOLERANCE_MS } from '../../../domain/time.js';
import type { MongoConnection } from '../connection.js';
import { inTime, isDuplicatesOnly } from '../driver-error.js';

export interface DayUsage {
  /** Rises with every change of these counters. */
  readonly rev: number;
  readonly used: CounterValues;
}

export interface UsageReading extends DayUsage {
  readonly accountId: AccountId;
  readonly day: UtcDay;
}

/** Its methods reject with AppError `unavailable`; repeating them does no harm. */
export interface UsageLedger {
  /** Undefined: nothing was written of that day. */
  read(id: AccountId, day: UtcDay): Promise<DayUsage | undefined>;
  /** A reading that is not newer than the stored one (`rev`) is left out. */
  write(readings: readonly UsageReading[]): Promise<void>;
  /** Last uses of keys, without new versions of their accounts. */
  touch(keys: readonly KeyUse[]): Promise<void>;
}

export interface UsageDocument extends DayUsage {
  /** Account and day, `ID:DAY`. */
  readonly _id: string;
  readonly accountId: string;
  readonly day: UtcDay;
}

interface AccountDocument extends Document {
  readonly _id: string;
}

/** Updates of one message: some 20 ms. */
const CHUNK = 500;

export function createMongoUsageLedger({ db }: Pick<MongoConnection, 'db'>): UsageLedger {
  const usage = db.collection<UsageDocument>('usage');
  const accounts = db.collection<AccountDocument>('accounts');

  return {
    async read(id, day) {
      const found = await inTime(() => usage.findOne({ _id: `${id}:${day}` }, { projection: { rev: 1, used: 1 } }));
      return found ? { rev: found.rev, used: found.used } : undefined;
    },

    async write(readings) {
      for (const chunk of chunks(readings)) {
        const operations = chunk.map(({ accountId, day, rev, used }) => ({
          updateOne: {
            // A stored one that is as new does not match: then the upsert meets its `_id`, and fails.
            filter: { _id: `${accountId}:${day}`, rev: { $lt: rev } },
            update: { $set: { rev, used }, $setOnInsert: { accountId, day } },
            upsert: true,
          },
        }));
        await inTime(() => usage.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicates));
      }
    },

    async touch(keys) {
      for (const chunk of chunks(keys)) {
        const operations = chunk.map((use) => ({ updateOne: lastUse(use) }));
        await inTime(() => accounts.bulkWrite(operations, { ordered: false }));
      }
    },
  };
}

function lastUse({ accountId, keyHash, lastUsedAt: at }: KeyUse): UpdateOneModel<AccountDocument> {
  const path = `lastUses.${keyId(keyHash)}`;
  // Also over a time ahead of any that could be newer: a wrong clock has written it.
  const ahead = new Date(at.getTime() + CLOCK_TOLERANCE_MS);
  const older = [{ [path]: null }, { [path]: { $lt: at } }, { [path]: { $gt: ahead } }];
  return { filter: { _id: accountId, $or: older }, update: { $set: { [path]: at } } };
}

function ignoreDuplicates(error: unknown): void {
  if (!isDuplicatesOnly(error)) throw error;
}

function chunks<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, at) => items.slice(at * CHUNK, (at + 1) * CHUNK));
}
