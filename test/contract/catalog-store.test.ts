// The CatalogStore contract on SQLite, and what is particular to SQLite.
import { expect } from 'chai';
import { each } from '../support/catalog-imports.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { migrateCatalog } from '../../src/adapters/embedded/catalog/schema.js';
import { createEmbeddedCatalogStore } from '../../src/adapters/embedded/catalog/catalog-store.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { queryPlans } from '../support/query-plans.js';
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
    store: createEmbeddedCatalogStore(db),
    beside: () => {
      const other = openDatabase(path);
      databases.push(other);
      return createEmbeddedCatalogStore(other);
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

  it('reads no other entries and redirects than those of the slugs', async () => {
    const { db, close } = open();
    // All redirects are listed for a copy of the catalog.
    const reads = (await queryPlans(db, createEmbeddedCatalogStore)).filter(({ sql }) =>
      /^SELECT (?!slug, target FROM catalog_redirect)/.test(sql),
    );
    const details = reads.flatMap((plan) => plan.details);
    expect(details.filter((detail) => /\(generation=\? AND slug[=>]\?\)/.test(detail))).to.have.length.above(4);
    for (const detail of details)
      expect(detail).not.to.match(/ (?:r|e|catalog_entry|catalog_redirect) .*\(generation=\?\)/);
    close();
  });

  const failDeletes = (table: string): string =>
    `CREATE TRIGGER broken BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'disk trouble'); END`;

  it('releases the import lock when an import cannot begin', async () => {
    const { db, store, close } = open();
    const crashed = await store.beginImport();
    await crashed?.putSource(sourceOf('package:test'));
    await crashed?.putCandidates('package:test', [candidateOf('a')]);
    await crashed?.close();
    db.exec(failDeletes('catalog_candidate'));
    const outcome = await store.beginImport().catch((error: unknown) => String(error));
    expect(outcome).to.include('disk trouble');
    db.exec('DROP TRIGGER broken');
    const next = await store.beginImport();
    expect(next).to.not.equal(undefined);
    await next?.close();
    close();
  });

  it('publishes even when the sweep of old rows fails', async () => {
    const { db, store, close } = open();
    for (let round = 0; round < 3; round += 1) {
      const session = await store.beginImport();
      if (round === 2) db.exec(failDeletes('catalog_entry'));
      expect(await session?.publish({ entries: each([entryOf('a')]), redirects: [] }, new Date())).to.deep.include({
        generation: round + 1,
        entries: 1,
      });
      await session?.close();
    }
    close();
  });
});
