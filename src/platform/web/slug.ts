// Slugs: names of catalog entries in addresses.
export type Slug = string & { readonly __brand: 'Slug' };

/** `[a-z0-9][a-z0-9._-]{0,99}` */
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** A slug as clients may write it: ASCII letters in either case. */
export const WRITTEN_SLUG_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Parses a slug, ignoring case. Returns undefined for text that can never be a slug. */
export function parseSlug(text: string): Slug | undefined {
  return WRITTEN_SLUG_PATTERN.test(text) ? (text.toLowerCase() as Slug) : undefined;
}
