// Mark of a database that a transfer is being written to: until it is removed, what is in there is incomplete, and no process serves it.
import type { Db } from 'mongodb';
import { isDuplicate, orUnavailable } from './driver-error.js';

const ID = 'transfer';
/** Its collection, which is not replaced. */
export const MARKS = 'transfers';

interface MarkDocument {
  readonly _id: typeof ID;
  readonly startedAt: Date;
  /** Begins the names of the collections of before, which are kept. Absent: there were no accounts. */
  readonly keptAs?: string;
  /** All of them have these names. */
  readonly areKept?: boolean;
}

const marks = (db: Db) => db.collection<MarkDocument>(MARKS, { writeConcern: { w: 'majority' } });

export async function hasTransferMark(db: Db): Promise<boolean> {
  return (await transferMark(db)) !== null;
}

export function transferMark(db: Db): Promise<MarkDocument | null> {
  return orUnavailable(() => marks(db).findOne({ _id: ID }));
}

/** False when there is one already, of a transfer that was broken off. */
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

/** Removes the documents of a transfer that was broken off. */
export async function removeTransferred(db: Db, collections: readonly string[]): Promise<void> {
  for (const name of collections) await orUnavailable(() => db.collection(name).deleteMany({}));
}
