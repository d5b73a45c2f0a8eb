// GET /v1/svg|png|webp/{slug}: one grammar, one picture, three encodings.
import { z } from 'zod';
import type { Slug } from '../../domain/catalog.js';
import { IMAGE_FORMATS, imageQuerySchema, imageRequest, type ImageFormat } from '../../domain/image-request.js';
import { AppError } from '../../errors.js';
import type { ImagePlan, Images, PlannedImage } from '../../services/images.js';
import { content, permanentRedirect, type Reply } from '../reply.js';
import { meteredRoute, type Prepared, type Route } from '../route.js';
import { missing, movedTo, slugParameter, withdrawn } from './catalog.js';

/** Opened as a document of its own, an SVG may run nothing and load nothing. */
const SVG_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
};
const IMAGE_HEADERS = {
  Vary: 'X-API-Key',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
const PLAIN_CACHE = { 'Cache-Control': 'private, max-age=86400, stale-while-revalidate=604800' };
const VERSIONED_CACHE = { 'Cache-Control': 'private, max-age=31536000, immutable' };

const MEDIA = { svg: 'image/svg+xml', png: 'image/png', webp: 'image/webp' } as const;

export function imageRoutes({ images }: { images: Images }): Route[] {
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
          media: MEDIA[format],
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
      handle: async ({ params: { slug }, query, url }) => {
        const request = imageRequest(format, query);
        return answer({ plan: await images.plan(slug, request), slug, url, format, download: request.download });
      },
    }),
  );
}

interface Planned {
  readonly plan: ImagePlan;
  readonly slug: Slug;
  readonly url: string;
  readonly format: ImageFormat;
  readonly download: boolean;
}

function answer({ plan, slug, url, format, download }: Planned): Reply | Prepared {
  switch (plan.kind) {
    case 'moved':
      return permanentRedirect(movedTo(url, plan.to));
    case 'stale-version':
      return permanentRedirect(plainAddress(url));
    case 'withdrawn':
      throw withdrawn(plan.reason);
    case 'missing':
      throw missing(slug);
    case 'image':
      return { kind: 'prepared', etag: plan.etag, lastModified: plan.lastModified, headers: headersOf(plan, format, download), produce: () => draw(plan) };
  }
}

async function draw(plan: PlannedImage): Promise<Reply> {
  const outcome = await plan.produce();
  if (!outcome.ok) throw new AppError(outcome.code, outcome.message);
  return content(outcome.bytes, plan.contentType);
}

function headersOf({ immutable, fallback, filename }: PlannedImage, format: ImageFormat, download: boolean): Readonly<Record<string, string>> {
  return {
    ...(immutable ? VERSIONED_CACHE : PLAIN_CACHE),
    ...IMAGE_HEADERS,
    ...(format === 'svg' && SVG_HEADERS),
    ...(fallback !== null && { 'X-Blazon-Fallback': fallback }),
    ...(download && { 'Content-Disposition': `attachment; filename="${filename}"` }),
  };
}

/** Without `v`. */
function plainAddress(url: string): string {
  const [path = '', search = ''] = url.split('?', 2);
  const rest = search.split('&').filter((pair) => !/^v(=|$)/.test(pair));
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`;
}
