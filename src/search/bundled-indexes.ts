// Indexes over the entries of the bundled catalog, for commands without a database.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readKinds } from '../../config/kinds.js';
import type { Entry } from '../catalog/entry.js';
import { readHostQuery } from '../catalog/host-query.js';
import { buildIndexes } from './indexes.js';

/** Indexes of search and brand lookup over these entries. */
export const indexesOf = (entries: Iterable<Entry>) =>
  buildIndexes({
    entries: iterate(entries),
    ...{ generation: 1, brandFacts: readBrandFacts(), kinds: readKinds().kinds },
    pause: () => undefined,
  });

/** The slug of the brand that a host or URL belongs to. Undefined also for other texts. */
export async function bundledOwner(entries: Iterable<Entry>, text: string): Promise<string | undefined> {
  const host = readHostQuery(text)?.host;
  return host && (await indexesOf(entries)).brands.owner(host)?.slug;
}

async function* iterate<Item>(items: Iterable<Item>): AsyncIterable<Item> {
  yield* items;
}
