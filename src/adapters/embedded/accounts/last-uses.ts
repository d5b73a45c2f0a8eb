// Last uses of keys: noted in memory, and written every second, without new versions of their accounts.
import { createKeyUses, type KeyUse, type KeyUses } from '../../../domain/account/key-uses.js';
import { keyId } from '../../../domain/account/key-format.js';
import { CLOCK_TOLERANCE_MS, SECOND_MS } from '../../../domain/time.js';
import type { Database } from '../sqlite/guarded-database.js';
import { inTransaction } from '../sqlite/transaction.js';
import { publishableKeys, publishableKeysText } from './account-record.js';

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

/** All or none; a key that its account no longer has is left out. */
function createWriter(db: Database): (uses: readonly KeyUse[]) => void {
  // Also over a time ahead of any that could be newer: a wrong clock has written it.
  const write = db.prepare(
    `UPDATE accounts SET key_last_used_at = :at WHERE id = :id AND key_hash = :hash
     AND (key_last_used_at IS NULL OR key_last_used_at < :at OR key_last_used_at > :at + ${CLOCK_TOLERANCE_MS})`,
  );
  const readKeys = db.prepare('SELECT publishable_keys FROM accounts WHERE id = ?');
  const writeKeys = db.prepare('UPDATE accounts SET publishable_keys = ? WHERE id = ?');

  function writePublishable({ accountId, keyHash, lastUsedAt }: KeyUse): void {
    const row = readKeys.get(accountId) as { readonly publishable_keys: string } | undefined;
    if (!row) return;
    const id = keyId(keyHash);
    const keys = publishableKeys.parse(JSON.parse(row.publishable_keys));
    const used = keys.map((key) => (key.id === id ? { ...key, lastUsedAt } : key));
    writeKeys.run(publishableKeysText(used), accountId);
  }

  return (uses) =>
    inTransaction(db, () => {
      for (const use of uses) {
        if (use.isPublishable) writePublishable(use);
        else write.run({ at: use.lastUsedAt.getTime(), id: use.accountId, hash: use.keyHash });
      }
    });
}
