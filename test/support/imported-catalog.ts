// Catalog store and indexes with the imported default catalog.
import { cpSync } from 'node:fs';
import { expect } from 'chai';
import { readBrandFacts } from '../../config/brand-domains.js';
import { readKinds } from '../../config/kinds.js';
import { embeddedCatalog } from '../../src/catalog/stores.embedded.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { openCatalogIndex } from '../../src/search/indexes.js';
import { importedCatalog } from './catalog.js';
import { temporaryDir } from './temporary.js';

export async function openImportedCatalog() {
  const dir = temporaryDir();
  cpSync(await importedCatalog(), dir.path, { recursive: true });
  const db = openDatabase(dir.path);
  const store = embeddedCatalog(db, Date.now);
  const onError = (error: unknown) => expect.fail(String(error));
  const index = openCatalogIndex({ catalog: store, brandFacts: readBrandFacts(), kinds: readKinds().kinds, onError });
  return {
    store,
    index,
    async close(): Promise<void> {
      await index.close();
      db.close();
      dir.remove();
    },
  };
}
