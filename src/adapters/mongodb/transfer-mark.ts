// Mark of a database that a transfer is being written to: until it is removed, what is in there is incomplete, and no process serves it.
import type { Db } from 'mongodb';
import { isDuplicate, orUnavailable } from './driver-error.js';

const ID = 'transfer';

interface MarkDocument {
  readonly _id: typeof ID;
  readonly startedAt: Date;
}

const marks = (db: Db) => db.collection<MarkDocument>('transfers', { writeConcern: { w: 'majority' } });

export async function hasTransferMark(db: Db): Promise<boolean> {
  return (await orUnavailable(() => marks(db).findOne({ _id: ID }))) !== null;
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

export async function removeTransferMark(db: Db): Promise<void> {
  await orUnavailable(() => marks(db).deleteOne({ _id: ID }));
}

/** Removes the documents of a transfer that was broken off. */
export async function removeTransferred(db: Db, collections: readonly string[]): Promise<void> {
  for (const name of collections) await orUnavailable(() => db.collection(name).deleteMany({}));
}
