// GET /openapi.json and /docs: the OpenAPI document, and a page with a form for requests. Neither loads external
// resources.
import { z } from 'zod';
import { AppError } from '../errors.js';
import { guidePage, referencePage } from './pages/dashboard-files.js';
import type { DashboardSettings } from './pages/dashboard-settings.js';
import { GUIDE_NAMES } from './pages/guides.js';
import { DASHBOARD_POLICY, pageFile, pageHeaders } from './pages/page-files.js';
import { CODED_HEADERS } from './openapi/headers.js';
import { staticReply } from './response/static-reply.js';
import type { ConditionalReply } from './response/reply.js';
import { route, type Route } from './route.js';
import { NOT_MODIFIED, pageFilesRoute } from './pages/page-file-route.routes.js';

const DOCUMENT_FIELDS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};
const ICON_FIELDS = { 'Cache-Control': 'public, max-age=86400' };

/** `document`: returns the OpenAPI document. Called at the first request. */
export function documentRoute(document: () => object): Route {
  let reply: ConditionalReply | undefined;
  return route('GET /openapi.json', {
    auth: 'none',
    summary: 'Get the OpenAPI document',
    description: 'OpenAPI 3.1, generated from the schemas that validate requests and responses.',
    responses: {
      200: {
        description: 'OpenAPI 3.1',
        schema: z
          .looseObject({ openapi: z.string().meta({ description: 'OpenAPI version.' }) })
          .meta({ example: { openapi: '3.1.0' } }),
        headers: CODED_HEADERS,
      },
      304: NOT_MODIFIED,
    },
    handle: (_, { taggedCodings }) =>
      (reply ??= staticReply(JSON.stringify(document(), null, 2), DOCUMENT_FIELDS, taggedCodings)),
  });
}

export function docsRoutes(settings: DashboardSettings): Route[] {
  // The page is built at the first request.
  let page: ConditionalReply | undefined;
  const icon = pageFile('assets/favicon.ico', ICON_FIELDS);
  return [
    route('GET /docs', {
      auth: 'none',
      page: true,
      summary: 'Get the API reference',
      description: 'HTML reference with a form to try each route.',
      responses: { 200: { description: 'API reference with try-it forms', media: 'text/html' }, 304: NOT_MODIFIED },
      errors: ['unavailable'],
      handle: () => (page ??= staticReply(referencePage(settings), pageHeaders(DASHBOARD_POLICY))),
    }),
    ...guideRoutes(settings),
    pageFilesRoute('/docs', {
      'example.png': pageFile('assets/example.png'),
      'example.svg': pageFile('assets/example.svg'),
      'example.webp': pageFile('assets/example.webp'),
    }),
    // Browsers request this path automatically, for every page and picture.
    route('GET /favicon.ico', {
      auth: 'none',
      hidden: true,
      page: true,
      summary: 'Favicon of all pages',
      responses: { 200: { description: 'An icon', media: 'image/x-icon' }, 304: NOT_MODIFIED },
      handle: () => icon,
    }),
  ];
}

/** Names of pictures in docs/pictures/ that the guides (pages for users and operators) show. */
const GUIDE_PICTURES = ['plain', 'padding', 'background', 'rotate', 'greyscale', 'monogram'].map(
  (name) => `${name}.png`,
);

function guideRoutes(settings: DashboardSettings): Route[] {
  const pages = new Map<string, ConditionalReply>();
  const pageOf = (name: string): ConditionalReply => {
    const page = pages.get(name) ?? staticReply(guidePage(name, settings), pageHeaders(DASHBOARD_POLICY));
    pages.set(name, page);
    return page;
  };
  const options = {
    auth: 'none',
    hidden: true,
    page: true,
    summary: 'A guide',
    responses: { 200: { description: 'A page', media: 'text/html' }, 304: NOT_MODIFIED },
  } as const;
  return [
    route('GET /docs/guides', { ...options, handle: () => pageOf('getting-started') }),
    route('GET /docs/guides/{page}', {
      ...options,
      params: z.strictObject({ page: z.string() }),
      errors: ['route_not_found'],
      handle({ params: { page } }) {
        if (!GUIDE_NAMES.includes(page)) throw new AppError('route_not_found');
        return pageOf(page);
      },
    }),
    pageFilesRoute(
      '/docs/guides/pictures',
      Object.fromEntries(GUIDE_PICTURES.map((name) => [name, pageFile(`../../../../docs/pictures/${name}`)])),
    ),
  ];
}
