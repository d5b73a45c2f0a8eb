// Conditional requests (RFC 9110, section 13).
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import { heldCodedTag } from './content-coding.js';
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

/** If-None-Match takes precedence over If-Modified-Since (section 13.1.3). */
export function isFresh(request: IncomingHttpHeaders, etag: string, lastModified: Date | undefined): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = request;
  return noneMatch === undefined
    ? fresh({ 'if-modified-since': modifiedSince }, { 'last-modified': lastModified?.toUTCString() })
    : fresh({ 'if-none-match': noneMatch }, { etag });
}

/** The fields that say what `isFresh` compares. */
export function etagHeaders(etag: string, lastModified?: Date): Readonly<Record<string, string>> {
  return { ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) };
}
