// Long writes, split into short transactions so that other writers can write between them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './guarded-database.js';
import { inTransaction } from './transaction.js';

/** Time in ms after which a transaction is committed and the next transaction starts. */
const STEP_MS = 3;
/**
 * Pause in ms between two transactions, in which another writer can write. SQLite retries a blocked write after 1, 2,
 * 5, … ms, so one of its first attempts falls into a pause.
 */
const PAUSE_MS = 2;
/** Maximum number of rows that one statement deletes. The statement takes 1 to 2 ms. */
export const CHUNK_ROWS = 300;

/** Calls `write` for each item. If a transaction fails, earlier transactions stay committed. */
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
 * Repeats `deleteSome`, which deletes a few rows and returns their number, until it returns fewer than `least`. Returns
 * the total number.
 */
export async function deleteInChunks(db: Database, deleteSome: () => number, least = 1): Promise<number> {
  for (let deleted = 0; ;) {
    const some = inTransaction(db, deleteSome);
    deleted += some;
    if (some < least) return deleted;
    await yieldToWriters();
  }
}

/** Waits, so that other writers can run between two short transactions. */
export function yieldToWriters(): Promise<void> {
  return pause(PAUSE_MS);
}
