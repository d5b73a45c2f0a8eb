// A catalog without entries: a service that has it is ready.
import type { CatalogStore } from '../../src/ports/catalog-store.js';

export async function publishNothing(store: CatalogStore): Promise<void> {
  const session = await store.beginImport();
  if (!session) throw new Error('another import is under way');
  await session.publish({ entries: noEntries, redirects: [] }, new Date());
  await session.close();
}

const noEntries: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};
