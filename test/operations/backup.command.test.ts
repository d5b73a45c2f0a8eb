// The commands `backup` and `restore` in the embedded family.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DatabaseSync } from '@photostructure/sqlite';
import { FEATURES } from '../../src/features.js';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import { openServiceStores } from '../../src/platform/stores/embedded-stores.js';
import { someAccount } from '../support/accounts.js';
import { rejected, runCli } from '../support/cli.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const options = { features: FEATURES, now: Date.now, onError: () => undefined };

describe('backup and restore', () => {
  let root: ReturnType<typeof temporaryDir>;
  beforeEach(() => (root = temporaryDir()));
  afterEach(() => root.remove());

  const path = (name: string) => join(root.path, name);
  const run = (name: 'backup' | 'restore', words: readonly string[], dataDir: string) =>
    runCli(name, words, { DATA_DIR: path(dataDir) });

  async function addAccount(dataDir: string): Promise<void> {
    const stores = await openCommandStores(embeddedIn(path(dataDir)), options);
    await stores.accounts.insert(someAccount().account);
    await stores.close();
  }
  async function countAccounts(dataDir: string): Promise<number> {
    const stores = await openCommandStores(embeddedIn(path(dataDir)), options);
    const accounts = await stores.accounts.list({ limit: 100 });
    await stores.close();
    return accounts.length;
  }

  it('writes all data while the service runs, readable by its owner only, and restores it', async () => {
    await addAccount('data');
    const service = await openServiceStores({ dataDir: path('data'), ...options });
    await service.accounts.insert(someAccount().account);
    expect(await run('backup', [path('one.sqlite')], 'data')).to.include({ status: 0, stderr: '' });
    await service.accounts.insert(someAccount().account);
    await service.close();
    expect(statSync(path('one.sqlite')).mode & 0o777).to.equal(0o600);
    expect(await run('restore', [path('one.sqlite')], 'other')).to.include({ status: 0, stderr: '' });
    expect([await countAccounts('data'), await countAccounts('other')]).to.deep.equal([3, 2]);
    expect(statSync(join(path('other'), 'blazon.sqlite')).mode & 0o777).to.equal(0o600);
  });

  it('keeps files that are there', async () => {
    await addAccount('data');
    writeFileSync(path('taken'), 'of somebody else');
    expect(rejected(await run('backup', [path('taken')], 'data'))).to.match(
      /taken already exists\. Choose another name/,
    );
    expect(readFileSync(path('taken'), 'utf8')).to.equal('of somebody else');
    expect((await run('backup', [path('one.sqlite')], 'data')).status).to.equal(0);
    await addAccount('data');
    const kept = await run('restore', [path('one.sqlite')], 'data');
    expect(kept).to.include({ status: 78, stdout: '' });
    expect(kept.stderr).to.match(/exists\. Choose another folder, or use --replace/);
    expect(await countAccounts('data')).to.equal(2);
    const replaced = await run('restore', [path('one.sqlite'), '--replace'], 'data');
    expect(replaced).to.include({ status: 0, stderr: '' });
    expect(replaced.stdout).to.match(/The previous database is now .+\/replaced-/);
    expect(await countAccounts('data')).to.equal(1);
    const [old = ''] = readdirSync(path('data')).filter((name) => name.startsWith('replaced-'));
    mkdirSync(path('old'));
    cpSync(join(path('data'), old), join(path('old'), 'blazon.sqlite'));
    expect(await countAccounts('old')).to.equal(2);
  });

  it('is rejected while a service runs in the folder', async () => {
    await addAccount('data');
    await run('backup', [path('one.sqlite')], 'data');
    const service = await openServiceStores({ dataDir: path('data'), ...options });
    const { status, stderr } = await run('restore', [path('one.sqlite'), '--replace'], 'data');
    expect([status, stderr]).to.deep.equal([
      78,
      `DATA_DIR: a Blazon process is using ${path('data')}. Stop it first\n`,
    ]);
    await service.close();
  });

  it('recognize a missing, foreign, damaged or newer file before any change', async () => {
    await addAccount('data');
    await run('backup', [path('good.sqlite')], 'data');
    const bytes = readFileSync(path('good.sqlite'));
    writeFileSync(path('foreign'), '<svg/>');
    writeFileSync(path('torn'), bytes.subarray(0, bytes.length / 2));
    // Offset 60 of an SQLite file contains the schema version (PRAGMA user_version, sqlite.org/fileformat.html).
    const newer = Buffer.from(bytes);
    newer.writeUInt32BE(999, 60);
    writeFileSync(path('newer'), newer);
    for (const [name, reason] of [
      ['missing', /there is no such file/],
      ['foreign', /not a database/],
      ['torn', /the file is damaged(,| or) incomplete/],
      ['newer', /the file is from a newer release/],
    ] as const)
      expect(rejected(await run('restore', [path(name)], 'other')), name)
        .to.match(/cannot be restored: .+ Nothing was changed\.$/m)
        .and.match(reason);
    expect(existsSync(path('other'))).to.equal(false);
  });

  it('recognize a file that is damaged inside one page, in every table', async () => {
    await addAccount('data');
    await run('backup', [path('good.sqlite')], 'data');
    const good = new DatabaseSync(path('good.sqlite'));
    const roots = good
      .prepare(
        "SELECT name, rootpage AS page FROM sqlite_schema WHERE type = 'table' AND name IN ('accounts', 'usage')",
      )
      .all() as { readonly name: string; readonly page: number }[];
    const { page_size: pageSize } = good.prepare('PRAGMA page_size').get() as { readonly page_size: number };
    good.close();
    expect(roots).to.have.length(2);
    for (const { name, page } of roots) {
      const bytes = readFileSync(path('good.sqlite'));
      bytes.fill('x', (page - 1) * pageSize, (page - 1) * pageSize + 100);
      writeFileSync(path(name), bytes);
      expect(rejected(await run('restore', [path(name)], 'other')), name)
        .to.match(/cannot be restored: the file is damaged/)
        .and.match(/Nothing was changed\.$/m);
    }
    expect(existsSync(path('other'))).to.equal(false);
  });

  it('rejects triggers, views, tables and definitions that no backup has, before anything is touched', async () => {
    await addAccount('data');
    await run('backup', [path('good.sqlite')], 'data');
    const foreign: Readonly<Record<string, readonly [sql: string, reason: RegExp]>> = {
      trigger: [
        'CREATE TRIGGER evil AFTER INSERT ON accounts BEGIN UPDATE usage SET used = 0; END',
        /the database has the trigger evil, which does not belong to Blazon/,
      ],
      view: ['CREATE VIEW audit2 AS SELECT * FROM audit', /the database has the view audit2,/],
      'view in place of a table': [
        'DROP TABLE usage; CREATE VIEW usage AS SELECT 1 AS account_id',
        /the database has the view usage, which does not belong to Blazon/,
      ],
      table: ['CREATE TABLE notes (text TEXT)', /the database has the table notes,/],
      index: ['CREATE INDEX slow ON audit (record)', /the database has the index slow,/],
      'table of the same name': [
        'DROP TABLE budgets; CREATE TABLE budgets (subject_hash TEXT, window_ms, began_at, spent)',
        /the table budgets differs from Blazon's/,
      ],
      'index that is missing': ['DROP INDEX accounts_email', /the index accounts_email is missing/],
      'version that was never written': ['PRAGMA user_version = 0', /the database has the table accounts,/],
    };
    for (const [name, [sql, reason]] of Object.entries(foreign)) {
      const file = path(`${name}.sqlite`);
      cpSync(path('good.sqlite'), file);
      const db = new DatabaseSync(file);
      db.exec(sql);
      db.close();
      expect(rejected(await run('restore', [file], 'other')), name)
        .to.match(/cannot be restored: .+ Nothing was changed\.$/m)
        .and.match(reason);
    }
    expect(existsSync(path('other'))).to.equal(false);
    const analyzed = new DatabaseSync(path('good.sqlite'));
    analyzed.exec('ANALYZE');
    analyzed.close();
    expect(await run('restore', [path('good.sqlite')], 'other')).to.include({ status: 0, stderr: '' });
  });

  it('report that the file could not be restored', async () => {
    await addAccount('data');
    const db = new DatabaseSync(join(path('data'), 'blazon.sqlite'));
    db.exec('CREATE TABLE lost_and_found (id)');
    db.close();
    expect(rejected(await run('backup', [path('one.sqlite')], 'data'))).to.match(
      /one.sqlite was written, but cannot be restored: the database has the table lost_and_found, which does not belong to Blazon\.\n$/,
    );
  });

  it('name a target with a missing folder, and a DATA_DIR that is a file', async () => {
    await addAccount('data');
    expect(rejected(await run('backup', [path('none/b.sqlite')], 'data'))).to.equal(
      `${path('none/b.sqlite')} cannot be written, because the folder ${path('none')} does not exist.\n`,
    );
    writeFileSync(path('file'), '');
    await run('backup', [path('good.sqlite')], 'data');
    const restored = await run('restore', [path('good.sqlite')], 'file');
    expect(restored).to.include({ status: 78, stdout: '' });
    expect(restored.stderr).to.include(`DATA_DIR: ${path('file')} cannot be used (the path is a file)`);
    expect((await run('backup', [path('two.sqlite')], 'file')).status).to.equal(78);
    const below = await run('restore', [path('good.sqlite')], 'file/x');
    expect(below).to.include({ status: 78, stdout: '' });
    expect(below.stderr).to.match(/^DATA_DIR: .+file\/x cannot be used \(ENOTDIR: .+\)\. It must be a folder .+\n$/);
  });

  it('report that there is nothing to back up without a database', async () => {
    const { status, stderr } = await run('backup', [path('one.sqlite')], 'none');
    expect([status, stderr]).to.deep.equal([78, `DATA_DIR: there is no database in ${path('none')}. Check the path\n`]);
    expect(existsSync(path('one.sqlite'))).to.equal(false);
  });
});
