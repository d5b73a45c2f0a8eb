// Deletion of many documents in small steps, so that other writes are not delayed.
import type { Collection, Document, Filter } from 'mongodb';
import { orUnavailable } from './driver-error.js';

const CHUNK = 500;

interface Options {
  /** Called with the ids of the next documents before they are deleted. */
  readonly prepare?: ((ids: readonly string[]) => Promise<void>) | undefined;
  /**
   * Wraps each database call of the deletion. The default, `orUnavailable`, sets no time limit. Pass `inTime` to limit
   * each call's time.
   */
  readonly run?: typeof orUnavailable;
}

/**
 * Deletes all matching documents and returns their number. If it rejects with AppError `unavailable`, some documents
 * may already be deleted.
 */
export async function deleteInChunks<Item extends Document & { readonly _id: string }>(
  collection: Collection<Item>,
  filter: Filter<Item>,
  { prepare, run = orUnavailable }: Options = {},
): Promise<number> {
  for (let deleted = 0; ;) {
    const found = await run(() => collection.find(filter, { projection: { _id: 1 }, limit: CHUNK }).toArray());
    if (found.length === 0) return deleted;
    const ids = found.map(({ _id }) => _id as string);
    await prepare?.(ids);
    const chunk = { _id: { $in: ids } } as unknown as Filter<Item>;
    deleted += (await run(() => collection.deleteMany(chunk))).deletedCount;
    if (found.length < CHUNK) return deleted;
  }
}
