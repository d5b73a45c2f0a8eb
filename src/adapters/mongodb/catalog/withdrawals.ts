// Withdrawals in a generation of the catalog: which entries they hide.
import type { Slug } from '../../../domain/catalog/entry.js';
import type { CatalogCollections } from './collections.js';
import { inChunks } from './pages.js';
import type { WithdrawalRecord } from './state.js';

const LOOKUP_SLUGS = 1000;

/** The same withdrawals, with what they hide in this generation. */
export async function withdrawalsIn(
  { slugs }: Pick<CatalogCollections, 'slugs'>,
  generation: number,
  withdrawals: readonly WithdrawalRecord[],
): Promise<readonly WithdrawalRecord[]> {
  const hidden = new Map<string, Slug>();
  for (const chunk of inChunks(withdrawals, LOOKUP_SLUGS)) {
    const found = await slugs
      .find({ _id: { $in: chunk.map(({ slug }) => ({ generation, slug })) } }, { projection: { target: 1 } })
      .toArray();
    for (const { _id, target } of found) hidden.set(_id.slug, target ?? (_id.slug as Slug));
  }
  return withdrawals.map((each) => ({ ...each, hides: hidden.get(each.slug) ?? null }));
}

/** The number of entries hidden. */
export function countHidden(withdrawals: readonly WithdrawalRecord[]): number {
  return new Set(withdrawals.map(({ hides }) => hides).filter((slug) => slug !== null)).size;
}

/** Slugs that are withdrawn, and those of the entries hidden. */
export function hiddenSlugs(withdrawals: readonly WithdrawalRecord[]): ReadonlySet<string> {
  return new Set(withdrawals.flatMap(({ slug, hides }) => (hides === null ? [slug] : [slug, hides])));
}
