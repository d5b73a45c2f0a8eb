// Schema of the database, and its migrations.
import { openMemoryDatabase } from './database.js';
import type { Database } from './guarded-database.js';
import { inTransaction } from './transaction.js';

/** `PRAGMA user_version` of a file with `FIRST_SCHEMA`. Lower versions were never released. */
const FIRST_VERSION = 13;
/**
 * Schema of release 0.1.0. Virtual generated columns have no type, because the integrity check would compute each value
 * of a typed column. Tables with long rows keep their rowid, because in a WITHOUT ROWID table, a row of 1 KB or more
 * takes a page of its own (sqlite.org/withoutrowid.html).
 */
const FIRST_SCHEMA = `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    -- Read alone, by admissions and password checks: before the record, whose end lies on other pages.
    keyHash TEXT AS (record ->> '$.key.hash') STORED,
    tier TEXT NOT NULL AS (record ->> '$.tier') STORED,
    suspended INTEGER NOT NULL AS (record ->> '$.suspended') STORED,
    publishableKeys TEXT NOT NULL AS (record -> '$.publishableKeys') STORED,
    ownBrands TEXT AS (record ->> '$.ownBrands.pages') STORED,
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
  CREATE UNIQUE INDEX accounts_email ON accounts (emailIdentity);
  CREATE UNIQUE INDEX accounts_customer ON accounts ("billing.customerId") WHERE "billing.customerId" IS NOT NULL;
  CREATE INDEX accounts_tidy ON accounts (tidyAt) WHERE tidyAt IS NOT NULL;
  CREATE INDEX accounts_mail ON accounts (mailAt) WHERE mailAt IS NOT NULL;
  CREATE INDEX accounts_billing ON accounts (billingAt) WHERE billingAt IS NOT NULL;
  CREATE INDEX accounts_deleting ON accounts (deleting) WHERE deleting = 1;

  -- The id is account and event.
  CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    at ANY AS (record ->> '$.at')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_age ON audit (at);

  CREATE TABLE usage (
    account_id TEXT NOT NULL,
    day TEXT NOT NULL,
    bucket TEXT NOT NULL,
    used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (account_id, day, bucket)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE budgets (
    subject_hash TEXT NOT NULL,
    window_ms INTEGER NOT NULL,
    began_at INTEGER NOT NULL,
    spent INTEGER NOT NULL,
    PRIMARY KEY (subject_hash, window_ms)
  ) STRICT, WITHOUT ROWID;

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

  CREATE TABLE paymentEvents (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    customerId ANY AS (record ->> '$.customerId'),
    receivedAt ANY AS (record ->> '$.receivedAt'),
    dueAt ANY AS (record ->> '$.dueAt')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX paymentEvents_due ON paymentEvents (dueAt) WHERE dueAt IS NOT NULL;
  CREATE INDEX paymentEvents_received ON paymentEvents (receivedAt);
  CREATE INDEX paymentEvents_customer ON paymentEvents (customerId, receivedAt) WHERE customerId IS NOT NULL;

  CREATE TABLE jobRuns (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE passwordResetRequests (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    requestedAt ANY AS (record ->> '$.requestedAt')
  ) STRICT, WITHOUT ROWID;

  -- The id is account and day.
  CREATE TABLE responses (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    day ANY AS (record ->> '$.day')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX responses_day ON responses (day);

  -- The id is day and process.
  CREATE TABLE missingNames (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    day ANY AS (record ->> '$.day')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX missingNames_day ON missingNames (day);

  CREATE TABLE catalogState (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    head ANY AS (json_object('generation', record -> '$.generation', 'entries', record -> '$.entries',
      'withdrawn', record -> '$.withdrawn', 'publishedAt', record -> '$.publishedAt')),
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE catalogRows (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT;

  CREATE TABLE ownBrandTexts (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    accountId ANY AS (record ->> '$.accountId'),
    version ANY AS (record ->> '$.version')
  ) STRICT;
  CREATE INDEX ownBrandTexts_account ON ownBrandTexts (accountId);

  CREATE TABLE write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
`;

/**
 * Migrations. Element n of the list converts a file of version `FIRST_VERSION` + n to the next version. Released
 * elements must not be changed.
 */
const STEPS: readonly string[] = [
  `CREATE TABLE logoReports (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;`,
  `
  ALTER TABLE accounts ADD COLUMN featuresAt ANY AS (record ->> '$.featuresAt');
  CREATE INDEX accounts_features ON accounts (featuresAt) WHERE featuresAt IS NOT NULL;

  -- The id is endpoint and event, and the id of an endpoint begins with its account.
  CREATE TABLE webhookDeliveries (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    endpointId ANY AS (record ->> '$.endpointId'),
    dueAt ANY AS (record ->> '$.dueAt'),
    createdAt ANY AS (record ->> '$.createdAt')
  ) STRICT;
  CREATE INDEX webhookDeliveries_due ON webhookDeliveries (endpointId, dueAt, id) WHERE dueAt IS NOT NULL;
  CREATE INDEX webhookDeliveries_age ON webhookDeliveries (createdAt);

  -- The id is the endpoint.
  CREATE TABLE webhookQueues (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    dueAt ANY AS (record ->> '$.dueAt')
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX webhookQueues_due ON webhookQueues (dueAt) WHERE dueAt IS NOT NULL;
  `,
  `
  -- The id is the host. The icon makes rows long, so the table has a rowid.
  CREATE TABLE siteIcons (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    record TEXT NOT NULL,
    dueAt ANY AS (record ->> '$.dueAt'),
    usedAt ANY AS (record ->> '$.usedAt'),
    bytes ANY AS (record ->> '$.bytes')
  ) STRICT;
  CREATE INDEX siteIcons_due ON siteIcons (dueAt) WHERE dueAt IS NOT NULL;
  CREATE INDEX siteIcons_used ON siteIcons (usedAt) WHERE dueAt IS NOT NULL;
  CREATE INDEX siteIcons_bytes ON siteIcons (bytes);
`,
];
const VERSION = FIRST_VERSION + STEPS.length;

/**
 * Returns the number of migrations that the file still needs. Call it only if `schemaFault` returns undefined. Writes
 * nothing.
 */
export function missingSteps(db: Database): number {
  return VERSION - Math.max(schemaVersion(db), FIRST_VERSION - 1);
}

function schemaVersion(db: Database): number {
  return (db.prepare('PRAGMA user_version').get() as { readonly user_version: number }).user_version;
}

/** Returns the reason why this release cannot use the file, or undefined if it can. */
export function schemaFault(db: Database): string | undefined {
  const version = schemaVersion(db);
  if (version > VERSION) return `from a newer release (schema ${version}; this release supports up to ${VERSION})`;
  if (version === 0 || version >= FIRST_VERSION) return undefined;
  return `from a release before 0.1.0 (schema ${version}; the oldest supported is ${FIRST_VERSION})`;
}

/** Tables that the command ANALYZE creates. They are allowed, because an operator may have run ANALYZE. */
const STATISTICS: readonly string[] = [
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
];

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/**
 * Compares the database with the schema of its version. Returns the first difference as text, or undefined if there is
 * none. A file with a difference must not be used, because a foreign trigger or view could run SQL inside the service,
 * or change what the service reads.
 */
export function foreignObject(db: Database): string | undefined {
  const blank = openMemoryDatabase();
  try {
    for (const step of [FIRST_SCHEMA, ...STEPS].slice(0, schemaVersion(db) - FIRST_VERSION + 1)) blank.exec(step);
    const [known, found] = [objectsOf(blank), objectsOf(db)];
    for (const [label, sql] of found) {
      if (STATISTICS.includes(sql)) continue;
      if (!known.has(label)) return `the database has the ${label}, which does not belong to Blazon`;
      if (known.get(label) !== sql) return `the ${label} differs from Blazon's`;
    }
    const missing = [...known.keys()].find((label) => !found.has(label));
    return missing === undefined ? undefined : `the ${missing} is missing`;
  } finally {
    blank.close();
  }
}

/** Returns SQL definitions without comments and line breaks, by type and name of the object. */
function objectsOf(db: Pick<Database, 'prepare'>): ReadonlyMap<string, string> {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema').all() as unknown as SchemaObject[];
  return new Map(
    rows.map(({ type, name, sql }) => [
      `${type} ${name}`,
      (sql ?? '').replaceAll(/--[^\n]*/g, '').replaceAll(/\s+/g, ' '),
    ]),
  );
}

/** Migrates the database to the current schema. Throws if `schemaFault` returns a reason. */
export function migrate(db: Database): void {
  inTransaction(db, () => {
    const fault = schemaFault(db);
    if (fault !== undefined) {
      const advice = schemaVersion(db) > VERSION ? ': run that release or a newer one, or restore a backup' : '';
      throw new Error(`the database is ${fault}${advice}`);
    }
    const all = [FIRST_SCHEMA, ...STEPS];
    for (const step of all.slice(all.length - missingSteps(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${VERSION}`);
  });
}
