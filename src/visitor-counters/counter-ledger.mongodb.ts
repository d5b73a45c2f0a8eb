// Counter ledger in MongoDB, with one document per counter.
import { Binary, type Filter, type UpdateFilter } from 'mongodb';
import { utcDay, type UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';
import type { CounterEpoch, CounterLedger } from './counter-ledger.js';
import type { MongoConnection } from '../platform/stores/mongodb/connection.js';
import { ignoreDuplicates, inTime } from '../platform/stores/mongodb/driver-error.js';

interface CounterDocument {
  readonly _id: CounterName;
  /** Number of the counter's epoch. Resetting or seeding the counter starts a new epoch. */
  readonly epoch: number;
  /** Number of the counter's last change. Each new `epoch` starts the numbering again. */
  readonly rev: number;
  readonly total: number;
  readonly day: UtcDay;
  readonly today: number;
  /** Visitors of the day as a HyperLogLog, in Redis's encoding. */
  readonly visitors: Binary;
}

const NO_DAY = utcDay(0);
const NO_VISITORS = new Binary(Buffer.alloc(0));

export function createMongoCounterLedger({ db }: Pick<MongoConnection, 'db'>): CounterLedger {
  const counters = db.collection<CounterDocument>('visitorCounters');

  async function beginEpoch(name: CounterName, fields: object): Promise<CounterEpoch> {
    const epoch = { $add: [{ $ifNull: ['$epoch', 0] }, 1] };
    const changed = await inTime(() =>
      counters.findOneAndUpdate({ _id: name }, [{ $set: { epoch, rev: 0, ...fields } }], {
        upsert: true,
        returnDocument: 'after',
        projection: { epoch: 1 },
      }),
    );
    if (!changed) throw new Error('the counter was neither found nor inserted');
    return { name, epoch: changed.epoch };
  }

  return {
    async read(name) {
      const found = await inTime(() => counters.findOne({ _id: name }));
      if (!found) return undefined;
      const { epoch, rev, total, day, today, visitors } = found;
      return { name, epoch, rev, total, day, today, visitors: Buffer.from(visitors.value()) };
    },

    async write(readings) {
      const operations = readings.map(({ name, epoch, rev, total, day, today, visitors }) => ({
        updateOne: {
          // Matches a stored document of this epoch with a lower `rev`. If the stored document does not match, the
          // upsert fails, because its `_id` exists.
          filter: { _id: name, epoch, rev: { $lt: rev } },
          update: { $set: { rev, total, day, today, visitors: new Binary(visitors) } },
          upsert: true,
        },
      }));
      await inTime(() => counters.bulkWrite(operations, { ordered: false }).catch(ignoreDuplicates));
      const written = new Map(readings.map(({ name, epoch }) => [name, epoch]));
      const stored = await inTime(() =>
        counters.find({ _id: { $in: [...written.keys()] } }, { projection: { epoch: 1 } }).toArray(),
      );
      return stored
        .map(({ _id: name, epoch }) => ({ name, epoch }))
        .filter(({ name, epoch }) => written.get(name) !== epoch);
    },

    reset: (name) => beginEpoch(name, { total: 0, day: NO_DAY, today: 0, visitors: NO_VISITORS }),

    seed: (name, total) =>
      beginEpoch(name, {
        total,
        day: { $ifNull: ['$day', NO_DAY] },
        today: { $ifNull: ['$today', 0] },
        visitors: { $ifNull: ['$visitors', NO_VISITORS] },
      }),

    async forgetVisitors(before) {
      const filter: Filter<CounterDocument> = { day: { $lt: before }, visitors: { $ne: NO_VISITORS } };
      const update: UpdateFilter<CounterDocument> = { $set: { visitors: NO_VISITORS } };
      return (await inTime(() => counters.updateMany(filter, update))).modifiedCount;
    },
  };
}
