// Password reset requests in MongoDB.
import type { AuditActor } from '../../../domain/account/audit-event.js';
import { CLOCK_TOLERANCE_MS } from '../../../domain/time.js';
import { MAX_STORED_REQUESTS, type PasswordResetRequests } from '../../../ports/password-reset-requests.js';
import type { MongoConnection } from '../connection.js';
import { inTime } from '../driver-error.js';
import { createSharedReading } from '../shared-reading.js';

interface RequestDocument {
  readonly _id: string;
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

/** `now`: ms since the epoch. */
export function createMongoPasswordResetRequests(
  { db }: Pick<MongoConnection, 'db'>,
  now: () => number,
): PasswordResetRequests {
  const requests = db.collection<RequestDocument>('passwordResetRequests');
  const count = createSharedReading(() => requests.countDocuments({}, { limit: MAX_STORED_REQUESTS + 1 }));

  return {
    // Counted with itself, so that no two processes take the last place both; two that try may both go without.
    async add({ id: _id, identity, by: { kind, address }, requestedAt }) {
      await inTime(() => requests.insertOne({ _id, identity, by: { kind, address }, requestedAt }));
      if ((await inTime(count)) <= MAX_STORED_REQUESTS) return true;
      await inTime(() => requests.deleteOne({ _id }));
      return false;
    },

    async storedUntil(until, limit) {
      const farAhead = new Date(now() + CLOCK_TOLERANCE_MS);
      const found = await inTime(() =>
        requests
          .find({ $or: [{ requestedAt: { $lte: until } }, { requestedAt: { $gt: farAhead } }] })
          .sort({ requestedAt: 1, _id: 1 })
          .limit(limit)
          .toArray(),
      );
      return found.map(({ _id, ...request }) => ({ id: _id, ...request }));
    },

    async remove(id) {
      await inTime(() => requests.deleteOne({ _id: id }));
    },
  };
}
