// Log entries that are written into the document of their owner, so that one write has both, and moved to the log after (ADR 11).
import type { Db, Document } from 'mongodb';
import type { LogEntry } from '../../ports/tables.js';
import { ignoreDuplicates, inTime, isUnavailable } from './driver-error.js';

const MOVED_AFTER_MS = 1000;
/** Owners whose entries are moved together. */
const BATCH = 200;

/** A log entry whose id lacks that of its owner and the colon. */
interface CarriedEntry {
  readonly id: string;
  readonly at?: Date;
}
interface OwnerDocument {
  readonly _id: string;
  readonly events?: readonly CarriedEntry[];
}

export interface CarriedLog {
  /** Of this owner, in any order; ids with that of the owner. */
  of(owner: string): Promise<readonly LogEntry[]>;
  /** Fields of a new document that carries these entries. */
  carried(owner: string, entries: readonly LogEntry[]): { readonly events: readonly CarriedEntry[] };
  /** Part of an update that adds these entries. */
  carrying(owner: string, entries: readonly LogEntry[]): { readonly $push: Document };
  /** Moves all entries of these owners to the log. Repeating it, or doing it in two processes at once, does no harm. */
  move(owners: readonly string[]): Promise<void>;
  /** Moves the entries of all owners. */
  moveAll(): Promise<void>;
  /**
   * Moves them in the background, with those of others. What a process leaves behind, that is away or ends, is moved with the next
   * entry of the owner. `onFailure`: for another reason.
   */
  moveSoon(owners: readonly string[], onFailure: (error: unknown) => void): void;
  /** Deletes older entries. */
  prune(before: Date): Promise<void>;
}

export function createCarriedLog(db: Db, names: { readonly owners: string; readonly log: string }): CarriedLog {
  const owners = db.collection<OwnerDocument>(names.owners);
  const log = db.collection<{ readonly _id: string }>(names.log);
  const waiting = new Set<string>();

  async function move(ids: readonly string[]): Promise<void> {
    const carrying = { _id: { $in: [...ids] }, 'events.0': { $exists: true } };
    const found = await inTime(() => owners.find(carrying, { projection: { events: 1 } }).toArray());
    if (found.length === 0) return;
    const entries = found.flatMap(({ _id: owner, events = [] }) =>
      events.map(({ id, ...entry }) => ({ _id: `${owner}:${id}`, ...entry })),
    );
    // Inserted first, removed after: a crash between leaves them in both, and readers take them once.
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
    async of(owner) {
      const found = await inTime(() => owners.findOne({ _id: owner }, { projection: { events: 1 } }));
      return (found?.events ?? []).map(({ id, ...entry }) => ({ ...entry, id: `${owner}:${id}` }));
    },

    carried: (owner, entries) => ({ events: carriedEntries(owner, entries) }),
    carrying: (owner, entries) => ({ $push: { events: { $each: carriedEntries(owner, entries) } } }),

    move,

    async moveAll() {
      const carrying = { 'events.0': { $exists: true } };
      const next = () => inTime(() => owners.find(carrying, { projection: { _id: 1 }, limit: BATCH }).toArray());
      for (let found = await next(); found.length > 0; found = await next()) await move(found.map(({ _id }) => _id));
    },

    moveSoon(ids, onFailure) {
      const report = (error: unknown): void => (isUnavailable(error) ? undefined : onFailure(error));
      if (waiting.size === 0) setTimeout(() => void moveWaiting().catch(report), MOVED_AFTER_MS).unref();
      for (const id of ids) waiting.add(id);
    },

    async prune(before) {
      const older = { at: { $lt: before } };
      await inTime(() => owners.updateMany({ 'events.at': older.at }, { $pull: { events: older } }));
    },
  };
}

/** The log ignores an entry that it has, since one may be moved twice; so the check is here. */
function carriedEntries(owner: string, entries: readonly LogEntry[]): readonly CarriedEntry[] {
  if (new Set(entries.map(({ id }) => id)).size !== entries.length) throw new Error('two log entries have the same id');
  return entries.map(({ id, ...entry }) => ({ ...entry, id: id.slice(owner.length + 1) }));
}
