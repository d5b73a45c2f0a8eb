// Batched processing of all due items. The failure of one item does not stop the others.
import { setImmediate as nextTick } from 'node:timers/promises';
import { isCode } from '../errors.js';

const BATCH = 200;

interface Due<Item> {
  /** Name of the items in the error, for example `accounts`. */
  readonly what: string;
  /** Reads at most `limit` due items. */
  readonly read: (limit: number) => Promise<readonly Item[]>;
  readonly idOf: (item: Item) => string;
}

/**
 * Processes all due items and returns their number. If `work` failed for any, throws AggregateError after the last one.
 * An item that no longer exists is not a failure.
 */
export async function forEachDue<Item>(
  { what, read, idOf }: Due<Item>,
  work: (item: Item) => Promise<void>,
): Promise<number> {
  const tried = new Set<string>();
  const failures: unknown[] = [];
  for (;;) {
    // Failed items are still due, and must not fill the batch.
    const fresh = (await read(BATCH + failures.length)).filter((item) => !tried.has(idOf(item)));
    if (fresh.length === 0) break;
    for (const item of fresh) {
      tried.add(idOf(item));
      await work(item).catch((error: unknown) => {
        if (!isCode(error, 'not_found')) failures.push(error);
      });
      // The embedded store is synchronous, so requests are served here.
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
