// Schemas of response headers, for the document. Each is a component of it.
import { z } from 'zod';
import { SLUG_PATTERN } from '../../domain/catalog/entry.js';
import { BUCKETS } from '../../domain/metering/plan.js';
import { DAY_MS, SECOND_MS } from '../../domain/time.js';
import { CONTENT_CODINGS } from '../../services/compression.js';
import { REQUEST_ID_PATTERN } from '../request-id.js';

const BUCKET = `"(?:${BUCKETS.join('|')})-day"`;

export const requestId = z
  .string()
  .regex(REQUEST_ID_PATTERN)
  .meta({
    description: 'Taken from the request if it has a valid one, otherwise generated. Also in the log of the service.',
    example: '0b9d2a7c-5b1e-4c7c-9f2e-0e7d9c1f2a3b',
    header: { id: 'X-Request-Id' },
  });

export const retryAfter = z
  .int()
  .min(0)
  .meta({ description: 'Seconds until a retry makes sense.', example: 2, header: { id: 'Retry-After' } });

export const allow = z.string().meta({
  description: 'Methods of this path, separated by commas.',
  example: 'GET, HEAD, OPTIONS',
  header: { id: 'Allow' },
});

export const authenticate = z
  .literal('Bearer')
  .meta({ description: 'Authentication scheme of the route.', header: { id: 'WWW-Authenticate' } });

export const location = z.string().meta({
  description: 'Path of the redirect, with its query.',
  example: '/v1/svg/github?size=32',
  header: { id: 'Location' },
});

export const contentLocation = z.string().meta({
  description: 'Path of the same picture by its slug, with its query.',
  example: '/v1/png/github?size=128',
  header: { id: 'Content-Location' },
});

export const slugHeader = z
  .string()
  .regex(SLUG_PATTERN)
  .meta({ description: 'Slug of the brand.', example: 'github', header: { id: 'X-Blazon-Slug' } });

export const etag = z
  .string()
  .regex(/^"[^"]+"$/)
  .meta({
    description: 'Strong entity tag, for `If-None-Match`.',
    example: '"0123456789abcdef0123456789abcdef"',
    header: { id: 'ETag' },
  });

export const lastModified = z
  .string()
  .regex(/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/)
  .meta({
    description: 'When the entry last changed, for `If-Modified-Since`.',
    example: 'Sat, 21 Nov 2026 16:48:03 GMT',
    header: { id: 'Last-Modified' },
  });

export const cacheControl = z.string().meta({
  description: 'How long the response may be cached.',
  example: 'private, max-age=300',
  header: { id: 'Cache-Control' },
});

export const contentDisposition = z.string().meta({
  description: 'Suggests a file name.',
  example: 'attachment; filename="github.svg"',
  header: { id: 'Content-Disposition' },
});

export const vary = z.string().meta({
  description: 'Fields of the request on which the response depends.',
  example: 'X-API-Key, Accept-Encoding',
  header: { id: 'Vary' },
});

export const contentEncoding = z
  .enum(CONTENT_CODINGS)
  .optional()
  .meta({
    description:
      'Chosen by `Accept-Encoding`; absent if the response is short or the client accepts neither. Each form has an `ETag` of its own.',
    header: { id: 'Content-Encoding' },
  });
/** Of responses that may be compressed. */
export const CODED_HEADERS = { Vary: vary, 'Content-Encoding': contentEncoding };

export const rateLimitPolicy = z
  .string()
  .regex(new RegExp(`^${BUCKET};q=[0-9]+;w=${DAY_MS / SECOND_MS}$`))
  .optional()
  .meta({
    description: 'Quota of the day: requests (`q`) and seconds (`w`). Absent if unlimited.',
    example: '"svg-day";q=1000;w=86400',
    header: { id: 'RateLimit-Policy' },
  });

export const rateLimit = z
  .string()
  .regex(new RegExp(`^${BUCKET};r=[0-9]+;t=[0-9]+$`))
  .optional()
  .meta({
    description: 'Remaining requests of the day (`r`), and seconds until the quota resets (`t`). Absent if unlimited.',
    example: '"svg-day";r=997;t=36412',
    header: { id: 'RateLimit' },
  });

/** Its description differs by route. */
export function setCookie(description: string): z.ZodType {
  return z.string().meta({ description });
}
