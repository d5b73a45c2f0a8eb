// Schemas of response headers. Each is a component of the OpenAPI document.
import { z } from 'zod';
import { SLUG_PATTERN } from '../../web/slug.js';
import { BUCKETS } from '../buckets.js';
import { DAY_MS, SECOND_MS } from '../../time.js';
import { CONTENT_CODINGS } from '../response/compression.js';
import { REQUEST_ID_PATTERN } from '../request/request-id.js';

const BUCKET = `"(?:${BUCKETS.join('|')})-day"`;

interface HeaderText {
  readonly description: string;
  readonly example?: string | number;
}

function header<Schema extends z.ZodType>(id: string, schema: Schema, text: HeaderText): Schema {
  return schema.meta({ ...text, header: { id } });
}

export const requestId = header('X-Request-Id', z.string().regex(REQUEST_ID_PATTERN), {
  description: "The request's own `X-Request-Id` if it is valid, otherwise a generated one. Also in the service log.",
  example: '0b9d2a7c-5b1e-4c7c-9f2e-0e7d9c1f2a3b',
});
export const retryAfter = header('Retry-After', z.int().min(0), {
  description: 'Number of seconds to wait before retrying.',
  example: 2,
});
export const allow = header('Allow', z.string(), {
  description: 'Methods that this path supports, separated by commas.',
  example: 'GET, HEAD, OPTIONS',
});
export const authenticate = header('WWW-Authenticate', z.literal('Bearer'), {
  description: 'Authentication scheme of the route.',
});
export const location = header('Location', z.string(), {
  description: 'Path and query of the redirect target.',
  example: '/v1/svg/github?size=32',
});
export const contentLocation = header('Content-Location', z.string(), {
  description: 'Path and query of the same picture by slug.',
  example: '/v1/png/github?size=128',
});
export const slugHeader = header('X-Blazon-Slug', z.string().regex(SLUG_PATTERN), {
  description: 'Slug of the entry.',
  example: 'github',
});
export const sourceHeader = header('X-Blazon-Source', z.string(), {
  description: 'URL of the icon, if it is the icon of the site itself.',
  example: 'https://www.example.com/favicon.svg',
});
export const etag = header('ETag', z.string().regex(/^"[^"]+"$/), {
  description: 'Strong entity tag, for `If-None-Match`.',
  example: '"0123456789abcdef0123456789abcdef"',
});
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
export const lastModified = header('Last-Modified', z.string().regex(HTTP_DATE), {
  description: 'When the entry last changed, for `If-Modified-Since`.',
  example: 'Sat, 21 Nov 2026 16:48:03 GMT',
});
export const cacheControl = header('Cache-Control', z.string(), {
  description: 'How long the response may be cached.',
  example: 'private, max-age=300',
});
export const contentDisposition = header('Content-Disposition', z.string(), {
  description: 'Suggested file name.',
  example: 'attachment; filename="github.svg"',
});
export const vary = header('Vary', z.string(), {
  description: 'Request headers that the response depends on.',
  example: 'X-API-Key, Accept-Encoding',
});
export const contentEncoding = header('Content-Encoding', z.enum(CONTENT_CODINGS).optional(), {
  description:
    'Negotiated with `Accept-Encoding`. Absent if the response is short or the client accepts neither encoding. ' +
    'Each encoding has its own `ETag`.',
});
export const CODED_HEADERS = { Vary: vary, 'Content-Encoding': contentEncoding };

const POLICY_PATTERN = new RegExp(`^${BUCKET};q=[0-9]+;w=${DAY_MS / SECOND_MS}$`);
export const rateLimitPolicy = header('RateLimit-Policy', z.string().regex(POLICY_PATTERN).optional(), {
  description: 'Daily quota: number of requests (`q`) and window in seconds (`w`). Absent if unlimited.',
  example: '"svg-day";q=1000;w=86400',
});
const LIMIT_PATTERN = new RegExp(`^${BUCKET};r=[0-9]+;t=[0-9]+$`);
export const rateLimit = header('RateLimit', z.string().regex(LIMIT_PATTERN).optional(), {
  description: 'Remaining requests of the day (`r`), and seconds until the quota resets (`t`). Absent if unlimited.',
  example: '"svg-day";r=997;t=36412',
});

/** Returns the schema of `Set-Cookie`. The description differs by route. */
export function setCookie(description: string): z.ZodType {
  return z.string().meta({ description });
}
