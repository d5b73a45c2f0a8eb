// Files of the web pages, read once at start: HTML, styles, scripts and pictures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { Codings, ContentCoding } from '../response/compression.js';
import { NO_STORE, VARY_ACCEPT, type ConditionalReply, type HeaderFields } from '../response/reply.js';
import { staticReply } from '../response/static-reply.js';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/**
 * Headers of files that browsers must revalidate at each use. Otherwise a page of the new release could run a script of
 * the previous release.
 */
const REVALIDATED = { 'Cache-Control': 'no-cache' };

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/** File name suffixes of compressed copies, by content coding. */
const ENCODED_SUFFIXES: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };
const ENCODED_FILE = /\.(?:br|gz)$/;

/** Content security policy of the dashboard. `blob:` allows pictures that the page creates from downloaded data. */
export const DASHBOARD_POLICY =
  "script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'";

/** Reads a page and replaces each `{{name}}` by its value. `path` is relative to the folder of this file in dist/. */
export function readPage(path: string, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(readFileSync(new URL(path, import.meta.url), 'utf8'), values);
}

/** Replaces each `{{name}}` for which `values` has a value. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/**
 * Browser features that no page uses. The list contains only names that browsers know, because unknown names cause
 * warnings in the console.
 */
const UNUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

/**
 * Returns the headers of a page. They restrict which resources the page loads, forbid framing, and isolate the page's
 * window from pages of other origins.
 */
export function pageHeaders(contentSecurityPolicy: string): HeaderFields {
  return {
    ...REVALIDATED,
    'Content-Type': TYPES['.html'] ?? '',
    'Content-Security-Policy':
      `default-src 'none'; ${contentSecurityPolicy}; ` + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  };
}

/** Headers of a page that is sent instead of the requested page, such as the page for an unknown URL. */
export const SUBSTITUTE_PAGE_FIELDS = { ...pageHeaders(DASHBOARD_POLICY), ...NO_STORE, ...VARY_ACCEPT };

export function pageFile(path: string, headers: HeaderFields = REVALIDATED): ConditionalReply {
  return fileReply(new URL(path, import.meta.url), headers);
}

/**
 * Returns the files of a folder by name, for `pageFilesRoute`. Browsers may cache them forever, because the build adds
 * a hash of the content to each name. Omits subfolders.
 */
export function hashedFiles(folder: URL): Readonly<Record<string, ConditionalReply>> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && !ENCODED_FILE.test(file.name))
    .map(({ name }) => name);
  return Object.fromEntries(
    names.map((name) => [name, fileReply(new URL(encodeURIComponent(name), folder), IMMUTABLE)]),
  );
}

/**
 * Returns the reply with a file and its compressed copies, which the build makes (src/dashboard/vite.config.js). All
 * connections share these bytes in memory.
 */
function fileReply(file: URL, headers: HeaderFields): ConditionalReply {
  const type = TYPES[extname(file.pathname)];
  if (type === undefined) throw new Error(`no media type for ${file.pathname}`);
  const siblings = encodedSiblings(file);
  return staticReply(readFileSync(file), { ...headers, 'Content-Type': type }, siblings && (() => siblings));
}

function encodedSiblings({ href }: URL): Codings | undefined {
  const br = new URL(href + ENCODED_SUFFIXES.br);
  const gzip = new URL(href + ENCODED_SUFFIXES.gzip);
  if (!existsSync(br) || !existsSync(gzip)) return undefined;
  const bytes: Readonly<Record<ContentCoding, Buffer>> = { br: readFileSync(br), gzip: readFileSync(gzip) };
  return { known: (coding) => bytes[coding], encode: async (coding) => bytes[coding] };
}
