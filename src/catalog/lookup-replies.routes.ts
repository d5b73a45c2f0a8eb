// Replies to catalog lookups: the slug in a path, caching, redirects and errors.
import { z } from 'zod';
import { parseSlug, WRITTEN_SLUG_PATTERN, type Slug } from './entry.js';
import { missingNames, NotFoundError } from '../platform/not-found.js';
import { readHostQuery } from './host-query.js';
import { AppError } from '../platform/errors.js';
import type { AccountCatalog } from './account-catalogs.js';
import type { Codings } from '../platform/http/response/compression.js';
import { cacheControl, contentEncoding, etag, location, vary } from '../platform/http/openapi/headers.js';
import { etagHeaders } from '../platform/http/response/conditional.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import { permanentRedirect, type ConditionalReply, type Reply } from '../platform/http/response/reply.js';
import type { ResponseDoc } from '../platform/http/route.js';

interface LookedUp {
  readonly tag: string;
  readonly catalog: AccountCatalog;
  readonly codingsOf: (tag: string) => Codings;
}

/**
 * Returns a reply with an `ETag`. Clients may cache it for a short time. If the account has own brands, clients must
 * revalidate it before each use (`no-cache`).
 */
export function lookupReply(
  { tag, catalog, codingsOf }: LookedUp,
  reply: Pick<ConditionalReply, 'slug' | 'lastModified' | 'make' | 'peek'>,
): ConditionalReply {
  const cache = catalog.own ? OWN_CACHE : LOOKUP_CACHE;
  const headers = Object.assign({}, cache, etagHeaders(tag, reply.lastModified));
  return negotiated(Object.assign({ kind: 'prepared', etag: tag, headers } as const, reply), codingsOf(tag));
}

/** The lifetime is short, because the entry may change. Clients can revalidate the reply without using their quota. */
const LOOKUP_CACHE = { 'Cache-Control': 'private, max-age=300', Vary: 'X-API-Key' };
const OWN_CACHE = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key' };
/** Headers of lookup responses, including 304. */
export const LOOKUP_HEADERS = { ETag: etag, 'Cache-Control': cacheControl, Vary: vary };
/** Headers of 200 responses with a text body. */
export const CODED_LOOKUP_HEADERS = { ...LOOKUP_HEADERS, 'Content-Encoding': contentEncoding };

export const NOT_MODIFIED: ResponseDoc = { description: 'Not modified; not counted', headers: LOOKUP_HEADERS };

/**
 * Redirects permanently. If the account has own brands, clients must revalidate the redirect before each use, because
 * the account may give the redirected name to a new own brand.
 */
export function redirectTo(location: string, { own }: AccountCatalog): Reply {
  return permanentRedirect(location, own ? 'no-cache' : undefined);
}

export function redirectDoc(description: string): ResponseDoc {
  return { description, headers: { Location: location, 'Cache-Control': cacheControl } };
}

export const SLUG_RULE =
  'at most 100 characters: letters a-z, digits, ".", "_" and "-", starting with a letter or digit';

export const slugParameter = z
  .string()
  .refine((text) => parseSlug(text) !== undefined, { error: 'not a slug' })
  .transform((text) => text.toLowerCase() as Slug)
  .meta({
    description: 'Slug or alias of an entry, case-insensitive.',
    allowed: SLUG_RULE,
    pattern: WRITTEN_SLUG_PATTERN.source,
    example: 'github',
  });

/** Replaces the last path segment of the URL. Keeps the query. */
export function movedTo(url: string, segment: string): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  return path.slice(0, path.lastIndexOf('/') + 1) + segment + (queryStart === -1 ? '' : url.slice(queryStart));
}

/** Creates the error for an unknown slug. `advice`: last sentence of the error message. */
export function missing(slug: Slug, advice = '', similar?: NotFoundError['similar']): NotFoundError {
  const domain = readHostQuery(slug) === undefined ? '' : ` GET /v1/logo/${slug} returns the logo of a domain.`;
  return new NotFoundError(
    `There is no entry "${slug}".${domain}${advice && ` ${advice}`}`,
    missingNames('slug', slug),
    similar,
  );
}

export function withdrawn(reason: string): AppError {
  return new AppError('gone', `This entry was withdrawn: ${reason}`);
}
