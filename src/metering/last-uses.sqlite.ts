// Last uses of keys: recorded in memory, and written every second without increasing the version number of the account
// record.
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
  /** Called when a periodic write fails. The next periodic write tries again. */
  readonly onError: (error: unknown) => void;
}

export function openLastUses(db: Database, { maxKeys, onError }: Options) {
  const { note, write } = createKeyUses(maxKeys);
  const store = createWriter(db);
  const rounds = periodicTask({ intervalMs: SECOND_MS, work: () => write(store), onError });
  return {
    note,
    /** Writes the recorded uses now. Rejects with AppError `unavailable`. */
    flush: rounds.run,
    /** Writes the recorded uses and stops the periodic writes. The database must still be open. */
    close: (): Promise<void> => rounds.close(CLOSE_LIMIT_MS).catch(onError),
  };
}

/** Returns a function that writes all given uses in one transaction. */
function createWriter(db: Database): (uses: readonly KeyUse[]) => void {
  const stored = `record ->> ('$.lastUses."' || :key || '"')`;
  // Excludes a key that was replaced in the meantime. Otherwise the last use of that key would be stored again and
  // never removed.
  const isKept = `(keyHash = :keyHash OR EXISTS (SELECT 1 FROM json_each(publishableKeys) WHERE value ->> '$.id' = :key))`;
  // Overwrites a stored time if it is older, or if it is so far in the future that it comes from a wrong clock.
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
