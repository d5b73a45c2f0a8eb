// Transactions when the database cannot be written.
import { expect } from 'chai';
import { inTransaction } from '../../../../src/platform/stores/sqlite/transaction.js';
import { AppError } from '../../../../src/platform/errors.js';
import { someAccount } from '../../../support/accounts.js';
import { recordStores } from '../../../support/stores.js';
import { temporaryDatabase } from '../../../support/temporary.js';

describe('transaction', () => {
  let database: ReturnType<typeof temporaryDatabase>;
  beforeEach(() => {
    database = temporaryDatabase();
  });
  afterEach(() => database.close());

  it('is unavailable on a full disk, and writes nothing', async () => {
    const { db } = database;
    const store = recordStores(db).accounts;
    const pages = db.prepare('PRAGMA page_count').get() as { readonly page_count: number };
    db.exec(`PRAGMA max_page_count = ${pages.page_count}`);
    const { account } = someAccount({ passwordHash: 'x'.repeat(100_000) });
    const error: unknown = await store.insert(account).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(AppError).with.property('code', 'unavailable');
    expect(error).to.have.property('cause').that.has.property('sqliteCodeName', 'SQLITE_FULL');
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
