// Long writes in short transactions, so that other writers get the lock between them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './guarded-database.js';
import { inTransaction } from './transaction.js';

/** Time in ms after which one transaction ends. */
const STEP_MS = 3;
/** Pause in ms between two transactions. SQLite retries for a writer in another process after 1, 2, 5, … ms. */
const PAUSE_MS = 2;
/** Maximum rows that one statement deletes: one or two ms. */
export const CHUNK_ROWS = 300;

/** Writes each item. If a transaction fails, earlier ones stay written. */
export async function writeInChunks<Item>(
  db: Database,
  items: Iterable<Item>,
  write: (item: Item) => void,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  for (let next = iterator.next(); next.done !== true;) {
    inTransaction(db, () => {
      const endMs = performance.now() + STEP_MS;
      while (next.done !== true) {
        write(next.value);
        next = iterator.next();
        if (performance.now() > endMs) break;
      }
    });
    await yieldToWriters();
  }
}

/**
 * Repeats `deleteSome`, which deletes a few rows and returns their number, until it returns less than `least`. Returns
 * the total.
 */
export async function deleteInChunks(db: Database, deleteSome: () => number, least = 1): Promise<number> {
  for (let deleted = 0; ;) {
    const some = inTransaction(db, deleteSome);
    deleted += some;
    if (some < least) return deleted;
    await yieldToWriters();
  }
}

/** Lets other writers run between two short transactions. */
export function yieldToWriters(): Promise<void> {
  return pause(PAUSE_MS);
}
