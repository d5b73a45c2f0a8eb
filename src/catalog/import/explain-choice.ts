// Explains an entry's default: lists every drawing that could be the default, with its score and the reasons.
import { brandEntry } from './build-entry.js';
import type { Slug } from '../entry.js';
import { groupBrands } from './group-brands.js';
import type { CatalogPolicy } from './import-policy.js';
import { AppError } from '../../platform/errors.js';
import type { CatalogStore } from '../catalog-store.js';
import { rankSources, readBrands } from './publish.js';

export type ChoiceExplanation = NonNullable<Awaited<ReturnType<typeof explainChoice>>>;

interface Explained {
  readonly store: Pick<CatalogStore, 'beginImport'>;
  readonly policy: CatalogPolicy;
  readonly slug: Slug;
}

/**
 * Repeats the merge of the sources' candidates, without publishing the result. Resolves with undefined for an icon of
 * an icon set, because it has only one drawing. Rejects with AppError `unavailable` while an import runs.
 */
export async function explainChoice({ store, policy, slug }: Explained) {
  const session = await store.beginImport();
  if (session === undefined) throw new AppError('unavailable', 'An import is running. Try again when it has finished.');
  try {
    const sources = await session.sources();
    const brand = groupBrands((await readBrands(session, sources)).current, policy).find((one) => one.slug === slug);
    const choice = brand && brandEntry(brand, policy, rankSources(sources))?.choice;
    return (
      choice && {
        chosen: choice.best.ref,
        /** Best first. `drawing` is `package:key/variant`. */
        scored: choice.scored.map(({ offer, score, reasons }) => ({ drawing: offer.ref, score, reasons })),
      }
    );
  } finally {
    await session.close();
  }
}
