// Password reset requests in SQLite.
import type { AuditActor } from '../../../domain/account/audit-event.js';
import { CLOCK_TOLERANCE_MS } from '../../../domain/time.js';
import {
  MAX_STORED_REQUESTS,
  type PasswordResetRequest,
  type PasswordResetRequests,
} from '../../../ports/password-reset-requests.js';
import type { Database } from '../sqlite/guarded-database.js';
import { changes } from '../sqlite/rows.js';

interface RequestRecord {
  readonly id: string;
  readonly identity: string;
  readonly by_kind: AuditActor['kind'];
  readonly by_address: string | null;
  readonly requested_at: number;
}

/** `now`: ms since the epoch. */
export function createEmbeddedPasswordResetRequests(db: Database, now: () => number): PasswordResetRequests {
  const add = db.prepare(`
    INSERT INTO password_reset_requests (id, identity, by_kind, by_address, requested_at)
    SELECT ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM password_reset_requests) < ${MAX_STORED_REQUESTS}`);
  const stored = db.prepare(
    `SELECT * FROM password_reset_requests
     WHERE requested_at <= ? OR requested_at > ? ORDER BY requested_at, id LIMIT ?`,
  );
  const remove = db.prepare('DELETE FROM password_reset_requests WHERE id = ?');

  return {
    add: async ({ id, identity, by, requestedAt }) =>
      changes(add, id, identity, by.kind, by.address, requestedAt.getTime()) === 1,

    storedUntil: async (until, limit) =>
      (stored.all(until.getTime(), now() + CLOCK_TOLERANCE_MS, limit) as RequestRecord[]).map(
        ({ id, identity, by_kind: kind, by_address: address, requested_at: at }): PasswordResetRequest => ({
          id,
          identity,
          by: { kind, address },
          requestedAt: new Date(at),
        }),
      ),

    async remove(id) {
      remove.run(id);
    },
  };
}
