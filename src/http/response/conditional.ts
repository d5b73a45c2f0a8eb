// Conditional requests (RFC 9110, section 13).
import type { IncomingHttpHeaders } from 'node:http';
import { heldCodedTag } from './content-coding.js';
import { parseHttpDate } from './http-date.js';
import type { ConditionalReply, HeaderFields } from './reply.js';

/**
 * `headers`, as those of the 304; undefined when the client does not have the answer. What it has may be in any content coding
 * that it accepts: which one is sent is the server's choice (section 12.1), and this one costs nothing.
 */
export function notModified(
  request: IncomingHttpHeaders,
  { etag, lastModified, codings }: ConditionalReply,
  headers: HeaderFields,
): HeaderFields | undefined {
  if (etag === undefined) return undefined;
  const held = codings && heldCodedTag(request, etag);
  if (held !== undefined) return { ...headers, ETag: held };
  return isFresh(request, etag, lastModified) ? headers : undefined;
}

/** If-None-Match by weak comparison; If-Modified-Since only without it, and only when it is a date (section 13.1.3). */
export function isFresh(headers: IncomingHttpHeaders, etag: string, lastModified: Date | undefined): boolean {
  const noneMatch = headers['if-none-match'];
  // Tags have quotes and no quotes within, so in a list of tags no other one contains this one.
  if (noneMatch !== undefined) return noneMatch.trim() === '*' || noneMatch.includes(etag);
  const since = headers['if-modified-since'];
  if (since === undefined || lastModified === undefined) return false;
  const sinceMs = parseHttpDate(since);
  return sinceMs !== undefined && Math.floor(lastModified.getTime() / 1000) * 1000 <= sinceMs;
}

/** The fields that say what `isFresh` compares. */
export function etagHeaders(etag: string, lastModified?: Date): Readonly<Record<string, string>> {
  return { ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) };
}
