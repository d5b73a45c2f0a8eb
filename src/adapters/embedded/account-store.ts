// Accounts in SQLite.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { emailIdentity } from '../../domain/account.js';
import type { AccountStore } from '../../ports/account-store.js';

export function embeddedAccountStore(db: DatabaseSyncInstance): AccountStore {
  const insert = db.prepare(`
    INSERT INTO accounts (id, email, email_identity, email_verified, password_hash, tier, suspended, created_at,
      key_hash, key_hint, key_created_at, key_last_used_at, version)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (email_identity) DO NOTHING`);

  return {
    async insert(account) {
      const { key } = account;
      const { changes } = insert.run(
        account.id,
        account.email,
        emailIdentity(account.email),
        Number(account.emailVerified),
        account.passwordHash,
        account.tier,
        Number(account.suspended),
        account.createdAt.getTime(),
        key.hash,
        key.hint,
        key.createdAt.getTime(),
        key.lastUsedAt?.getTime() ?? null,
        account.version,
      );
      return changes === 1 ? 'inserted' : 'email_taken';
    },
  };
}
