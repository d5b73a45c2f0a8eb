// GET /v1/svg|png|webp/{slug}: one grammar, one picture, three encodings.
import { z } from 'zod';
import type { Slug } from '../../../domain/catalog/entry.js';
import { IMAGE_FORMATS, imageQuerySchema, imageRequest, type ImageRequest } from '../../../domain/image/request.js';
import { AppError } from '../../../errors.js';
import type { Catalog } from '../../../services/catalog/catalog.js';
import { CONTENT_TYPES, type ImagePlan, type Images, type PlannedImage } from '../../../services/images/images.js';
import type { RenderOutcome } from '../../../services/images/render-request.js';
import { etagHeaders } from '../../response/conditional.js';
import { memoizeByAddress } from '../../response/memoize.js';
import {
  content,
  permanentRedirect,
  type HeaderFields,
  type ConditionalReply,
  type Reply,
} from '../../response/reply.js';
import { meteredRoute, type Route } from '../../route.js';
import { missing, movedTo, slugParameter, withdrawn } from './slug-parameter.js';

/** Opened as a document of its own, an SVG may run nothing and load nothing. */
const SVG_FIELDS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};
const IMAGE_FIELDS = {
  Vary: 'X-API-Key',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const PLAIN_CACHE = { 'Cache-Control': 'private, max-age=86400, stale-while-revalidate=604800' };
const VERSIONED_CACHE = { 'Cache-Control': 'private, max-age=31536000, immutable' };

interface Options {
  readonly images: Images;
  readonly catalog: Pick<Catalog, 'peek'>;
}

export function imageRoutes({ images, catalog }: Options): Route[] {
  const remember = memoizeByAddress<Reply | ConditionalReply>();
  return IMAGE_FORMATS.map((format) =>
    meteredRoute({
      method: 'GET',
      path: `/v1/${format}/{slug}`,
      bucket: format,
      tag: 'Images',
      summary: `A logo as ${format === 'webp' ? 'WebP' : format.toUpperCase()}`,
      description:
        'The same address with another format gives the same picture. An alias leads to its entry with 308, and so does an address whose `v` is not the current revision to the plain one.',
      params: z.strictObject({ slug: slugParameter }),
      query: imageQuerySchema(format),
      responses: {
        200: {
          description: 'The picture',
          media: CONTENT_TYPES[format],
          headers: {
            ETag: 'Changes when the picture does.',
            'RateLimit-Policy': 'The quota of the day.',
            RateLimit: 'What is left of it.',
            'X-Blazon-Fallback': 'Which fallback this is, when the slug is unknown.',
          },
        },
        304: { description: 'The client has it already; not counted' },
        308: { description: 'An alias, or an old revision; Location leads on' },
      },
      errors: ['not_found', 'gone', 'unprocessable', ...(format === 'svg' ? [] : (['busy'] as const))],
      handle: ({ params, query, url }) =>
        remember(params, catalog.peek(params.slug), async () => {
          const request = imageRequest(format, query);
          return answer({ plan: await images.plan(params.slug, request), request, slug: params.slug, url });
        }),
    }),
  );
}

interface Planned {
  readonly plan: ImagePlan;
  readonly request: ImageRequest;
  readonly slug: Slug;
  readonly url: string;
}

function answer({ plan, request, slug, url }: Planned): Reply | ConditionalReply {
  switch (plan.kind) {
    case 'moved':
      return permanentRedirect(movedTo(url, plan.to));
    case 'stale-version':
      return permanentRedirect(plainAddress(url));
    case 'withdrawn':
      throw withdrawn(plan.reason);
    case 'missing':
      throw missing(slug);
    case 'image': {
      const { etag, lastModified } = plan;
      const type = { 'Content-Type': plan.contentType };
      return {
        kind: 'prepared',
        etag,
        ...(lastModified && { lastModified }),
        headers: fieldsOf(plan, request),
        render: async (client) => pictureReply(await plan.render(client), type),
        peek: () => pictureReply(plan.peek(), type),
      };
    }
  }
}

function pictureReply(outcome: RenderOutcome | undefined, type: HeaderFields): Reply {
  if (outcome?.ok === false) throw new AppError(outcome.code, outcome.message, { counts: outcome.counts });
  return content(outcome?.body, type);
}

function fieldsOf(
  { etag, lastModified, immutable, fallback, filename }: PlannedImage,
  { format, download }: ImageRequest,
): HeaderFields {
  return {
    ...(immutable ? VERSIONED_CACHE : PLAIN_CACHE),
    ...IMAGE_FIELDS,
    ...(format === 'svg' && SVG_FIELDS),
    ...(fallback !== null && { 'X-Blazon-Fallback': fallback }),
    ...(download && { 'Content-Disposition': `attachment; filename="${filename}"` }),
    ...etagHeaders(etag, lastModified),
  };
}

/** Without `v`. */
function plainAddress(url: string): string {
  const [path = '', search = ''] = url.split('?', 2);
  const rest = search.split('&').filter((pair) => !new URLSearchParams(pair).has('v'));
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}
