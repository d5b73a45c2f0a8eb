// Redirects: other names that lead to an entry.
import type { Steps } from '../platform/concurrency/time-slices.js';
import type { Slug } from './entry.js';
import { isSlug, nameKey, slugOf } from './names.js';

/** Other names of one entry, in three lists. The most reliable list is first. */
interface OtherNames {
  readonly slug: Slug;
  /** Names stated by the operator. */
  readonly stated: readonly string[];
  /** Keys of the entry's icons in their sources. */
  readonly keys: readonly string[];
  /** Titles and aliases. */
  readonly names: readonly string[];
}

/** Number of entries between two yields. */
const STEP_ENTRIES = 50;

/**
 * Assigns redirects. The slug of an entry never redirects to another entry. Each entry has three lists of other names
 * (`OtherNames`). A name that is in the same list of two entries redirects to neither, because a wrong redirect is
 * worse than 404. Yields every STEP_ENTRIES entries.
 */
export function* assignRedirects(
  entries: readonly OtherNames[],
  isTaken: (slug: string) => boolean,
): Steps<ReadonlyMap<Slug, Slug>> {
  const redirects = new Map<Slug, Slug>();
  const levels: ((entry: OtherNames) => readonly (string | undefined)[])[] = [
    ({ stated }) => stated.flatMap((name) => [name.toLowerCase(), slugOf(name), nameKey(name)]),
    ({ keys }) => keys.map((key) => key.toLowerCase()),
    ({ slug, names }) => [nameKey(slug), ...names.flatMap((name) => [name.toLowerCase(), slugOf(name), nameKey(name)])],
  ];
  for (const namesAt of levels) {
    const claims = new Map<Slug, Slug | null>();
    for (const [at, entry] of entries.entries()) {
      if (at % STEP_ENTRIES === 0) yield;
      for (const name of new Set(namesAt(entry))) {
        if (name === undefined || !isSlug(name) || isTaken(name) || redirects.has(name)) continue;
        const claimed = claims.get(name);
        claims.set(name, claimed === undefined || claimed === entry.slug ? entry.slug : null);
      }
    }
    for (const [name, slug] of claims) if (slug !== null) redirects.set(name, slug);
  }
  return redirects;
}
