// Password reset requests in MongoDB: those that arrive while some are written are written together.
import type { Collection } from 'mongodb';
import type { AuditActor } from '../../../domain/account/audit-event.js';
import { CLOCK_TOLERANCE_MS } from '../../../domain/time.js';
import {
  MAX_STORED_REQUESTS,
  type PasswordResetRequest,
  type PasswordResetRequests,
} from '../../../ports/password-reset-requests.js';
import type { MongoConnection } from '../connection.js';
import { inTime } from '../driver-error.js';

interface RequestDocument {
  readonly _id: string;
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

interface QueuedRequest {
  readonly document: RequestDocument;
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Documents of one message. */
const BATCH = 1000;

/** `now`: ms since the epoch. */
export function createMongoPasswordResetRequests(
  { db }: Pick<MongoConnection, 'db'>,
  now: () => number,
): PasswordResetRequests {
  const requests = db.collection<RequestDocument>('passwordResetRequests');
  const add = createRequestQueue(requests);

  return {
    /** One that is rejected may be stored all the same. */
    add: ({ id: _id, identity, by: { kind, address }, requestedAt }) =>
      add({ _id, identity, by: { kind, address }, requestedAt }),

    async storedUntil(until, limit) {
      const farAhead = new Date(now() + CLOCK_TOLERANCE_MS);
      const found = await inTime(() =>
        requests
          .find({ $or: [{ requestedAt: { $lte: until } }, { requestedAt: { $gt: farAhead } }] })
          .sort({ requestedAt: 1, _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id, ...request }): PasswordResetRequest => ({ id: _id, ...request }));
    },

    async remove(id) {
      await inTime(() => requests.deleteOne({ _id: id }));
    },
  };
}

/** Resolves with whether there was room for it. */
function createRequestQueue(requests: Collection<RequestDocument>): (document: RequestDocument) => Promise<boolean> {
  let queue: QueuedRequest[] = [];
  let isWriting = false;

  async function writeQueue(): Promise<void> {
    isWriting = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      try {
        const stored = await inTime(() => store(requests, batch));
        for (const [index, { resolve }] of batch.entries()) resolve(index < stored);
      } catch (error) {
        // Those behind it would wait as long once more, each batch after the other.
        const rejected = [...batch, ...queue];
        queue = [];
        for (const { reject } of rejected) reject(error);
      }
    }
    isWriting = false;
  }

  return (document) =>
    new Promise((resolve, reject) => {
      queue.push({ document, resolve, reject });
      if (!isWriting) void writeQueue();
    });
}

/**
 * The number of those, from the first, for which there was room. Counted with them, so that no two processes take the last
 * place both; two that try may both go without.
 */
async function store(requests: Collection<RequestDocument>, batch: readonly QueuedRequest[]): Promise<number> {
  const documents = batch.map(({ document }) => document);
  await requests.insertMany(documents, { ordered: false });
  const limit = MAX_STORED_REQUESTS + batch.length;
  const beyond = (await requests.countDocuments({}, { limit })) - MAX_STORED_REQUESTS;
  const stored = Math.min(batch.length, batch.length - beyond);
  if (stored < batch.length) await requests.deleteMany({ _id: { $in: documents.slice(stored).map(({ _id }) => _id) } });
  return stored;
}
