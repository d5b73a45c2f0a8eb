// Deletion of many documents in short steps, so that other writes are not held up.
import type { Collection, Document, Filter } from 'mongodb';
import { orUnavailable } from './driver-error.js';

const CHUNK = 500;

/** Deletes all that match; how many there were. Rejects with AppError `unavailable`; what is deleted by then stays so. */
export async function deleteInChunks<Item extends Document & { readonly _id: string }>(
  collection: Collection<Item>,
  filter: Filter<Item>,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const found = await orUnavailable(() =>
      collection.find(filter, { projection: { _id: 1 }, limit: CHUNK }).toArray(),
    );
    if (found.length === 0) return deleted;
    const ids = found.map(({ _id }) => _id as string);
    const { deletedCount } = await orUnavailable(() =>
      collection.deleteMany({ _id: { $in: ids } } as unknown as Filter<Item>),
    );
    deleted += deletedCount;
  }
}
