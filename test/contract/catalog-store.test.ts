// The CatalogStore contract on SQLite, and what is particular to SQLite.
import { expect } from 'chai';
import { migrateCatalog } from '../../src/adapters/embedded/catalog-schema.js';
import { openCatalogStore } from '../../src/adapters/embedded/catalog-store.js';
import { openDatabase } from '../../src/adapters/embedded/database.js';
import { temporaryDir } from '../support/temporary.js';
import { catalogStoreContract } from './catalog-store.contract.js';

function open() {
  const { path, remove } = temporaryDir();
  const databases = [openDatabase(path)];
  const [db] = databases;
  if (db === undefined) throw new Error('no database');
  migrateCatalog(db);
  return {
    db,
    path,
    store: openCatalogStore(db),
    beside: () => {
      const other = openDatabase(path);
      databases.push(other);
      return openCatalogStore(other);
    },
    close: () => {
      for (const each of databases) each.close();
      remove();
    },
  };
}

catalogStoreContract('embedded', open);

describe('embedded catalog store', () => {
  it('migrates twice without harm', () => {
    const { db, close } = open();
    expect(() => migrateCatalog(db)).not.to.throw();
    close();
  });
});
