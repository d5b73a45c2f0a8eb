// Indexes of the bundled catalog, for commands without a database.
import { readBrandFacts } from '../../config/brand-domains.js';
import { readKinds } from '../../config/kinds.js';
import type { Entry } from '../catalog/entry.js';
import { readHostQuery } from '../catalog/host-query.js';
import { buildIndexes } from './indexes.js';

export const indexesOf = (entries: Iterable<Entry>) =>
  buildIndexes({
    entries: iterate(entries),
    ...{ generation: 1, brandFacts: readBrandFacts(), kinds: readKinds().kinds },
    pause: () => undefined,
  });

/**
 * Returns the slug of the brand that owns a host or URL. Returns undefined for other text and for a host without an
 * owner.
 */
export async function bundledOwner(entries: Iterable<Entry>, text: string): Promise<string | undefined> {
  const host = readHostQuery(text)?.host;
  return host && (await indexesOf(entries)).brands.owner(host)?.slug;
}

async function* iterate<Item>(items: Iterable<Item>): AsyncIterable<Item> {
  yield* items;
}
