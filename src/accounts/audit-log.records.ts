// Audit log, the same code for SQLite and MongoDB. It keeps events as records in a table (`tables.ts`).
import { auditEventSchema, auditTopic, type AuditEvent, type AuditTopic } from './audit-event.js';
import { readRecord, type RecordOf } from '../platform/stores/stored-record.js';
import type { AuditLog } from './audit-log.js';
import type { LogEntry, Tables } from '../platform/stores/tables.js';

const entrySchema = auditEventSchema.omit({ accountId: true });
/**
 * Table of events. The id of a record is `ACCOUNT:EVENT`, or `ACCOUNT:+EVENT` for own brands. The events of an account
 * and topic are therefore adjacent, sorted by their ids.
 */
export const AUDIT = { name: 'audit', schema: entrySchema };
type AuditEntry = RecordOf<typeof entrySchema>;

/**
 * Events that are still stored in the account's document, and are moved to the table later. Only MongoDB has such
 * events.
 */
export interface CarriedEntries {
  of(accountId: string): Promise<readonly LogEntry[]>;
  prune(before: Date): Promise<void>;
}

const OWN_BRANDS = '+';
/**
 * Lower bound of the event ids that do not start with `+`. `/` sorts after `+`, and before the digits and letters with
 * which these ids start.
 */
const FIRST = '/';
/** Upper bound of event ids. It sorts after every id. */
const LAST = '~';

export function createAuditLog(table: Tables, carried?: CarriedEntries): AuditLog {
  const audit = table(AUDIT);

  return {
    async append(events) {
      const outcome = await audit.insert(events.map(auditEntry));
      if (outcome !== 'inserted') throw new Error('two events have the same id');
    },

    async read(accountId, { before = LAST, limit, topic }) {
      const ofTopic: Readonly<Record<AuditTopic, { readonly gt: string; readonly lt: string }>> = {
        account: { gt: `${accountId}:${FIRST}`, lt: `${accountId}:${before}` },
        'own-brands': { gt: `${accountId}:${OWN_BRANDS}`, lt: `${accountId}:${OWN_BRANDS}${before}` },
      };
      const ranges = topic === undefined ? Object.values(ofTopic) : [ofTopic[topic]];
      // Reads the events in the account's document before the table. If an event is moved to the table between the two
      // reads, both contain the event. In the opposite order, neither would contain it.
      const waiting = (await carried?.of(accountId)) ?? [];
      const entries = new Map(
        waiting
          .filter(({ id }) => ranges.some(({ gt, lt }) => id > gt && id < lt))
          .map((entry) => [entry.id, readRecord(entrySchema, entry, `the event ${entry.id}`)]),
      );
      for (const id of ranges)
        for (const entry of await audit.find({ where: { id }, sort: { id: 'descending' }, limit }))
          entries.set(entry.id, entry);
      return [...entries.values()]
        .map((entry) => ({ ...entry, id: eventIdOf(entry, accountId), accountId }))
        .sort((one, other) => (one.id < other.id ? 1 : -1))
        .slice(0, limit);
    },

    async prune(before) {
      await carried?.prune(before);
      return audit.remove({ at: { lt: before } });
    },
  };
}

export function auditEntry({ accountId, id, ...event }: AuditEvent): AuditEntry {
  return { ...event, id: `${accountId}:${auditTopic(event) === 'own-brands' ? OWN_BRANDS : ''}${id}` };
}

function eventIdOf({ id }: AuditEntry, accountId: string): string {
  const event = id.slice(accountId.length + 1);
  return event.startsWith(OWN_BRANDS) ? event.slice(OWN_BRANDS.length) : event;
}
