// Writer of the last use of keys, without a new version of their accounts.
import type { KeyUse } from '../../../domain/account/key-uses.js';
import { publishableKeyId } from '../../../domain/account/publishable-key.js';
import { CLOCK_TOLERANCE_MS } from '../../../domain/time.js';
import type { Database } from '../sqlite/guarded-database.js';
import { inTransaction } from '../sqlite/transaction.js';
import { publishableKeys, publishableKeysText } from './account-record.js';

/** All or none; a key that its account no longer has is left out. Throws AppError `unavailable`. */
export function createLastUseWriter(db: Database): (uses: readonly KeyUse[]) => void {
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
    const id = publishableKeyId(keyHash);
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
