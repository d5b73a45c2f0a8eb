// Last uses of keys: noted in memory, and written every second, without new versions of their accounts.
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
  /** A round failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

export function openLastUses(db: Database, { maxKeys, onError }: Options) {
  const { note, write } = createKeyUses(maxKeys);
  const store = createWriter(db);
  const rounds = periodicTask({ intervalMs: SECOND_MS, work: () => write(store), onError });
  return {
    note,
    /** Rejects with AppError `unavailable`. */
    flush: rounds.run,
    /** Writes for the last time. The database must still be open. */
    close: (): Promise<void> => rounds.close(CLOSE_LIMIT_MS).catch(onError),
  };
}

/** All or none. */
function createWriter(db: Database): (uses: readonly KeyUse[]) => void {
  const stored = `record ->> ('$.lastUses."' || :key || '"')`;
  // The use of a key that was replaced meanwhile would never be deleted again.
  const isKept = `(keyHash = :keyHash OR EXISTS (SELECT 1 FROM json_each(publishableKeys) WHERE value ->> '$.id' = :key))`;
  // Also over a time ahead of any that could be newer: a wrong clock has written it.
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
