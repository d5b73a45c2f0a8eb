// Payment events in SQLite.
import { MAX_POSTPONE_MS, type PaymentEvents, type StoredPaymentEvent } from '../../ports/payment-events.js';
import { changes } from './sqlite/rows.js';
import type { Database } from './sqlite/guarded-database.js';

/** Named as the columns are; times in ms since the epoch. */
interface EventRecord {
  readonly id: string;
  readonly type: string;
  readonly customer_id: string | null;
  readonly created_at: number;
  readonly received_at: number;
  readonly due_at: number | null;
  readonly tries: number;
  readonly finished_at: number | null;
  readonly error: string | null;
}

export function createEmbeddedPaymentEvents(db: Database): PaymentEvents {
  const add = db.prepare(`
    INSERT INTO payment_events (id, type, customer_id, created_at, received_at, due_at, tries, finished_at)
    VALUES (:id, :type, :customer, :created, :received, :due, 0, :finished) ON CONFLICT (id) DO NOTHING`);
  const claim = db.prepare(`
    UPDATE payment_events SET due_at = :again WHERE id IN (
      SELECT id FROM payment_events WHERE due_at <= :now OR due_at > :now + ${MAX_POSTPONE_MS}
      ORDER BY due_at LIMIT :limit)
    RETURNING *`);
  const finish = db.prepare('UPDATE payment_events SET due_at = NULL, finished_at = :at, error = NULL WHERE id = :id');
  const postpone = db.prepare(
    'UPDATE payment_events SET due_at = :due, tries = tries + 1, error = :error WHERE id = :id AND due_at IS NOT NULL',
  );
  const replay = db.prepare('UPDATE payment_events SET due_at = :at, finished_at = NULL WHERE id = :id');
  const latest = db.prepare('SELECT * FROM payment_events ORDER BY received_at DESC, id DESC LIMIT ?');
  const latestOf = db.prepare(
    'SELECT * FROM payment_events WHERE customer_id = ? ORDER BY received_at DESC, id DESC LIMIT ?',
  );
  const unfinished = db.prepare('SELECT count(*) AS count FROM payment_events WHERE due_at IS NOT NULL');
  const prune = db.prepare('DELETE FROM payment_events WHERE received_at < ? AND due_at IS NULL');

  return {
    async add({ id, type, customerId, createdAt }, receivedAt) {
      const received = receivedAt.getTime();
      const isDue = customerId !== null;
      const { changes: written } = add.run({
        id,
        type,
        customer: customerId,
        created: createdAt.getTime(),
        received,
        due: isDue ? received : null,
        finished: isDue ? null : received,
      });
      return written === 1 ? 'stored' : 'duplicate';
    },

    async claim(now, { limit, leaseMs }) {
      const nowMs = now.getTime();
      const records = claim.all({ now: nowMs, again: nowMs + leaseMs, limit }) as EventRecord[];
      return records.map(eventOf);
    },

    async finish(id, at) {
      finish.run({ id, at: at.getTime() });
    },

    async postpone(id, { dueAt, error }) {
      postpone.run({ id, due: dueAt.getTime(), error });
    },

    replay: async (id, at) => replay.run({ id, at: at.getTime() }).changes === 1,

    async latest({ limit, customerId }) {
      const records = customerId === undefined ? latest.all(limit) : latestOf.all(customerId, limit);
      return (records as EventRecord[]).map(eventOf);
    },

    unfinished: async () => (unfinished.get() as { readonly count: number }).count,
    prune: async (before) => changes(prune, before.getTime()),
  };
}

function eventOf(record: EventRecord): StoredPaymentEvent {
  const { id, type, customer_id: customerId, tries, error } = record;
  return {
    id,
    type,
    customerId,
    createdAt: new Date(record.created_at),
    receivedAt: new Date(record.received_at),
    dueAt: dateOf(record.due_at),
    tries,
    finishedAt: dateOf(record.finished_at),
    error,
  };
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
