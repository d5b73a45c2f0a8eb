// Tables of accounts and their counters.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** Step n brings a file of version n to n + 1 (`PRAGMA user_version`). Never edit a step that was released. */
const STEPS = [
  `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_identity TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    tier TEXT NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise', 'internal')),
    suspended INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    key_hash TEXT NOT NULL,
    key_hint TEXT NOT NULL,
    key_created_at INTEGER NOT NULL,
    key_last_used_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE usage (
    account_id TEXT NOT NULL,
    day TEXT NOT NULL,
    bucket TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (account_id, day, bucket)
  ) STRICT, WITHOUT ROWID;
  `,
];

/** Throws when the file was written by a newer release. */
export function migrateAccounts(db: DatabaseSyncInstance): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    const { user_version: from } = db.prepare('PRAGMA user_version').get() as { readonly user_version: number };
    if (from > STEPS.length) throw new Error(`the database is of a newer release (schema ${from}, this one knows ${STEPS.length})`);
    for (const step of STEPS.slice(from)) db.exec(step);
    db.exec(`PRAGMA user_version = ${STEPS.length}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
