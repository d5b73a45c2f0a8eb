// Schema of the database, and its migrations.
import { CATALOG_STEP } from './catalog-schema.js';
import { OWN_BRANDS_STEP } from './own-brands-schema.js';
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
  `
  -- Generated columns that are not stored have no type: the check of a file would compute them for it.
  CREATE TABLE paymentEvents (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    customerId ANY AS (record ->> '$.customerId'),
    receivedAt ANY AS (record ->> '$.receivedAt'),
    dueAt ANY AS (record ->> '$.dueAt')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO paymentEvents (id, record) SELECT id, json_object('type', type, 'customerId', customer_id,
    'createdAt', created_at, 'receivedAt', received_at, 'dueAt', due_at, 'tries', tries, 'finishedAt', finished_at,
    'error', error, 'version', 1) FROM payment_events;
  DROP TABLE payment_events;
  CREATE INDEX paymentEvents_due ON paymentEvents (dueAt) WHERE dueAt IS NOT NULL;
  CREATE INDEX paymentEvents_received ON paymentEvents (receivedAt);
  CREATE INDEX paymentEvents_customer ON paymentEvents (customerId, receivedAt) WHERE customerId IS NOT NULL;

  CREATE TABLE jobRuns (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO jobRuns (id, record) SELECT job, json_object('version', 1, 'runs', json_group_array(
    json_object('slotMs', slot, 'startedAt', started_at, 'finishedAt', finished_at, 'error', error)))
    FROM job_runs GROUP BY job;
  DROP TABLE job_runs;

  CREATE TABLE passwordResetRequests (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    requestedAt ANY AS (record ->> '$.requestedAt')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO passwordResetRequests (id, record) SELECT id, json_object('identity', identity,
    'by', json_object('kind', by_kind, 'address', by_address), 'requestedAt', requested_at) FROM password_reset_requests;
  DROP TABLE password_reset_requests;

  ALTER TABLE responses RENAME TO responses_7;
  -- The id is account and day.
  CREATE TABLE responses (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    day ANY AS (record ->> '$.day')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO responses (id, record) SELECT account_id || ':' || day, json_object('day', day,
    'responses', json_object('2xx', status_2xx, '3xx', status_3xx, '4xx', status_4xx, '5xx', status_5xx),
    'slugs', (SELECT json_group_array(json_object('slug', value ->> 0, 'requests', value ->> 1)) FROM json_each(slugs)),
    'version', 1) FROM responses_7;
  DROP TABLE responses_7;
  CREATE INDEX responses_day ON responses (day);
  `,
  `
  ALTER TABLE accounts RENAME TO accounts_9;
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    -- Read alone, by admissions and password checks: before the record, whose end lies on other pages.
    keyHash TEXT AS (record ->> '$.key.hash') STORED,
    tier TEXT NOT NULL AS (record ->> '$.tier') STORED,
    suspended INTEGER NOT NULL AS (record ->> '$.suspended') STORED,
    publishableKeys TEXT NOT NULL AS (record -> '$.publishableKeys') STORED,
    passwordRecord TEXT NOT NULL AS (json_object('password', record -> '$.password', 'unlocks', record -> '$.unlocks',
      'deleting', record -> '$.deleting', 'version', record -> '$.version')) STORED,
    record TEXT NOT NULL,
    version ANY AS (record ->> '$.version'),
    emailIdentity ANY AS (record ->> '$.emailIdentity'),
    "billing.customerId" ANY AS (record ->> '$.billing.customerId'),
    deleting ANY AS (record ->> '$.deleting'),
    tidyAt ANY AS (record ->> '$.tidyAt'),
    mailAt ANY AS (record ->> '$.mailAt'),
    billingAt ANY AS (record ->> '$.billingAt')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO accounts (id, record) SELECT id, json_set(state, '$.email', email, '$.emailIdentity', email_identity,
    '$.emailVerified', json(iif(email_verified = 1, 'true', 'false')),
    '$.password', json_object('hash', password_hash, 'version', password_version),
    '$.tier', tier, '$.operatorTier', operator_tier, '$.createdAt', created_at,
    '$.suspended', json(iif(suspended = 1, 'true', 'false')), '$.deleting', json(iif(deleting = 1, 'true', 'false')),
    '$.key', json(iif(key_hash IS NULL, 'null', json_object('hash', key_hash, 'hint', key_hint,
      'createdAt', key_created_at, 'lastUsedAt', key_last_used_at))),
    '$.publishableKeys', json(publishable_keys), '$.unlocks', unlocks, '$.tidyAt', tidy_at, '$.mailAt', mail_at,
    '$.billingAt', billing_at, '$.version', version, '$.lastUses', json('{}')) FROM accounts_9;
  DROP TABLE accounts_9;
  CREATE UNIQUE INDEX accounts_email ON accounts (emailIdentity);
  CREATE UNIQUE INDEX accounts_customer ON accounts ("billing.customerId") WHERE "billing.customerId" IS NOT NULL;
  CREATE INDEX accounts_tidy ON accounts (tidyAt) WHERE tidyAt IS NOT NULL;
  CREATE INDEX accounts_mail ON accounts (mailAt) WHERE mailAt IS NOT NULL;
  CREATE INDEX accounts_billing ON accounts (billingAt) WHERE billingAt IS NOT NULL;
  CREATE INDEX accounts_deleting ON accounts (deleting) WHERE deleting = 1;

  ALTER TABLE audit RENAME TO audit_9;
  -- The id is account and event.
  CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    at ANY AS (record ->> '$.at')
  ) STRICT, WITHOUT ROWID;
  INSERT INTO audit (id, record) SELECT account_id || ':' || id, json_patch(
    json_object('at', at, 'type', type, 'by', json_object('kind', by_kind, 'address', by_address)),
    json_object('detail', json(detail))) FROM audit_9;
  DROP TABLE audit_9;
  CREATE INDEX audit_age ON audit (at);
  `,
  CATALOG_STEP,
  `
  -- The id is day and process.
  CREATE TABLE missingNames (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    day ANY AS (record ->> '$.day')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX missingNames_day ON missingNames (day);
  `,
  OWN_BRANDS_STEP,
];

/** Steps of this release that were not applied; negative when the file was written by a newer one. Writes nothing. */
export function missingSteps(db: Database): number {
  return STEPS.length - schemaVersion(db);
}

function schemaVersion(db: Database): number {
  return (db.prepare('PRAGMA user_version').get() as { readonly user_version: number }).user_version;
}

/** Throws when the file was written by a newer release. */
export function migrate(db: Database): void {
  inTransaction(db, () => {
    const from = schemaVersion(db);
    if (from > STEPS.length)
      throw new Error(`the database is of a newer release (schema ${from}, this one knows ${STEPS.length})`);
    for (const step of STEPS.slice(from)) db.exec(step);
    db.exec(`PRAGMA user_version = ${STEPS.length}`);
  });
}
