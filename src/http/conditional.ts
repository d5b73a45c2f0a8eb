// Conditional requests (RFC 9110, section 13): does the client have this representation already?
import type { IncomingHttpHeaders } from 'node:http';

/** If-None-Match by weak comparison; If-Modified-Since only without it. */
export function isFresh(headers: IncomingHttpHeaders, etag: string, lastModified: Date | undefined): boolean {
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) return noneMatch === etag || listed(noneMatch, etag);
  const since = headers['if-modified-since'];
  if (since === undefined || lastModified === undefined) return false;
  const sinceMs = Date.parse(since);
  return !Number.isNaN(sinceMs) && Math.floor(lastModified.getTime() / 1000) * 1000 <= sinceMs;
}

/** The fields that say what `isFresh` compares. */
export function tagFields(etag: string, lastModified?: Date): Readonly<Record<string, string>> {
  return { ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) };
}

function listed(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
