// Audit log in MongoDB, with the events that accounts' documents still carry.
import type { Collection } from 'mongodb';
import type { AccountId } from '../../../domain/account/account.js';
import type { AuditEvent } from '../../../domain/account/audit-event.js';
import type { AuditLog } from '../../../ports/audit-log.js';
import type { MongoConnection } from '../connection.js';
import { deleteInChunks } from '../deletion.js';
import { inTime, isDuplicatesOnly } from '../driver-error.js';
import { carried, type AccountDocument, type CarriedEvent } from './account-document.js';

export interface AuditDocument extends Omit<CarriedEvent, 'id'> {
  /** Account and event, `ID:EVENT`: of one account in the order of its events, so that reading needs no other index. */
  readonly _id: string;
}

/** Sorts after every id. */
const LAST = '~';

export function createMongoAuditLog({ db, client }: Pick<MongoConnection, 'db' | 'client'>): AuditLog {
  const audit = db.collection<AuditDocument>('audit');
  const accounts = db.collection<AccountDocument>('accounts');

  return {
    async append(events) {
      const documents = events.map((event) => auditDocument(event.accountId, carried(event)));
      const [first, ...others] = documents;
      if (first === undefined) return;
      // One document is one write, which needs no transaction.
      if (others.length === 0) await inTime(() => audit.insertOne(first));
      else
        await inTime(() =>
          client.withSession((session) =>
            session.withTransaction(async () => {
              await audit.insertMany(documents, { session });
            }),
          ),
        );
    },

    async read(accountId, { before = LAST, limit }) {
      // The document first: what is moved between the two reads is in both, else it would be in neither.
      const account = await inTime(() => accounts.findOne({ _id: accountId }, { projection: { events: 1 } }));
      const moved = await inTime(() =>
        audit
          .find({ _id: { $gt: `${accountId}:`, $lt: `${accountId}:${before}` } }, { sort: { _id: -1 }, limit })
          .toArray(),
      );
      const events = new Map(moved.map((document) => eventOf(accountId, document)).map((event) => [event.id, event]));
      for (const event of account?.events ?? [])
        if (event.id < before) events.set(event.id, eventOf(accountId, auditDocument(accountId, event)));
      return [...events.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, limit);
    },

    // Events that are this old have been moved.
    prune: (before) => deleteInChunks(audit, { at: { $lt: before } }),
  };
}

export function auditDocument(accountId: AccountId, { id, ...event }: CarriedEvent): AuditDocument {
  return { _id: `${accountId}:${id}`, ...event };
}

/** Inserts those that are not there yet. */
export async function insertMissing(
  audit: Collection<AuditDocument>,
  documents: readonly AuditDocument[],
): Promise<void> {
  try {
    await audit.insertMany(documents, { ordered: false });
  } catch (error) {
    if (!isDuplicatesOnly(error)) throw error;
  }
}

function eventOf(accountId: AccountId, { _id, at, type, by, detail }: AuditDocument): AuditEvent {
  return { id: _id.slice(accountId.length + 1), accountId, at, type, by, ...(detail !== undefined && { detail }) };
}
