// Finds entries with a name close to a misspelled name.
import type { Entry, Slug } from './entry.js';
import { maxEdits, editDistance } from '../platform/text/typing-errors.js';
import { tokenize } from '../platform/text/tokenize.js';
import { AppError } from '../platform/errors.js';
import type { CatalogStore } from './catalog-store.js';

const MAX_SUGGESTIONS = 3;

/** Creates the AppError `not_found` for an unknown slug. Its message suggests the nearest slugs. */
export async function noSuchEntry(store: Pick<CatalogStore, 'entries'>, slug: Slug): Promise<AppError> {
  const near = await nearestSlugs(store.entries(), slug);
  const suggestion = near.length === 0 ? '.' : `; did you mean ${near.join(', ')}?`;
  return new AppError('not_found', `There is no entry "${slug}"${suggestion}`);
}

/**
 * Returns the slugs of at most three entries, the nearest first. Compares the name with the slug, title and aliases of
 * each entry by edit distance.
 */
export async function nearestSlugs(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  name: string,
): Promise<readonly Slug[]> {
  const wanted = tokenize(name).normalized;
  const limit = Math.max(1, maxEdits(wanted.length));
  const near: { readonly slug: Slug; readonly distance: number }[] = [];
  for await (const entry of entries) {
    const distance = Math.min(...namesOf(entry).map((own) => editDistance(wanted, own, limit)));
    if (distance <= limit) near.push({ slug: entry.slug, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map((one) => one.slug);
}

/** Returns the slug, title and aliases, normalized so that case, accents and punctuation don't matter. */
export function namesOf({ slug, title, aliases }: Entry): readonly string[] {
  return [slug, title, ...aliases].map((name) => tokenize(name).normalized);
}
