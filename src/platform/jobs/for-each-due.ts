// Batched processing of all that is due; a failure of one does not stop the others.
import { setImmediate as nextTick } from 'node:timers/promises';
import { isCode } from '../errors.js';

const BATCH = 200;

interface Due<Item> {
  /** Names the items in the error: `accounts`. */
  readonly what: string;
  /** At most `limit` of them. */
  readonly read: (limit: number) => Promise<readonly Item[]>;
  readonly idOf: (item: Item) => string;
}

/** The number of items. Throws AggregateError after the last one when `work` failed for any; not for one that is gone. */
export async function forEachDue<Item>(
  { what, read, idOf }: Due<Item>,
  work: (item: Item) => Promise<void>,
): Promise<number> {
  const tried = new Set<string>();
  const failures: unknown[] = [];
  for (;;) {
    // Failed ones are still due, and must not fill the batch.
    const fresh = (await read(BATCH + failures.length)).filter((item) => !tried.has(idOf(item)));
    if (fresh.length === 0) break;
    for (const item of fresh) {
      tried.add(idOf(item));
      await work(item).catch((error: unknown) => {
        if (!isCode(error, 'not_found')) failures.push(error);
      });
      // Calls of the embedded store are synchronous: requests are served here.
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
