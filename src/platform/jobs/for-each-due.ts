// Processing of all due items in batches. If an item fails, the others are still processed.
import { setImmediate as nextTick } from 'node:timers/promises';
import { isCode } from '../errors.js';

const BATCH = 200;

interface Due<Item> {
  /** Plural name of the items, for the error message. */
  readonly what: string;
  /** Returns at most `limit` due items. */
  readonly read: (limit: number) => Promise<readonly Item[]>;
  readonly idOf: (item: Item) => string;
}

/**
 * Processes all due items and returns their number. If items failed, throws AggregateError after the last item. An item
 * that was removed in the meantime does not count as failed.
 */
export async function forEachDue<Item>(
  { what, read, idOf }: Due<Item>,
  work: (item: Item) => Promise<void>,
): Promise<number> {
  const tried = new Set<string>();
  const failures: unknown[] = [];
  for (;;) {
    // Failed items stay due. Their number is added to the limit, because a batch could otherwise consist of failed
    // items only.
    const fresh = (await read(BATCH + failures.length)).filter((item) => !tried.has(idOf(item)));
    if (fresh.length === 0) break;
    for (const item of fresh) {
      tried.add(idOf(item));
      await work(item).catch((error: unknown) => {
        if (!isCode(error, 'not_found')) failures.push(error);
      });
      // Lets requests run between two items. Calls of the embedded store are synchronous and never yield to the event
      // loop.
      await nextTick();
    }
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `failed for ${failures.length} of ${tried.size} ${what}: ${String(failures[0])}`,
    );
  return tried.size;
}
