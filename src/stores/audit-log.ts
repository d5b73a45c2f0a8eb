// Audit log, above the tables of any family.
import { auditEventSchema, type AuditEvent } from '../domain/account/audit-event.js';
import { readRecord, type RecordOf } from '../domain/stored-record.js';
import type { AuditLog } from '../ports/audit-log.js';
import type { LogEntry, Tables } from '../ports/tables.js';

const entrySchema = auditEventSchema.omit({ accountId: true });
/** The id of a record is account and event, `ID:EVENT`: those of an account are in the order of its events. */
export const AUDIT = { name: 'audit', schema: entrySchema };
type AuditEntry = RecordOf<typeof entrySchema>;

/** Entries that were written with an account and are not in the table yet, in a family that moves them there later. */
export interface CarriedEntries {
  of(accountId: string): Promise<readonly LogEntry[]>;
  prune(before: Date): Promise<void>;
}

/** Sorts after every id. */
const LAST = '~';

export function createAuditLog(table: Tables, carried?: CarriedEntries): AuditLog {
  const audit = table(AUDIT);

  return {
    async append(events) {
      const outcome = await audit.insert(events.map(auditEntry));
      if (outcome !== 'inserted') throw new Error('an event has the id of another one');
    },

    async read(accountId, { before = LAST, limit }) {
      const last = `${accountId}:${before}`;
      // These first: what is moved between the two reads is in both, else it would be in neither.
      const waiting = (await carried?.of(accountId)) ?? [];
      const entries = new Map(
        waiting
          .filter(({ id }) => id < last)
          .map((entry) => [entry.id, readRecord(entrySchema, entry, `the event ${entry.id}`)]),
      );
      const where = { id: { gt: `${accountId}:`, lt: last } };
      for (const entry of await audit.find({ where, sort: { id: 'descending' }, limit })) entries.set(entry.id, entry);
      return [...entries.values()]
        .sort((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, limit)
        .map((entry) => ({ ...entry, id: entry.id.slice(accountId.length + 1), accountId }));
    },

    async prune(before) {
      await carried?.prune(before);
      return audit.remove({ at: { lt: before } });
    },
  };
}

export function auditEntry({ accountId, id, ...event }: AuditEvent): AuditEntry {
  return { ...event, id: `${accountId}:${id}` };
}
