// Long writes in short transactions, so that the service's own writes get their turn between them.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from './guarded-database.js';
import { inTransaction } from './transaction.js';

/** One transaction ends after about this long. */
const STEP_MS = 3;
/** Between two; a waiting writer in another process looks again after 1, 2, 5, … ms. */
const PAUSE_MS = 2;
/** As many as one statement may delete: one or two ms. */
export const CHUNK_ROWS = 300;

/** Writes each item. Everything before a failing transaction stays written. */
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

/** Runs `deleteSome`, which deletes a few rows and says how many, until nothing is left. How many there were. */
export async function deleteInChunks(db: Database, deleteSome: () => number): Promise<number> {
  let deleted = 0;
  for (let some = inTransaction(db, deleteSome); some > 0; some = inTransaction(db, deleteSome)) {
    deleted += some;
    await yieldToWriters();
  }
  return deleted;
}

/** Between two short transactions. */
export function yieldToWriters(): Promise<void> {
  return pause(PAUSE_MS);
}
