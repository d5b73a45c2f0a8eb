// The files of the pages for people, read once at start: HTML, styles, scripts and pictures.
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
/** Checked by its tag each time: a page of this release must not run the script of the last one. */
const REVALIDATED = { 'Cache-Control': 'no-cache' };

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/** Suffixes of the files beside a file that hold the same in a content coding. */
const ENCODED_SUFFIXES: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' };
const ENCODED_FILE = /\.(?:br|gz)$/;

/** Pictures are also made in the page, from answers of fetch. */
export const DASHBOARD_POLICY =
  "script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'";

/** `path` is relative to this folder in dist/. `{{name}}` is replaced by the value of that name. */
export function readPage(path: string, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(readFileSync(new URL(path, import.meta.url), 'utf8'), values);
}

/** `{{name}}` is replaced by the value of that name, where there is one. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** Features of browsers that no page uses; one of another name would be a warning in the console. */
const UNUSED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

/** A page may load what its policy allows, stands in no frame, and shares no window with pages of other origins. */
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

/** Header fields of a page that is sent in place of the one that was asked for. */
export const SUBSTITUTE_PAGE_FIELDS = { ...pageHeaders(DASHBOARD_POLICY), ...NO_STORE, ...VARY_ACCEPT };

export function pageFile(path: string, headers: HeaderFields = REVALIDATED): ConditionalReply {
  return fileReply(new URL(path, import.meta.url), headers);
}

/**
 * The files of a folder by name, for `pageFilesRoute`: of a build that puts a hash of its content into the name of every
 * file, so that a name never stands for anything else. Folders in it are left out.
 */
export function hashedFiles(folder: URL): Readonly<Record<string, ConditionalReply>> {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && !ENCODED_FILE.test(file.name))
    .map(({ name }) => name);
  return Object.fromEntries(
    names.map((name) => [name, fileReply(new URL(encodeURIComponent(name), folder), IMMUTABLE)]),
  );
}

/** Held in memory in every coding that lies beside it (src/dashboard/vite.config.js); connections share the bytes. */
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
