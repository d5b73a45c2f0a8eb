// The CatalogStore contract on SQLite, and what is particular to SQLite.
import { expect } from 'chai';
import { migrateCatalog } from '../../src/adapters/embedded/catalog-schema.js';
import { openCatalogStore } from '../../src/adapters/embedded/catalog-store.js';
import { openDatabase } from '../../src/adapters/embedded/database.js';
import { candidateOf, entryOf, sourceOf } from '../support/candidates.js';
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
  it('lets other writers in while it imports', async function () {
    this.timeout(20_000);
    const { store, path, close } = open();
    const other = openDatabase(path);
    other.exec('CREATE TABLE other (n INTEGER)');
    const insert = other.prepare('INSERT INTO other VALUES (1)');
    const session = await store.beginImport();
    if (session === undefined) throw new Error('no session');
    await session.putSource(sourceOf('a'));
    const waits: number[] = [];
    let importing = true;
    const writer = (async () => {
      while (importing) {
        const startedMs = performance.now();
        insert.run();
        waits.push(performance.now() - startedMs);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    const names = Array.from({ length: 4000 }, (_, index) => `n${index}`);
    await session.putAssets(names.map((name) => ({ etag: name, svg: name.repeat(300) })));
    await session.putCandidates('a', names.map((name) => candidateOf(name)));
    await session.publish({ entries: (async function* () { for (const name of names) yield entryOf(name); })(), redirects: [] }, new Date());
    importing = false;
    await writer;
    await session.close();
    other.close();
    close();
    waits.sort((a, b) => a - b);
    // A transaction lasts about 3 ms; the rest is the machine's.
    expect(waits[Math.floor(waits.length * 0.95)]).to.be.below(50);
    expect(waits.length).to.be.greaterThan(20);
  });

  it('migrates twice without harm', () => {
    const { db, close } = open();
    expect(() => migrateCatalog(db)).not.to.throw();
    close();
  });
});
