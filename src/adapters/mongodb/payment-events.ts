// Payment events in MongoDB.
import { randomUUID } from 'node:crypto';
import {
  MAX_POSTPONE_MS,
  type PaymentEvent,
  type PaymentEvents,
  type StoredPaymentEvent,
} from '../../ports/payment-events.js';
import type { MongoConnection } from './connection.js';
import { deleteInChunks } from './deletion.js';
import { inTime, isDuplicate } from './driver-error.js';

interface EventDocument {
  readonly _id: string;
  readonly type: string;
  readonly customerId: string | null;
  readonly createdAt: Date;
  readonly receivedAt: Date;
  /** Absent when it is finished. */
  readonly dueAt?: Date;
  /** Whose the last claim was. */
  readonly claim?: string;
  readonly tries: number;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

/** A write whose answer was lost may be repeated: each has the same outcome the second time, but for `tries`. */
export function createMongoPaymentEvents({ db }: Pick<MongoConnection, 'db'>): PaymentEvents {
  const events = db.collection<EventDocument>('paymentEvents');
  const sorted = { receivedAt: -1, _id: -1 } as const;

  return {
    async add(event, receivedAt) {
      try {
        await inTime(() => events.insertOne(documentOf(event, receivedAt)));
        return 'stored';
      } catch (error) {
        if (isDuplicate(error)) return 'duplicate';
        throw error;
      }
    },

    async claim(now, { limit, leaseMs }) {
      const farAhead = new Date(now.getTime() + MAX_POSTPONE_MS);
      const due = await inTime(() =>
        events
          .find({ $or: [{ dueAt: { $lte: now } }, { dueAt: { $gt: farAhead } }] })
          .sort({ dueAt: 1 })
          .limit(limit)
          .toArray(),
      );
      if (due.length === 0) return [];
      const claim = randomUUID();
      const claimed = { dueAt: new Date(now.getTime() + leaseMs), claim };
      // Another process may claim some of them at the same time.
      const operations = due.flatMap(({ _id, dueAt }) =>
        dueAt ? [{ updateOne: { filter: { _id, dueAt }, update: { $set: claimed } } }] : [],
      );
      await inTime(() => events.bulkWrite(operations, { ordered: false }));
      const own = await inTime(() => events.find({ _id: { $in: due.map(({ _id }) => _id) }, claim }).toArray());
      return own.map(eventOf);
    },

    async finish(id, at) {
      await inTime(() =>
        events.updateOne({ _id: id }, { $set: { finishedAt: at, error: null }, $unset: { dueAt: '', claim: '' } }),
      );
    },

    async postpone(id, { dueAt, error }) {
      await inTime(() =>
        events.updateOne({ _id: id, dueAt: { $exists: true } }, { $set: { dueAt, error }, $inc: { tries: 1 } }),
      );
    },

    async replay(id, at) {
      const { matchedCount } = await inTime(() =>
        events.updateOne({ _id: id }, { $set: { dueAt: at, finishedAt: null } }),
      );
      return matchedCount === 1;
    },

    async latest({ limit, customerId }) {
      const filter = customerId === undefined ? {} : { customerId };
      const found = await inTime(() => events.find(filter).sort(sorted).limit(limit).toArray());
      return found.map(eventOf);
    },

    unfinished: () => inTime(() => events.countDocuments({ dueAt: { $exists: true } })),
    prune: (before) => deleteInChunks(events, { receivedAt: { $lt: before }, dueAt: { $exists: false } }),
  };
}

function documentOf({ id, type, customerId, createdAt }: PaymentEvent, receivedAt: Date): EventDocument {
  const isDue = customerId !== null;
  return {
    _id: id,
    type,
    customerId,
    createdAt,
    receivedAt,
    ...(isDue && { dueAt: receivedAt }),
    tries: 0,
    finishedAt: isDue ? null : receivedAt,
    error: null,
  };
}

function eventOf(event: EventDocument): StoredPaymentEvent {
  const { _id: id, type, customerId, createdAt, receivedAt, dueAt = null, tries, finishedAt, error } = event;
  return { id, type, customerId, createdAt, receivedAt, dueAt, tries, finishedAt, error };
}
