// Outbox of log entries. An entry is first written into the document of its owner (such as the account), so that one
// write stores both. Later the entry is moved to the log (ADR 11).
import type { ClientSession, Db, Document } from 'mongodb';
import { isCode } from '../../errors.js';
import type { LogEntry } from '../tables.js';
import { ignoreDuplicates, inTime } from './driver-error.js';
import { inSnapshot } from './snapshot.js';

const MOVED_AFTER_MS = 1000;
/** Maximum number of owners whose entries are moved at once. */
const BATCH = 200;

/**
 * Log entry that is still in the document of its owner. Its id in the log consists of the id of the owner, a colon, and
 * this `id`.
 */
interface CarriedEntry {
  readonly id: string;
  readonly at?: Date;
}
interface OwnerDocument {
  readonly _id: string;
  readonly events?: readonly CarriedEntry[];
}

export type AuditOutbox = ReturnType<typeof createAuditOutbox>;

interface Options {
  /** Name of the collection with the documents of the owners. */
  readonly owners: string;
  readonly log: string;
  /** Called if entries could not be moved, although the database can be reached. */
  readonly onFailure: (error: unknown) => void;
}

export function createAuditOutbox(db: Db, options: Options) {
  const owners = db.collection<OwnerDocument>(options.owners);
  const log = db.collection<{ readonly _id: string }>(options.log);
  const waiting = new Set<string>();

  /** Moves all entries of these owners to the log. Can be repeated, and can run in several processes at once. */
  async function move(ids: readonly string[]): Promise<void> {
    const carrying = { _id: { $in: [...ids] }, 'events.0': { $exists: true } };
    const found = await inTime(() => owners.find(carrying, { projection: { events: 1 } }).toArray());
    if (found.length === 0) return;
    const entries = found.flatMap(entriesOf).map(({ id: _id, ...entry }) => ({ _id, ...entry }));
    // The entries are inserted into the log before they are removed from the owner's document. After a crash in
    // between, an entry is in both places, and readers return it once.
    await inTime(() => log.insertMany(entries, { ordered: false }).catch(ignoreDuplicates));
    const removals = found.map(({ _id, events = [] }) => ({
      updateOne: { filter: { _id }, update: { $pull: { events: { id: { $in: events.map(({ id }) => id) } } } } },
    }));
    await inTime(() => owners.bulkWrite(removals, { ordered: false }));
  }

  async function moveWaiting(): Promise<void> {
    const ids = [...waiting];
    waiting.clear();
    for (let from = 0; from < ids.length; from += BATCH) await move(ids.slice(from, from + BATCH));
  }

  return {
    /** Returns the entries in the document of one owner, unsorted. */
    async of(owner: string): Promise<readonly LogEntry[]> {
      const found = await inTime(() => owners.findOne({ _id: owner }, { projection: { events: 1 } }));
      return found ? entriesOf(found) : [];
    },

    /** Returns the entries in the documents of all owners, unsorted. */
    async all(session?: ClientSession): Promise<readonly LogEntry[]> {
      // This condition equals the condition of the partial index, so the search reads only the few documents with
      // entries that are not yet moved.
      const carrying = { 'events.at': { $exists: true } };
      const options = { projection: { events: 1 }, ...inSnapshot(session) };
      return (await inTime(() => owners.find(carrying, options).toArray())).flatMap(entriesOf);
    },

    /** Returns the fields to add to a new owner document, so that it contains these entries. */
    carried: (owner: string, entries: readonly LogEntry[]) => ({ events: carriedEntries(owner, entries) }),

    /** Returns the part of an update that adds these entries to the owner's document. */
    carrying: (owner: string, entries: readonly LogEntry[]): { readonly $push: Document } => ({
      $push: { events: { $each: carriedEntries(owner, entries) } },
    }),

    move,

    async moveAll(): Promise<void> {
      const carrying = { 'events.0': { $exists: true } };
      const next = () => inTime(() => owners.find(carrying, { projection: { _id: 1 }, limit: BATCH }).toArray());
      for (let found = await next(); found.length > 0; found = await next()) await move(found.map(({ _id }) => _id));
    },

    /**
     * Moves entries of these owners in the background, in batches with other owners. If the process ends before an
     * entry is moved, the entry is moved together with the owner's next entry.
     */
    moveSoon(ids: readonly string[]): void {
      const report = (error: unknown): void => (isCode(error, 'unavailable') ? undefined : options.onFailure(error));
      if (waiting.size === 0) setTimeout(() => void moveWaiting().catch(report), MOVED_AFTER_MS).unref();
      for (const id of ids) waiting.add(id);
    },

    async prune(before: Date): Promise<void> {
      const older = { at: { $lt: before } };
      await inTime(() => owners.updateMany({ 'events.at': older.at }, { $pull: { events: older } }));
    },
  };
}

function entriesOf({ _id: owner, events = [] }: OwnerDocument): LogEntry[] {
  return events.map(({ id, ...entry }) => ({ ...entry, id: `${owner}:${id}` }));
}

/**
 * Converts entries for the document of their owner. Throws if two entries have the same id. The log would not report
 * this error. It ignores ids that it already has, because an entry may be moved to the log twice.
 */
function carriedEntries(owner: string, entries: readonly LogEntry[]): readonly CarriedEntry[] {
  if (new Set(entries.map(({ id }) => id)).size !== entries.length) throw new Error('two log entries have the same id');
  return entries.map(({ id, ...entry }) => ({ ...entry, id: id.slice(owner.length + 1) }));
}
