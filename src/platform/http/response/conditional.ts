// Conditional requests (RFC 9110, section 13).
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';
import { heldCodedTag } from './content-coding.js';
import type { ConditionalReply, HeaderFields } from './reply.js';

/**
 * Returns the headers of a 304, or undefined if the client's copy is not current. The copy may have any content coding
 * that the client accepts, even if the server would now choose another coding (RFC 9110, section 12.1).
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

/**
 * Returns true if the client's copy is current. If-None-Match takes precedence over If-Modified-Since (RFC 9110,
 * section 13.1.3).
 */
export function isFresh(request: IncomingHttpHeaders, etag: string, lastModified: Date | undefined): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = request;
  return noneMatch === undefined
    ? fresh({ 'if-modified-since': modifiedSince }, { 'last-modified': lastModified?.toUTCString() })
    : fresh({ 'if-none-match': noneMatch }, { etag });
}

/** Returns `ETag` and `Last-Modified`, which clients send back in conditional requests. */
export function etagHeaders(etag: string, lastModified?: Date): Readonly<Record<string, string>> {
  return { ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) };
}
