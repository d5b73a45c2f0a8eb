// Integrity check of a large database: it checks the tables one by one until a time limit.
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../../src/platform/stores/sqlite/database.js';
import { findDamage } from '../../../../src/platform/stores/sqlite/integrity.js';
import { migrate } from '../../../../src/platform/stores/sqlite/schema.js';
import { temporaryDir } from '../../../support/temporary.js';

const PAGE_BYTES = 4096;

describe('the integrity of a large database', () => {
  /** Overwrites the first page of this table with other bytes. Returns the damage that the check finds. */
  function foundIn(table: string | undefined, limits: Parameters<typeof findDamage>[2]): string | undefined {
    const { path, remove } = temporaryDir();
    const db = openDatabase(path);
    migrate(db);
    const { rootpage = 0 } = (db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table ?? '') ??
      {}) as { rootpage?: number };
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    if (rootpage > 0) {
      const handle = openSync(join(path, 'blazon.sqlite'), 'r+');
      writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (rootpage - 1) * PAGE_BYTES);
      closeSync(handle);
    }
    const again = openDatabase(path);
    const found = findDamage(again, path, limits);
    again.close();
    remove();
    return found;
  }

  it('is checked table by table, accounts first, until the time limit', () => {
    const [none, ample] = [
      { maxWholeBytes: 0, maxTablesMs: 0 },
      { maxWholeBytes: 0, maxTablesMs: 60_000 },
    ];
    expect(foundIn(undefined, ample)).to.equal(undefined);
    expect(foundIn('catalogRows', ample)).to.match(/^catalogRows: /);
    expect(foundIn('accounts', none)).to.match(/^accounts: /);
    expect(foundIn('catalogRows', none)).to.equal(undefined);
  });

  it('lists all damaged tables when it is read whole', () => {
    expect(foundIn('catalogRows', undefined)).to.match(/^catalogRows: /);
  });
});
