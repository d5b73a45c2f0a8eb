// The API described: the document for machines, a page with try-it for people. All served from here, nothing from a CDN.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { DOCS_CSS, DOCS_HTML, DOCS_SCRIPT, LOGO_SVG } from '../docs-page.js';
import { content, type Reply } from '../reply.js';
import { openRoute, type Route } from '../route.js';

/** What the page loads. `from` is a file of swagger-ui-dist. */
const FILES = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8', from: 'swagger-ui.css' },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', from: 'swagger-ui-bundle.js' },
  'blazon.css': { type: 'text/css; charset=utf-8', text: DOCS_CSS },
  'blazon.js': { type: 'text/javascript; charset=utf-8', text: DOCS_SCRIPT },
  'blazon.svg': { type: 'image/svg+xml', text: LOGO_SVG },
} as const;
const FILE_NAMES = Object.keys(FILES) as [keyof typeof FILES, ...(keyof typeof FILES)[]];

const PAGE_FIELDS = {
  'Content-Type': 'text/html; charset=utf-8',
  // Swagger UI writes inline styles and shows its icons as data: images; answers of try-it are shown from blob: addresses.
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

export function docsRoutes(document: () => object): Route[] {
  const uiDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  let rendered: string | undefined;
  const loaded = new Map<string, string | Buffer>();
  const tags = new Map<string | Buffer, string>();
  return [
    openRoute({
      method: 'GET',
      path: '/openapi.json',
      tag: 'Operation',
      summary: 'This document',
      responses: { 200: { description: 'OpenAPI 3.1', schema: z.looseObject({ openapi: z.string() }) } },
      errors: [],
      handle: () => {
        rendered ??= JSON.stringify(document(), null, 2);
        return content(rendered, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' });
      },
    }),
    openRoute({
      method: 'GET',
      path: '/docs',
      tag: 'Operation',
      summary: 'This page',
      responses: { 200: { description: 'The API reference with try-it', media: 'text/html' } },
      errors: [],
      handle: () => content(DOCS_HTML, PAGE_FIELDS),
    }),
    openRoute({
      method: 'GET',
      path: '/docs/{file}',
      hidden: true,
      tag: 'Operation',
      summary: 'What the page loads',
      params: z.strictObject({ file: z.enum(FILE_NAMES).meta({ allowed: FILE_NAMES }) }),
      responses: { 200: { description: 'Styles, scripts and pictures of the page' } },
      errors: [],
      handle: async ({ params }) => {
        const file = FILES[params.file];
        const body = loaded.get(params.file) ?? ('text' in file ? file.text : await readFile(join(uiDir, file.from)));
        loaded.set(params.file, body);
        const etag = tags.get(body) ?? `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
        tags.set(body, etag);
        return content(body, { 'Content-Type': file.type, ETag: etag, 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' });
      },
    }),
    openRoute({
      method: 'GET',
      path: '/',
      hidden: true,
      tag: 'Operation',
      summary: 'Leads to the reference',
      responses: { 302: { description: 'To /docs' } },
      errors: [],
      handle: (): Reply => ({ kind: 'reply', status: 302, head: [{ Location: '/docs', 'Cache-Control': 'no-cache' }], body: null }),
    }),
  ];
}
