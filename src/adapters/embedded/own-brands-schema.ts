// Schema of own brands, a step of the migrations: their texts, and what admissions read of them in an account.

export const OWN_BRANDS_STEP = `
  ALTER TABLE accounts RENAME TO accounts_11;
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
  INSERT INTO accounts (id, record) SELECT id, record FROM accounts_11;
  DROP TABLE accounts_11;
  CREATE UNIQUE INDEX accounts_email ON accounts (emailIdentity);
  CREATE UNIQUE INDEX accounts_customer ON accounts ("billing.customerId") WHERE "billing.customerId" IS NOT NULL;
  CREATE INDEX accounts_tidy ON accounts (tidyAt) WHERE tidyAt IS NOT NULL;
  CREATE INDEX accounts_mail ON accounts (mailAt) WHERE mailAt IS NOT NULL;
  CREATE INDEX accounts_billing ON accounts (billingAt) WHERE billingAt IS NOT NULL;
  CREATE INDEX accounts_deleting ON accounts (deleting) WHERE deleting = 1;

  -- With a rowid, as the rows of the catalog.
  CREATE TABLE ownBrandTexts (
    id TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    accountId ANY AS (record ->> '$.accountId'),
    version ANY AS (record ->> '$.version')
  ) STRICT;
  CREATE INDEX ownBrandTexts_account ON ownBrandTexts (accountId);
  `;
