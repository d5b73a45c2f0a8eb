// Mark of a transfer, which copies all data into this database. While the mark exists, the data is incomplete, and no
// process serves it.
import type { Db } from 'mongodb';
import { isDuplicate, orUnavailable } from './driver-error.js';

const ID = 'transfer';
/** Collection that contains the mark. A transfer does not replace this collection. */
export const MARKS = 'transfers';

interface MarkDocument {
  readonly _id: typeof ID;
  readonly startedAt: Date;
  /**
   * Name prefix under which the transfer keeps the collections that it replaces; absent if the database had no
   * accounts.
   */
  readonly keptAs?: string;
  /**
   * True after all replaced collections have been renamed, and cached data of their accounts has been removed from
   * Redis.
   */
  readonly areKept?: boolean;
}

const marks = (db: Db) => db.collection<MarkDocument>(MARKS, { writeConcern: { w: 'majority' } });

export async function hasTransferMark(db: Db): Promise<boolean> {
  return (await transferMark(db)) !== null;
}

export function transferMark(db: Db): Promise<MarkDocument | null> {
  return orUnavailable(() => marks(db).findOne({ _id: ID }));
}

/** Sets the mark. Returns false if the mark exists already, because an earlier transfer was aborted. */
export async function setTransferMark(db: Db): Promise<boolean> {
  return orUnavailable(async () => {
    try {
      await marks(db).insertOne({ _id: ID, startedAt: new Date() });
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  });
}

export async function markKept(db: Db, kept: Pick<MarkDocument, 'keptAs' | 'areKept'>): Promise<void> {
  await orUnavailable(() => marks(db).updateOne({ _id: ID }, { $set: kept }));
}

export async function removeTransferMark(db: Db): Promise<void> {
  await orUnavailable(() => marks(db).deleteOne({ _id: ID }));
}

/** Deletes the documents that an aborted transfer has written. */
export async function removeTransferred(db: Db, collections: readonly string[]): Promise<void> {
  for (const name of collections) await orUnavailable(() => db.collection(name).deleteMany({}));
}
