// Store of the catalog for a single process: SQLite.
import { lockImport } from '../platform/stores/sqlite/database.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';
import { embeddedTables } from '../platform/stores/sqlite/tables.js';
import type { EmbeddedFamily } from '../platform/stores/feature-stores.js';
import { embeddedCatalogRows } from './catalog-rows.sqlite.js';
import type { CatalogStore } from './catalog-store.js';
import { createCatalogStore } from './catalog-store.records.js';

export const openStores = ({ db, now }: EmbeddedFamily) => ({ catalog: embeddedCatalog(db, now) });

/** Returns the catalog store of a database that is already migrated. */
export function embeddedCatalog(db: Database, now: () => number): CatalogStore {
  const rows = embeddedCatalogRows(db);
  return createCatalogStore({ table: embeddedTables(db), rows, now, lockProcess: () => lockImport(db) });
}
