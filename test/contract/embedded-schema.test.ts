// Database files of earlier releases.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedQuotaAdmissions } from '../../src/adapters/embedded/accounts/quota-admissions.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { migrate } from '../../src/adapters/embedded/schema.js';
import { readPlans } from '../../config/plans.js';
import type { AccountId } from '../../src/domain/account/account.js';
import { newApiKey } from '../../src/domain/account/api-key.js';
import { randomBase62 } from '../../src/domain/text/base62.js';
import { TIERS } from '../../src/domain/metering/plan.js';
import { utcDay } from '../../src/domain/metering/utc-day.js';
import { recordStores } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

/** As the first release wrote it. */
const VERSION_1 = `
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY, email TEXT NOT NULL, email_identity TEXT NOT NULL UNIQUE, email_verified INTEGER NOT NULL,
    password_hash TEXT NOT NULL, tier TEXT NOT NULL CHECK (tier IN ('free', 'pro', 'enterprise', 'internal')),
    suspended INTEGER NOT NULL, created_at INTEGER NOT NULL, key_hash TEXT NOT NULL, key_hint TEXT NOT NULL,
    key_created_at INTEGER NOT NULL, key_last_used_at INTEGER, version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE usage (
    account_id TEXT NOT NULL, day TEXT NOT NULL, bucket TEXT NOT NULL, used INTEGER NOT NULL CHECK (used >= 0),
    PRIMARY KEY (account_id, day, bucket)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;
`;
const NOW = Date.UTC(2026, 4, 1, 12);

function open() {
  const { path, remove } = temporaryDir();
  const db = openDatabase(path);
  return {
    db,
    close: () => {
      db.close();
      remove();
    },
  };
}

describe('a database of version 1', () => {
  it('keeps every account, key and counter', async () => {
    const { db, close } = open();
    db.exec(VERSION_1);
    const old = Array.from({ length: 40 }, (_, index) => {
      const id = randomBase62(12) as AccountId;
      const lastUsedAt = index % 3 === 0 ? null : NOW - index;
      return {
        id,
        key: newApiKey(id),
        index,
        tier: TIERS[index % TIERS.length]!,
        suspended: index % 5 === 0,
        lastUsedAt,
      };
    });
    const insert = db.prepare('INSERT INTO accounts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    for (const { id, key, index, tier, suspended, lastUsedAt } of old) {
      insert.run(
        id,
        `User${index}@Example.com`,
        `user${index}@example.com`,
        index % 2,
        `$argon2id$${index}`,
        tier,
        Number(suspended),
        NOW - 1000 - index,
        key.hash,
        key.hint,
        NOW - 500 - index,
        lastUsedAt,
        index + 1,
      );
      db.prepare('INSERT INTO usage VALUES (?, ?, ?, ?)').run(id, utcDay(NOW), 'svg', index);
    }
    migrate(db);
    const store = recordStores(db).accounts;
    const admissions = openEmbeddedQuotaAdmissions({ db, plans: readPlans(), now: () => NOW });
    for (const { id, key, index, tier, suspended, lastUsedAt } of old) {
      const account = await store.findByEmail(`user${index}@example.com`);
      expect(account).to.deep.equal({
        id,
        email: `User${index}@Example.com`,
        emailVerified: index % 2 === 1,
        password: { hash: `$argon2id$${index}`, version: 1 },
        tier,
        operatorTier: tier === 'free' ? null : tier,
        billing: null,
        suspended,
        createdAt: new Date(NOW - 1000 - index),
        key: {
          hash: key.hash,
          hint: key.hint,
          createdAt: new Date(NOW - 500 - index),
          lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
        },
        sessions: [],
        links: [],
        mails: [],
        throttleNoticeAt: null,
        publishableKeys: [],
        ownBrands: null,
        unlocks: 0,
        noticedAt: {},
        deleting: false,
        version: index + 1,
      });
      const admission = await admissions.admit({ accountId: id, keyHash: key.hash, bucket: 'svg', charge: 'count' });
      if (suspended) expect(admission).to.deep.equal({ rejected: 'suspended' });
      else expect(admission).to.have.nested.property('quota.used', index + 1);
      expect(await store.save({ ...account!, version: index + 2 })).to.equal(true);
    }
    close();
  });

  it('is unchanged when a step fails', () => {
    const { db, close } = open();
    db.exec(`${VERSION_1} CREATE TABLE budgets (of_somebody_else TEXT);`);
    expect(() => migrate(db)).to.throw(/budgets/);
    expect(db.prepare('PRAGMA user_version').get()).to.deep.include({ user_version: 1 });
    expect(db.prepare('SELECT count(*) AS n FROM accounts').get()).to.deep.include({ n: 0 });
    close();
  });
});

describe('a database', () => {
  it('is migrated once, however often it is opened', () => {
    const { db, close } = open();
    for (let round = 0; round < 3; round++) migrate(db);
    close();
  });

  it('is readable by its owner only, with all files beside it', () => {
    const { path, remove } = temporaryDir();
    const db = openDatabase(path);
    migrate(db);
    const modes = readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o777]);
    expect(modes).to.deep.equal(
      ['blazon.sqlite', 'blazon.sqlite-shm', 'blazon.sqlite-wal'].map((name) => [name, 0o600]),
    );
    db.close();
    remove();
  });

  it('of a newer release is rejected', () => {
    const { db, close } = open();
    db.exec('PRAGMA user_version = 99');
    expect(() => migrate(db)).to.throw(/newer release/);
    close();
  });
});
