// Imports into a catalog store without sanitizing anything, and its iterables as lists.
import type { Entry, Slug } from '../../src/domain/catalog/entry.js';
import type { CatalogState, CatalogStore, ImportSession } from '../../src/ports/catalog-store.js';

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

/** `redirects`: former slug to slug. */
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
