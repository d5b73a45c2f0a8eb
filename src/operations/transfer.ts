// Transfer of all stored data from one store family to the other.
import type { CatalogStore } from '../catalog/catalog-store.js';
import type { ExportTable } from '../platform/stores/export-tables.js';
import { compareCatalogs, copyCatalog } from './copy-catalog.js';
import { compareTables, copyTables, type Comparison, type OnProgress } from './copy-tables.js';

export interface Side {
  readonly tables: readonly ExportTable[];
  readonly catalog: CatalogStore;
}

/** Copies all tables and the catalog. `to` must be empty. */
export async function copyAll(from: Side, to: Side, onProgress: OnProgress): Promise<void> {
  await copyTables(from.tables, to.tables, onProgress);
  await copyCatalog(from.catalog, to.catalog, onProgress);
}

/** Compares source and target. Neither may change during the call. */
export async function compareAll(from: Side, to: Side, onProgress: OnProgress): Promise<readonly Comparison[]> {
  return [
    ...(await compareTables(from.tables, to.tables, onProgress)),
    ...(await compareCatalogs(from.catalog, to.catalog)),
  ];
}

/** Counts the rows of each table, and the entries of the catalog. */
export async function countAll({ tables, catalog }: Side): Promise<readonly (readonly [string, number])[]> {
  const counts: (readonly [string, number])[] = [];
  for (const table of tables) counts.push([table.name, await table.count()]);
  return [...counts, ['catalog entries', (await catalog.state())?.entries ?? 0]];
}
