// Store of password reset requests, the same code for SQLite and MongoDB. It keeps requests as records in a table
// (`tables.ts`).
import { z } from 'zod';
import { auditActorSchema } from './audit-event.js';
import { instant } from '../platform/stores/stored-record.js';
import { CLOCK_TOLERANCE_MS } from '../platform/time.js';
import { MAX_STORED_REQUESTS, type PasswordResetRequests } from './password-reset-requests.js';
import type { Tables } from '../platform/stores/tables.js';

export const RESET_REQUESTS = {
  name: 'passwordResetRequests',
  schema: z.object({ id: z.string(), identity: z.string(), by: auditActorSchema, requestedAt: instant }),
};

/** `now`: time in ms since the epoch. */
export function createPasswordResetRequests(table: Tables, now: () => number): PasswordResetRequests {
  const requests = table(RESET_REQUESTS);

  return {
    /** If the call rejects with `unavailable`, the request may still be stored. */
    async add(request) {
      await requests.insert([request]);
      // The requests are counted after the insert. If two processes insert at the same time, they may both be rejected,
      // but never both use the last free place.
      if ((await requests.count({}, MAX_STORED_REQUESTS + 1)) <= MAX_STORED_REQUESTS) return true;
      await requests.remove({ id: request.id });
      return false;
    },

    storedUntil: (until, limit) =>
      requests.find({
        where: { requestedAt: { by: until, farAhead: new Date(now() + CLOCK_TOLERANCE_MS) } },
        sort: { requestedAt: 'ascending', id: 'ascending' },
        limit,
      }),

    async remove(id) {
      await requests.remove({ id });
    },
  };
}
