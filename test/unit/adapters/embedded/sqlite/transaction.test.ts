// Transactions on a database that cannot be written.
import { expect } from 'chai';
import { openDatabase } from '../../../../../src/adapters/embedded/sqlite/database.js';
import { inTransaction } from '../../../../../src/adapters/embedded/sqlite/transaction.js';
import { AppError } from '../../../../../src/errors.js';
import { someAccount } from '../../../../support/accounts.js';
import { recordStores } from '../../../../support/stores.js';
import { temporaryDatabase } from '../../../../support/temporary.js';

/** What it rejects with. */
async function errorOf(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).to.be.instanceOf(AppError);
  return error as AppError;
}

describe('transaction', () => {
  let database: ReturnType<typeof temporaryDatabase>;
  beforeEach(() => {
    database = temporaryDatabase();
  });
  afterEach(() => database.close());

  it('is unavailable while another connection writes, and works afterwards', async () => {
    const { db, path } = database;
    const store = recordStores(db).accounts;
    const { account } = someAccount();
    await store.insert(account);
    const other = openDatabase(path);
    try {
      db.exec('PRAGMA busy_timeout = 5');
      other.exec('BEGIN IMMEDIATE');
      const save = () => store.save({ ...account, version: account.version + 1 });
      const error = await errorOf(save());
      expect(error).to.include({ code: 'unavailable', status: 503, retryAfterSeconds: 2 });
      expect(error.cause).to.have.property('sqliteCodeName', 'SQLITE_BUSY');
      other.exec('ROLLBACK');
      expect(await save()).to.equal(true);
    } finally {
      other.close();
    }
  });

  it('is unavailable on a full disk, with nothing of it written', async () => {
    const { db } = database;
    const store = recordStores(db).accounts;
    const pages = db.prepare('PRAGMA page_count').get() as { readonly page_count: number };
    db.exec(`PRAGMA max_page_count = ${pages.page_count}`);
    const { account } = someAccount({ passwordHash: 'x'.repeat(100_000) });
    const error = await errorOf(store.insert(account));
    expect(error.code).to.equal('unavailable');
    expect(error.cause).to.have.property('sqliteCodeName', 'SQLITE_FULL');
    expect(db.isTransaction).to.equal(false);
    expect(await store.find(account.id)).to.equal(undefined);
  });

  it('rethrows every other error unchanged', () => {
    const { db } = database;
    const bug = new Error('a bug');
    expect(() =>
      inTransaction(db, () => {
        throw bug;
      }),
    ).to.throw(bug);
    expect(() => inTransaction(db, () => db.exec('SELECT 1 FROM nowhere')))
      .to.throw(/nowhere/)
      .with.property('sqliteCodeName', 'SQLITE_ERROR');
    expect(db.isTransaction).to.equal(false);
  });
});
