// The API described: the document for machines, a page with try-it for people. All served from here, nothing from a
// CDN.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../errors.js';
import { DOCS_CSS, DOCS_HTML, DOCS_SCRIPT, LOGO_SVG } from '../pages/docs-page.js';
import { staticReply } from '../response/static-reply.js';
import type { ConditionalReply, Reply } from '../response/reply.js';
import { publicRoute, type Route } from '../route.js';

/** What the page loads. `from` is a file of swagger-ui-dist. */
const FILES = {
  'swagger-ui.css': { type: 'text/css; charset=utf-8', from: 'swagger-ui.css' },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', from: 'swagger-ui-bundle.js' },
  'blazon.css': { type: 'text/css; charset=utf-8', text: DOCS_CSS },
  'blazon.js': { type: 'text/javascript; charset=utf-8', text: DOCS_SCRIPT },
  'blazon.svg': { type: 'image/svg+xml', text: LOGO_SVG },
} as const;

const PAGE_FIELDS = {
  'Content-Type': 'text/html; charset=utf-8',
  // Swagger UI writes inline styles and shows its icons as data: images; answers of try-it are shown from blob:
  // addresses.
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};
const FILE_FIELDS = { 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' };
const DOCUMENT_FIELDS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};
const NOT_MODIFIED = { description: 'The client has it already' };

/** By name, as the page asks for it. */
function isFile(name: string): name is keyof typeof FILES {
  return Object.hasOwn(FILES, name);
}

export function docsRoutes(document: () => object): Route[] {
  const uiDir = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const page = staticReply(DOCS_HTML, PAGE_FIELDS);
  let openApi: ConditionalReply | undefined;
  const files = new Map<string, Promise<ConditionalReply>>();

  async function load(name: keyof typeof FILES): Promise<ConditionalReply> {
    const file = FILES[name];
    return staticReply('text' in file ? file.text : await readFile(join(uiDir, file.from)), {
      ...FILE_FIELDS,
      'Content-Type': file.type,
    });
  }

  /** One reading for all requests, also for those that arrive before it is done. */
  function loaded(name: keyof typeof FILES): Promise<ConditionalReply> {
    const known = files.get(name);
    if (known) return known;
    const loading = load(name);
    files.set(name, loading);
    loading.catch(() => files.delete(name));
    return loading;
  }

  return [
    publicRoute({
      method: 'GET',
      path: '/openapi.json',
      tag: 'Operation',
      summary: 'This document',
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          schema: z.looseObject({ openapi: z.string() }).meta({ example: { openapi: '3.1.0' } }),
        },
        304: NOT_MODIFIED,
      },
      errors: [],
      handle: () => (openApi ??= staticReply(JSON.stringify(document(), null, 2), DOCUMENT_FIELDS)),
    }),
    publicRoute({
      method: 'GET',
      path: '/docs',
      page: true,
      tag: 'Operation',
      summary: 'This page',
      responses: { 200: { description: 'The API reference with try-it', media: 'text/html' }, 304: NOT_MODIFIED },
      errors: [],
      handle: () => page,
    }),
    publicRoute({
      method: 'GET',
      path: '/docs/{file}',
      hidden: true,
      tag: 'Operation',
      summary: 'What the page loads',
      params: z.strictObject({ file: z.string() }),
      responses: { 200: { description: 'Styles, scripts and pictures of the page' }, 304: NOT_MODIFIED },
      errors: ['route_not_found'],
      handle: ({ params: { file } }) => {
        if (!isFile(file)) throw new AppError('route_not_found');
        return loaded(file);
      },
    }),
    publicRoute({
      method: 'GET',
      path: '/',
      hidden: true,
      page: true,
      tag: 'Operation',
      summary: 'Leads to the reference',
      responses: { 302: { description: 'To /docs' } },
      errors: [],
      handle: (): Reply => ({
        kind: 'reply',
        status: 302,
        headers: [{ Location: '/docs', 'Cache-Control': 'no-cache' }],
        body: null,
      }),
    }),
  ];
}
