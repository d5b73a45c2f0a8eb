// Detection of requests that a browser sends before a possible visit: prefetch, prerender and preview.
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Headers of prefetch, prerender and preview requests. `Sec-Purpose` is the standard (Fetch, section 3.9). Older
 * browsers send the other headers.
 */
const FIELDS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;
const AHEAD = /\b(?:prefetch|prerender|preview)\b/i;

export function isSpeculative(headers: IncomingHttpHeaders): boolean {
  return FIELDS.some((name) => AHEAD.test(String(headers[name] ?? '')));
}
