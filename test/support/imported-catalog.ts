// Store and indexes over the catalog as it is really imported.
import { cpSync } from 'node:fs';
import { expect } from 'chai';
import { readBrandFacts } from '../../config/brand-domains.js';
import { createEmbeddedCatalogStore } from '../../src/adapters/embedded/catalog/catalog-store.js';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import type { CatalogStore } from '../../src/ports/catalog-store.js';
import { openCatalogIndex, type CatalogIndex } from '../../src/services/catalog/indexes.js';
import { importedCatalog } from './catalog.js';
import { temporaryDir } from './temporary.js';

export async function openImportedCatalog(): Promise<{
  readonly store: CatalogStore;
  readonly index: CatalogIndex;
  close(): Promise<void>;
}> {
  const dir = temporaryDir();
  cpSync(await importedCatalog(), dir.path, { recursive: true });
  const db = openDatabase(dir.path);
  const store = createEmbeddedCatalogStore(db);
  const onError = (error: unknown) => expect.fail(String(error));
  const index = openCatalogIndex({ catalog: store, brandFacts: readBrandFacts(), onError });
  return {
    store,
    index,
    async close() {
      await index.close();
      db.close();
      dir.remove();
    },
  };
}
