// Helpers for imports: async iterables, import sessions, and folders with a few icons.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSvgFolder } from '../../src/catalog/sources/icon-sources.js';
import type { Entry, Slug } from '../../src/catalog/entry.js';
import type { CatalogState, CatalogStore, ImportSession } from '../../src/catalog/catalog-store.js';

export async function* each<Item>(
  items: readonly Item[],
  before: () => Promise<void> = () => Promise.resolve(),
): AsyncIterable<Item> {
  for (const item of items) {
    await before();
    yield item;
  }
}

export async function all<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

export async function beginImport(store: CatalogStore): Promise<ImportSession> {
  const session = await store.beginImport();
  if (session === undefined) throw new Error('another import is under way');
  return session;
}

/** Creates the folder `icons` in `below`, with a different drawing for each slug. Returns the path of `icons`. */
export function writeIcons(below: string, slugs: readonly string[]): string {
  const folder = join(below, 'icons');
  mkdirSync(folder);
  for (const [index, slug] of slugs.entries())
    writeFileSync(
      join(folder, `${slug}.svg`),
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M${index} 0h20v24z"/></svg>`,
    );
  return folder;
}

/** Creates a folder of icons in `below`. Returns the folder as an import source. */
export const smallSource = (below: string, slugs: readonly string[]) =>
  openSvgFolder({ folder: writeIcons(below, slugs), kind: 'brands', prefix: null, title: null, license: 'MIT' });

/** Publishes the entries as the next version of the catalog. `redirects`: former slug → slug. */
export async function publishEntries(
  store: CatalogStore,
  entries: readonly Entry[],
  { redirects = {}, at = new Date() }: { redirects?: Readonly<Record<string, string>>; at?: Date } = {},
): Promise<CatalogState> {
  const session = await beginImport(store);
  const pairs = Object.entries(redirects) as [Slug, Slug][];
  const state = await session.publish({ entries: each(entries), redirects: pairs }, at);
  await session.close();
  return state;
}
