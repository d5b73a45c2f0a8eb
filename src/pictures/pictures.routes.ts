// GET /v1/svg|png|webp/{slug}: the same picture in three formats, with the same parameters.
import { z } from 'zod';
import type { Slug } from '../catalog/entry.js';
import {
  SHOWN_FALLBACKS,
  PICTURE_FORMATS,
  PICTURE_QUERIES,
  pictureRequest,
  type PictureRequest,
} from './picture-request.js';
import { AppError } from '../platform/errors.js';
import { CONTENT_TYPES, type Pictures, type PlannedPicture } from './pictures.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { PictureOutcome } from './rasterize-request.js';
import { etagHeaders } from '../platform/http/response/conditional.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import { memoizeByUrl } from '../platform/http/response/memoize.js';
import {
  content,
  PICTURE_POLICY,
  SVG_POLICY,
  type HeaderFields,
  type ConditionalReply,
  type Reply,
} from '../platform/http/response/reply.js';
import { contentDisposition, contentEncoding, lastModified } from '../platform/http/openapi/headers.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import {
  LOOKUP_HEADERS,
  missing,
  movedTo,
  NOT_MODIFIED,
  redirectDoc,
  redirectTo,
  slugParameter,
  withdrawn,
} from '../catalog/lookup-replies.routes.js';

const PLAIN_LIFETIME = 'max-age=86400, stale-while-revalidate=604800';
/** Cache lifetime of a website's icon. It is short, because the website may change its icon at any time. */
const SITE_LIFETIME = 'max-age=3600';
/**
 * Cache lifetime of own brands: clients may store the picture, but must revalidate it before each use. Revalidations
 * don't count against the quota.
 */
const OWN_LIFETIME = 'no-cache';
const VERSIONED_LIFETIME = 'max-age=31536000, immutable';

export const PICTURE_HEADERS = {
  ...LOOKUP_HEADERS,
  'Last-Modified': lastModified,
  'Content-Disposition': contentDisposition.optional(),
  'X-Blazon-Fallback': z
    .enum(SHOWN_FALLBACKS)
    .optional()
    .meta({ description: 'Kind of fallback that replaces an unknown logo.' }),
};
export const SVG_EXAMPLE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="48" height="48"><path fill="#1d9bf0" ' +
  'd="M12 2 2 22h20z"/></svg>';

/**
 * Responses by URL. Accounts with own brands have a separate cache, because their redirects have other cache headers.
 */
const memoize = memoizeByUrl<Reply | ConditionalReply>();
const memoizeWithOwn = memoizeByUrl<Reply | ConditionalReply>();

export const pictureRoutes = PICTURE_FORMATS.map((format) =>
  route(`GET /v1/${format}/{slug}`, {
    auth: 'key',
    bucket: format,
    cost: 1,
    publishable: 'query',
    summary: `Get a logo as ${format === 'webp' ? 'WebP' : format.toUpperCase()}`,
    description:
      'All three routes have the same parameters and show the same picture. An alias redirects to its entry ' +
      '(308), and an outdated `v` redirects to the URL without `v`.',
    params: z.strictObject({ slug: slugParameter }),
    query: PICTURE_QUERIES[format],
    responses: {
      200: {
        description: 'The picture',
        media: CONTENT_TYPES[format],
        headers: { ...PICTURE_HEADERS, ...(format === 'svg' && { 'Content-Encoding': contentEncoding }) },
        ...(format === 'svg' && { example: SVG_EXAMPLE }),
      },
      304: NOT_MODIFIED,
      308: redirectDoc('An alias or an old revision; `Location` is the current URL'),
    },
    errors: ['not_found', 'gone', 'unprocessable', 'busy'],
    handle: ({ params, query, url, catalog }, services) =>
      (catalog.own ? memoizeWithOwn : memoize)(params, catalog.peek(params.slug), () =>
        pictureBySlug({ catalog, slug: params.slug, request: pictureRequest(format, query), url }, services),
      ),
  }),
);

interface PictureLookup {
  readonly catalog: AccountCatalog;
  readonly slug: Slug;
  readonly request: PictureRequest;
  /** URL of the request, for redirects. */
  readonly url: string;
}

export async function pictureBySlug(
  { catalog, slug, request, url }: PictureLookup,
  { pictures, search }: Pick<Services, 'pictures' | 'search'>,
): Promise<Reply | ConditionalReply> {
  const plan = await pictures.plan(catalog, slug, request);
  switch (plan.kind) {
    case 'moved':
      return redirectTo(movedTo(url, plan.to), catalog);
    case 'stale-version':
      return redirectTo(urlWithout(url, ['v']), catalog);
    case 'withdrawn':
      throw withdrawn(plan.reason);
    case 'missing':
      throw missing(slug, 'To get a picture of the initials instead, add fallback=monogram.', () =>
        search.similar(slug, catalog),
      );
    case 'picture':
      return { ...(plan.fallback === null && { slug }), ...pictureAnswer(plan, request, pictures) };
  }
}

/**
 * Returns the answer with a picture. All routes that return pictures use this function, so that their headers are
 * equal.
 */
export function pictureAnswer(
  plan: PlannedPicture,
  request: Pick<PictureRequest, 'format' | 'download'>,
  pictures: Pictures,
): ConditionalReply {
  const { etag, lastModified, codings } = plan;
  const type = { 'Content-Type': plan.contentType };
  const prepared: ConditionalReply = {
    kind: 'prepared',
    etag,
    ...(lastModified && { lastModified }),
    ...(plan.missing && { missing: plan.missing }),
    ...pictureFields(plan, request),
    make: async (client) => pictureReply(await pictures.render(plan, client), type),
    peek: () => pictureReply(pictures.peek(plan), type),
  };
  return codings ? negotiated(prepared, codings) : prepared;
}

export function pictureReply(outcome: PictureOutcome | undefined, type: HeaderFields): Reply {
  if (outcome?.ok === false) throw new AppError(outcome.code, outcome.message, { counts: outcome.counts });
  return content(outcome?.body, type);
}

/** Returns the header fields of a picture, for 200 and 304. */
export function pictureFields(
  {
    etag,
    lastModified,
    immutable,
    isOwn,
    fallback,
    filename,
  }: Pick<PlannedPicture, 'etag' | 'lastModified' | 'immutable' | 'isOwn' | 'fallback' | 'filename'>,
  { format, download }: Pick<PictureRequest, 'format' | 'download'>,
): Required<Pick<ConditionalReply, 'headers' | 'publicHeaders'>> {
  const plain = isOwn ? OWN_LIFETIME : fallback === 'site' ? SITE_LIFETIME : PLAIN_LIFETIME;
  const lifetime = immutable ? VERSIONED_LIFETIME : plain;
  const common: Record<string, string> = Object.assign({}, PICTURE_POLICY, etagHeaders(etag, lastModified));
  if (format === 'svg') Object.assign(common, SVG_POLICY);
  if (fallback !== null) common['X-Blazon-Fallback'] = fallback;
  if (download) common['Content-Disposition'] = `attachment; filename="${filename}"`;
  return {
    headers: { 'Cache-Control': `private, ${lifetime}`, Vary: 'X-API-Key', ...common },
    publicHeaders: { 'Cache-Control': `public, ${lifetime}`, ...common },
  };
}

/** Returns the URL without these query parameters. */
export function urlWithout(url: string, names: readonly string[]): string {
  const [path = '', search = ''] = url.split('?', 2);
  const rest = search.split('&').filter((pair) => {
    const parsed = new URLSearchParams(pair);
    return !names.some((name) => parsed.has(name));
  });
  return search === '' || rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}
