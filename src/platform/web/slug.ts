// Slugs: names of catalog entries in URLs.
export type Slug = string & { readonly __brand: 'Slug' };

export const SLUG_PATTERN = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** Matches a slug as clients may write it, in upper or lower case. */
export const WRITTEN_SLUG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Parses a slug, ignoring case. Returns undefined for text that cannot be a slug. */
export function parseSlug(text: string): Slug | undefined {
  return WRITTEN_SLUG_PATTERN.test(text) ? (text.toLowerCase() as Slug) : undefined;
}
