// What the routes that look something up in the catalog share: the slug in the address, and what it can lead to.
import { z } from 'zod';
import { parseSlug, SLUG_PATTERN, type Slug } from '../../../domain/catalog/entry.js';
import { AppError } from '../../../errors.js';

/** Short, because the entry may change; asking again costs nothing while it has not. */
export const LOOKUP_CACHE = { 'Cache-Control': 'private, max-age=300', Vary: 'X-API-Key' };
export const SLUG_RULE = 'a-z, 0-9, ".", "_" and "-", at most 100, not beginning with a sign';

/** A path parameter; case does not matter. */
export const slugParameter = z
  .string()
  .refine((text) => parseSlug(text) !== undefined, { error: 'not a slug' })
  .transform((text) => text.toLowerCase() as Slug)
  .meta({
    description: 'Slug of an entry; case does not matter.',
    allowed: SLUG_RULE,
    pattern: SLUG_PATTERN.source,
    example: 'github',
  });

/** The same address with another slug in the place of the last path segment. */
export function movedTo(url: string, slug: Slug): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  return path.slice(0, path.lastIndexOf('/') + 1) + slug + (queryStart === -1 ? '' : url.slice(queryStart));
}

export function missing(slug: Slug): AppError {
  return new AppError('not_found', `There is no entry "${slug}". GET /v1/search?q=${slug} looks for similar names.`);
}

export function withdrawn(reason: string): AppError {
  return new AppError('gone', `This entry was withdrawn: ${reason}`);
}
