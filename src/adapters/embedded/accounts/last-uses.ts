// Last uses of keys: noted in memory, and written every second, without new versions of their accounts.
import { createKeyUses, type KeyUse, type KeyUses } from '../../../domain/account/key-uses.js';
import { keyId } from '../../../domain/account/key-format.js';
import { CLOCK_TOLERANCE_MS, SECOND_MS } from '../../../domain/time.js';
import type { Database } from '../sqlite/guarded-database.js';
import { inTransaction } from '../sqlite/transaction.js';

const FLUSH_INTERVAL_MS = SECOND_MS;

export interface LastUses extends Pick<KeyUses, 'note'> {
  /** Rejects with AppError `unavailable`; the next round tries again. */
  readonly flush: () => Promise<void>;
  /** Flushes for the last time. The database must still be open. */
  readonly close: () => Promise<void>;
}

/** `onError`: a round failed. */
export function openLastUses(db: Database, onError: (error: unknown) => void): LastUses {
  const { note, write } = createKeyUses();
  const store = createWriter(db);
  const flush = () => write(store);
  const timer = setInterval(() => void flush().catch(onError), FLUSH_INTERVAL_MS).unref();
  return {
    note,
    flush,
    async close() {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
}

/** All or none. */
function createWriter(db: Database): (uses: readonly KeyUse[]) => void {
  const stored = `record ->> ('$.lastUses."' || :key || '"')`;
  // Of a key that was replaced meanwhile, nothing would delete it again.
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
