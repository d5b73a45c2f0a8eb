// The files of the pages for people, read once at start: HTML, styles, scripts and pictures.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { ConditionalReply, HeaderFields } from '../response/reply.js';
import { staticReply } from '../response/static-reply.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
const COMMON = { 'X-Content-Type-Options': 'nosniff' };
/** Checked by its tag each time: a page of this release must not run the script of the last one. */
const REVALIDATED = { 'Cache-Control': 'no-cache' };

/** `path` is relative to this folder as the build leaves it (scripts/build-pages.ts). */
function readPageFile(path: string): Buffer {
  return readFileSync(new URL(path, import.meta.url));
}

/** `{{name}}` is replaced by the value of that name. */
export function readPage(path: string, values: Readonly<Record<string, string | number>> = {}): string {
  return readPageFile(path)
    .toString('utf8')
    .replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** A page may load what its policy allows, and stands in no frame. */
export function pageHeaders(contentSecurityPolicy: string): HeaderFields {
  return {
    ...COMMON,
    ...REVALIDATED,
    'Content-Type': TYPES['.html'] ?? '',
    'Content-Security-Policy':
      `default-src 'none'; ${contentSecurityPolicy}; ` + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Referrer-Policy': 'no-referrer',
  };
}

/**
 * What `.gz` holds is sent as it is: every browser takes gzip, and one copy is held in memory, not one for each
 * encoding.
 */
export function pageFile(path: string, headers: HeaderFields = REVALIDATED): ConditionalReply {
  const isCompressed = path.endsWith('.gz');
  const type = TYPES[extname(isCompressed ? path.slice(0, -'.gz'.length) : path)];
  if (type === undefined) throw new Error(`no media type for ${path}`);
  return staticReply(readPageFile(path), {
    ...COMMON,
    ...headers,
    'Content-Type': type,
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
}
