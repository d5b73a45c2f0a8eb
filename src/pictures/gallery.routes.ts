// GET /dashboard/search, /catalog/{slug}, /logo/{domain}, /svg|png|webp/{slug}, /strip, /favicon/{name}/{file}, POST
// /dashboard/missing: the catalog for the dashboard and the website of this service. These requests don't count against
// a quota.
import { z } from 'zod';
import {
  domainQuerySchema,
  formatOf,
  PICTURE_FORMATS,
  PICTURE_QUERIES,
  pictureRequest,
  MAX_VISITOR_SIDE,
  type AnswerFormat,
  type PictureFormat,
  type PictureQuery,
  type PictureRequest,
} from './picture-request.js';
import { MISSING_NAME_RULE, missingNames } from '../platform/not-found.js';
import { parseHost } from '../platform/web/host-name.js';
import { AppError, invalidField, invalidFields } from '../platform/errors.js';
import type { Client } from '../accounts/client-info.js';
import type { Caller } from '../accounts/sessions.js';
import { CONTENT_TYPES } from './pictures.js';
import type { PreviewKind } from '../accounts/preview-limits.js';
import { noContent, type ConditionalReply, type HeaderFields, type Reply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route, type Route } from '../platform/http/route.js';
import { text } from '../accounts/fields.routes.js';
import { entryAnswer } from '../catalog/catalog.routes.js';
import { faviconAnswer, faviconParams, faviconQuery } from './favicon.routes.js';
import { domainParameter, domainRequest, pictureByDomain } from './logo.routes.js';
import { askedAnswer } from './site-icon-answers.routes.js';
import { pictureBySlug } from './pictures.routes.js';
import { browseQuery, searchAnswer } from '../search/search.routes.js';
import { stripAnswer, stripCost, stripQuery } from './strip.routes.js';
import { NOT_MODIFIED, redirectDoc, slugParameter } from '../catalog/lookup-replies.routes.js';

interface Visit {
  readonly caller: Caller | undefined;
  readonly client: Client;
}

/**
 * Headers of responses to this service's own pages. Only pages of this origin can show the pictures. `Vary` keeps
 * responses to other sites separate in caches.
 */
const OWN_PAGES: HeaderFields = {
  Vary: 'Sec-Fetch-Site, Accept-Encoding',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const searchPreviewRoute = route('GET /dashboard/search', {
  auth: 'visitor',
  hidden: true,
  summary: 'List or search the entries of the catalog',
  query: browseQuery,
  responses: { 200: { description: 'A page of results' }, 304: NOT_MODIFIED },
  async handle({ query, ...visit }, services) {
    admit(visit, 'lookup', services);
    const catalog = await services.accountCatalogs.of(visit.caller?.account);
    return forOwnPages(searchAnswer(query, catalog, services));
  },
});

const entryPreviewRoute = route('GET /dashboard/catalog/{slug}', {
  auth: 'visitor',
  hidden: true,
  summary: 'An entry',
  params: z.strictObject({ slug: slugParameter }),
  responses: { 200: { description: 'The entry' }, 304: NOT_MODIFIED, 308: redirectDoc('An alias') },
  errors: ['not_found', 'gone'],
  async handle({ params: { slug }, url, ...visit }, services) {
    admit(visit, 'lookup', services);
    const catalog = await services.accountCatalogs.of(visit.caller?.account);
    return forOwnPages(await entryAnswer(services, { catalog, slug, url }));
  },
});

function picturePreviewRoute(format: PictureFormat): Route {
  return route(`GET /dashboard/${format}/{slug}`, {
    auth: 'visitor',
    hidden: true,
    summary: 'Get a preview with the same bytes as the picture under /v1',
    params: z.strictObject({ slug: slugParameter }),
    query: PICTURE_QUERIES[format],
    responses: {
      200: { description: 'The picture', media: CONTENT_TYPES[format] },
      304: NOT_MODIFIED,
      308: redirectDoc('An alias or an old revision'),
    },
    errors: ['not_found', 'gone', 'unprocessable', 'busy'],
    async handle({ params: { slug }, query, url, ...visit }, services) {
      const request = previewRequest(format, query, visit, services);
      const catalog = await services.accountCatalogs.of(visit.caller?.account);
      return forOwnPages(await pictureBySlug({ catalog, slug, request, url }, services));
    },
  });
}

const reportRoute = route('POST /dashboard/missing', {
  auth: 'visitor',
  hidden: true,
  summary: 'Report a missing brand or domain to the operator',
  body: z.strictObject({ name: text.meta({ allowed: MISSING_NAME_RULE, example: 'Acme' }) }),
  responses: { 204: { description: 'Counted' } },
  handle({ body: { name }, ...visit }, services) {
    admit(visit, 'lookup', services);
    const host = parseHost(name);
    const missing = host.kind === 'host' ? missingNames('domain', host.registrable) : missingNames('name', name);
    if (missing.length === 0) throw invalidField('name', 'not a name', MISSING_NAME_RULE);
    services.missing.count(visit.caller ? visit.caller.account.id : visit.client.rateLimitKey, missing);
    return noContent();
  },
});

const logoPreviewRoute = route('GET /dashboard/logo/{domain}', {
  auth: 'visitor',
  hidden: true,
  summary: 'Get a preview with the same bytes as the logo under /v1',
  params: z.strictObject({ domain: domainParameter }),
  query: domainQuerySchema,
  responses: {
    200: {
      description: 'The picture',
      media: CONTENT_TYPES.png,
      otherMedia: Object.fromEntries(Object.values(CONTENT_TYPES).map((type) => [type, undefined])),
    },
    304: NOT_MODIFIED,
    308: redirectDoc('An old revision'),
  },
  errors: ['not_found', 'unprocessable', 'busy'],
  async handle({ params: { domain }, query, url, ...visit }, services) {
    const { caller } = visit;
    const asked = domainRequest(query, caller ? undefined : MAX_VISITOR_SIDE);
    admitPreview(formatOf(query), query, visit, services);
    const catalog = await services.accountCatalogs.of(caller?.account);
    // Visitors without an account never wait for website icons. Fetching an icon counts against limits, and these
    // limits exist only per account.
    const siteWait = caller ? asked.siteWait : undefined;
    const answer = await pictureByDomain({ ...asked, siteWait, domain, catalog, url }, services);
    return forOwnPages(await askedAnswer(answer, NO_CREDENTIAL));
  },
});

/**
 * Empty credential, for requests of this service's own web pages. It has no `allowingOrigins` (only publishable keys
 * do), so shared caches must not store the response.
 */
const NO_CREDENTIAL = {};

const stripPreviewRoute = route('GET /dashboard/strip', {
  auth: 'visitor',
  hidden: true,
  summary: 'Get a preview with the same bytes as the strip under /v1',
  query: stripQuery,
  responses: {
    200: { description: 'The picture', media: CONTENT_TYPES.svg, otherMedia: { [CONTENT_TYPES.png]: undefined } },
    304: NOT_MODIFIED,
  },
  errors: ['not_found', 'unprocessable', 'busy'],
  async handle({ query, ...visit }, services) {
    const isSvg = query.format !== 'png';
    if (!visit.caller && !isSvg) throw invalidField('format', 'sign in to use this value', 'svg');
    admit(visit, isSvg ? 'lookup' : 'rasterize', services, stripCost(query));
    const catalog = await services.accountCatalogs.of(visit.caller?.account);
    return forOwnPages(await stripAnswer(query, catalog, services));
  },
});

const faviconPreviewRoute = route('GET /dashboard/favicon/{name}/{file}', {
  auth: 'visitor',
  hidden: true,
  summary: 'Get a preview with the same bytes as the file under /v1',
  params: faviconParams,
  query: faviconQuery,
  responses: {
    200: { description: 'The file', media: 'image/x-icon' },
    304: NOT_MODIFIED,
    308: redirectDoc('An alias'),
  },
  errors: ['not_found', 'gone', 'unprocessable', 'busy'],
  async handle({ params, query, url, ...visit }, services) {
    const isRasterized = /\.(?:ico|png|zip)$/.test(params.file);
    admit(visit, isRasterized ? 'rasterize' : 'lookup', services);
    const catalog = await services.accountCatalogs.of(visit.caller?.account);
    return forOwnPages(await faviconAnswer({ params, query, url, catalog }, services));
  },
});

export const galleryRoutes = [
  ...[searchPreviewRoute, entryPreviewRoute, logoPreviewRoute, reportRoute, stripPreviewRoute, faviconPreviewRoute],
  ...PICTURE_FORMATS.map(picturePreviewRoute),
];

/**
 * Checks that the caller may browse the catalog, and counts the request against the limits of previews. Throws AppError
 * `session_ended` if the caller is a visitor and browsing requires an account. Throws AppError `rate_limited` if a
 * limit is used up.
 */
function admit(
  { caller, client }: Visit,
  kind: PreviewKind,
  { deployment, previewLimits }: Pick<Services, 'deployment' | 'previewLimits'>,
  tokens = 1,
): void {
  if (!caller && deployment.gallery === 'off') throw new AppError('session_ended', 'Sign in to browse the catalog.');
  previewLimits.take(caller ? { accountId: caller.account.id } : client, kind, tokens);
}

function admitPreview(
  format: AnswerFormat,
  query: Parameters<typeof rejectLarge>[0],
  visit: Visit,
  services: Parameters<typeof admit>[2],
): void {
  admit(visit, format === 'svg' ? 'lookup' : 'rasterize', services);
  if (!visit.caller) rejectLarge(query);
}

function previewRequest(
  format: AnswerFormat,
  query: PictureQuery,
  visit: Visit,
  services: Parameters<typeof admit>[2],
): PictureRequest {
  admitPreview(format, query, visit, services);
  return pictureRequest(format, query, visit.caller ? undefined : MAX_VISITOR_SIDE);
}

/** Throws AppError `invalid_request` for sizes that only accounts may request. */
function rejectLarge({ scale = 1, ...query }: Pick<PictureQuery, 'scale' | 'size' | 'width' | 'height'>): void {
  const reason = 'sign in to see larger pictures';
  const sides = (['size', 'width', 'height'] as const).filter((name) => (query[name] ?? 0) > MAX_VISITOR_SIDE);
  const details = [
    ...sides.map((field) => ({ field, reason, allowed: `8..${MAX_VISITOR_SIDE}` })),
    ...(scale > 1 ? [{ field: 'scale', reason, allowed: '1' }] : []),
  ];
  if (details.length > 0) throw invalidFields(details);
}

function forOwnPages(answer: Reply | ConditionalReply): Reply | ConditionalReply {
  if (answer.kind === 'reply') return { ...answer, headers: [...answer.headers, OWN_PAGES] };
  // After another account has signed in, this URL may show another picture with the same date. Dates are therefore not
  // compared, only ETags.
  return { ...answer, lastModified: undefined, headers: { ...answer.headers, ...OWN_PAGES } };
}
