// Last uses of keys: noted in memory and written every second. Writing one does not create a new version of the
// account.
import { createKeyUses, type KeyUse } from './key-uses.js';
import { keyId } from '../accounts/key-format.js';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { CLOCK_TOLERANCE_MS, SECOND_MS } from '../platform/time.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';
import { inTransaction } from '../platform/stores/sqlite/transaction.js';

const CLOSE_LIMIT_MS = 2 * SECOND_MS;

export type LastUses = ReturnType<typeof openLastUses>;

interface Options {
  readonly maxKeys: number;
  /** Called when a round failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

export function openLastUses(db: Database, { maxKeys, onError }: Options) {
  const { note, write } = createKeyUses(maxKeys);
  const store = createWriter(db);
  const rounds = periodicTask({ intervalMs: SECOND_MS, work: () => write(store), onError });
  return {
    note,
    /** Writes the noted uses. Rejects with AppError `unavailable`. */
    flush: rounds.run,
    /** Writes a last time. The database must still be open. */
    close: (): Promise<void> => rounds.close(CLOSE_LIMIT_MS).catch(onError),
  };
}

/** Returns a function that writes all uses or none. */
function createWriter(db: Database): (uses: readonly KeyUse[]) => void {
  const stored = `record ->> ('$.lastUses."' || :key || '"')`;
  // If a key was replaced in the meantime, nothing would ever delete its last use again.
  const isKept = `(keyHash = :keyHash OR EXISTS (SELECT 1 FROM json_each(publishableKeys) WHERE value ->> '$.id' = :key))`;
  // A time ahead of every possible one was written by a wrong clock, and is overwritten.
  const write = db.prepare(
    `UPDATE accounts SET record = json_set(record, '$.lastUses."' || :key || '"', :at)
     WHERE id = :id AND ${isKept} AND coalesce(${stored} NOT BETWEEN :at AND :at + ${CLOCK_TOLERANCE_MS}, 1)`,
  );
  return (uses) =>
    inTransaction(db, () => {
      for (const { accountId, keyHash, lastUsedAt } of uses)
        write.run({ id: accountId, keyHash, key: keyId(keyHash), at: lastUsedAt.getTime() });
    });
}
