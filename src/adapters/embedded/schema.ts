// Schema of accounts, usage, responses, events, rate limits, job runs and visitor counters, and its migrations.
import type { Database } from './sqlite/guarded-database.js';
import { inTransaction } from './sqlite/transaction.js';

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
  `
  CREATE TABLE accounts_2 (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_identity TEXT NOT NULL UNIQUE,
    email_verified INTEGER NOT NULL,
    password_hash TEXT NOT NULL,
    password_version INTEGER NOT NULL,
    tier TEXT NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise', 'internal')),
    suspended INTEGER NOT NULL,
    deleting INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    key_hash TEXT,
    key_hint TEXT,
    key_created_at INTEGER,
    key_last_used_at INTEGER,
    -- sessions, links, mails, notices: JSON that only the account's own code reads
    state TEXT NOT NULL,
    -- When something of it ends, and when a mail of it is due; null when nothing does.
    tidy_at INTEGER,
    mail_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO accounts_2
    SELECT id, email, email_identity, email_verified, password_hash, 1, tier, suspended, 0, created_at,
      key_hash, key_hint, key_created_at, key_last_used_at,
      '{"sessions":[],"links":[],"mails":[],"throttleNoticeAt":null}', NULL, NULL, version
    FROM accounts;
  DROP TABLE accounts;
  ALTER TABLE accounts_2 RENAME TO accounts;
  CREATE INDEX accounts_tidy ON accounts (tidy_at) WHERE tidy_at IS NOT NULL;
  CREATE INDEX accounts_mail ON accounts (mail_at) WHERE mail_at IS NOT NULL;
  CREATE INDEX accounts_deleting ON accounts (id) WHERE deleting = 1;

  CREATE TABLE audit (
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    by_kind TEXT NOT NULL,
    by_address TEXT,
    detail TEXT,
    PRIMARY KEY (account_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_age ON audit (at);

  CREATE TABLE budgets (
    subject_hash TEXT NOT NULL,
    window_ms INTEGER NOT NULL,
    began_at INTEGER NOT NULL,
    spent INTEGER NOT NULL,
    PRIMARY KEY (subject_hash, window_ms)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE job_runs (
    job TEXT NOT NULL,
    slot INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    error TEXT,
    PRIMARY KEY (job, slot)
  ) STRICT, WITHOUT ROWID;
  `,
  'ALTER TABLE accounts ADD COLUMN unlocks INTEGER NOT NULL DEFAULT 0',
  `
  CREATE TABLE password_reset_requests (
    id TEXT PRIMARY KEY,
    identity TEXT NOT NULL,
    by_kind TEXT NOT NULL,
    by_address TEXT,
    requested_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE accounts ADD COLUMN operator_tier TEXT;
  UPDATE accounts SET operator_tier = tier WHERE tier <> 'free';
  ALTER TABLE accounts ADD COLUMN customer_id TEXT;
  CREATE UNIQUE INDEX accounts_customer ON accounts (customer_id) WHERE customer_id IS NOT NULL;
  -- When the end of a plan, or the next report of the payment provider, is due.
  ALTER TABLE accounts ADD COLUMN billing_at INTEGER;
  CREATE INDEX accounts_billing ON accounts (billing_at) WHERE billing_at IS NOT NULL;

  CREATE TABLE payment_events (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    customer_id TEXT,
    created_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    -- Null: it is finished.
    due_at INTEGER,
    tries INTEGER NOT NULL,
    finished_at INTEGER,
    error TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX payment_events_due ON payment_events (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX payment_events_received ON payment_events (received_at);
  CREATE INDEX payment_events_customer ON payment_events (customer_id, received_at) WHERE customer_id IS NOT NULL;
  `,
  `
  CREATE TABLE visitor_counters (
    name TEXT PRIMARY KEY,
    -- Rises when it is reset or seeded.
    epoch INTEGER NOT NULL,
    total INTEGER NOT NULL,
    day TEXT NOT NULL,
    today INTEGER NOT NULL,
    -- Smallest hashes of the day's visitors, 64-bit floating point.
    visitors BLOB NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE responses (
    account_id TEXT NOT NULL,
    day TEXT NOT NULL,
    status_2xx INTEGER NOT NULL,
    status_3xx INTEGER NOT NULL,
    status_4xx INTEGER NOT NULL,
    status_5xx INTEGER NOT NULL,
    -- JSON: [[slug, requests], …], most requests first
    slugs TEXT NOT NULL,
    PRIMARY KEY (account_id, day)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- JSON: the publishable keys of the account, with their last uses
  ALTER TABLE accounts ADD COLUMN publishable_keys TEXT NOT NULL DEFAULT '[]';
  `,
];

/** Steps of this release that were not applied; negative when the file was written by a newer one. Writes nothing. */
export function missingSteps(db: Database): number {
  return STEPS.length - schemaVersion(db);
}

function schemaVersion(db: Database): number {
  return (db.prepare('PRAGMA user_version').get() as { readonly user_version: number }).user_version;
}

/** Throws when the file was written by a newer release. */
export function migrateAccounts(db: Database): void {
  inTransaction(db, () => {
    const from = schemaVersion(db);
    if (from > STEPS.length)
      throw new Error(`the database is of a newer release (schema ${from}, this one knows ${STEPS.length})`);
    for (const step of STEPS.slice(from)) db.exec(step);
    db.exec(`PRAGMA user_version = ${STEPS.length}`);
  });
}
