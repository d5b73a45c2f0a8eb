// Conditional requests (RFC 9110, section 13).
import type { IncomingHttpHeaders } from 'node:http';
import { parseHttpDate } from './http-date.js';

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
