// Transfer of all stored data from one store family to the other.
import type { CatalogStore } from '../catalog/catalog-store.js';
import type { Section } from '../platform/stores/sections.js';
import { compareCatalogs, copyCatalog } from './copy-catalog.js';
import { compareSections, copySections, type Comparison, type OnProgress } from './copy-sections.js';

export interface Side {
  readonly sections: readonly Section[];
  readonly catalog: CatalogStore;
}

/** Copies all sections and the catalog. `to` must be empty. */
export async function copyAll(from: Side, to: Side, onProgress: OnProgress): Promise<void> {
  await copySections(from.sections, to.sections, onProgress);
  await copyCatalog(from.catalog, to.catalog, onProgress);
}

/** Compares both sides. Neither may change during the call. */
export async function compareAll(from: Side, to: Side, onProgress: OnProgress): Promise<readonly Comparison[]> {
  return [
    ...(await compareSections(from.sections, to.sections, onProgress)),
    ...(await compareCatalogs(from.catalog, to.catalog)),
  ];
}

/** Counts the rows of each section, and the entries of the catalog. */
export async function countAll({ sections, catalog }: Side): Promise<readonly (readonly [string, number])[]> {
  const counts: (readonly [string, number])[] = [];
  for (const section of sections) counts.push([section.name, await section.count()]);
  return [...counts, ['catalog entries', (await catalog.state())?.entries ?? 0]];
}
