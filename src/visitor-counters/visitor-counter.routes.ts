// /v1/public/visitor-counter: visits of a page or a README, as JSON and as a badge.
import { z } from 'zod';
import { badgeData, badgeDataQuery, badgeQuery, badgeSvg } from './badge.js';
import { COUNTER_NAME_PATTERN, COUNTER_NAME_RULE, type CounterName } from './counter.js';
import type { ErrorCode } from '../platform/errors.js';
import type { CounterReading, Visit } from './visitor-counting.js';
import { cacheControl } from '../platform/http/openapi/headers.js';
import { content, json, NO_STORE, PICTURE_POLICY, SVG_POLICY, type Reply } from '../platform/http/response/reply.js';
import { route, type OpenCall, type Route } from '../platform/http/route.js';
import { count } from '../platform/http/openapi/times-and-counts.js';
import { nothing } from '../accounts/fields.routes.js';

const PATH = '/v1/public/visitor-counter/{name}';
const ERRORS = ['not_found', 'forbidden', 'unavailable'] satisfies ErrorCode[];
const HEADERS = { 'Cache-Control': cacheControl };

/** An invalid name causes `not_found`, like a name that is not configured. */
const counterName = z
  .string()
  .transform((text) => text as CounterName)
  .meta({
    description: 'Name of a counter of this deployment.',
    allowed: COUNTER_NAME_RULE,
    pattern: COUNTER_NAME_PATTERN.source,
    example: 'example',
  });
const params = z.strictObject({ name: counterName });

const countsSchema = z
  .object({
    name: z.string().meta({ description: 'Name of the counter.', example: 'example' }),
    total: count.meta({ description: 'Total number of visits, including the configured seed.', example: 4711 }),
    today: count.meta({ description: 'Number of visits of the current UTC day.', example: 42 }),
    uniqueToday: count.meta({
      description:
        'Number of distinct visitors of the current UTC day, by IP address and user agent. Large numbers are ' +
        'estimates.',
      example: 15,
    }),
  })
  .meta({ id: 'VisitCounts' });

const endpointBadgeSchema = z
  .object({
    schemaVersion: z.literal(1),
    label: z.string().meta({ description: 'Text on the left.', example: 'visitors' }),
    message: z.string().meta({ description: 'Number on the right.', example: '4,711' }),
    color: z.string().meta({ description: 'Color of the right part.', example: '#1d9bf0' }),
    labelColor: z.string().optional().meta({ description: 'Color of the left part.', example: '#333333' }),
    style: z.enum(['flat', 'flat-square']).meta({ description: 'Shape of the badge.', example: 'flat' }),
  })
  .meta({ id: 'EndpointBadge' });

const BADGE_EXAMPLE = '<svg xmlns="http://www.w3.org/2000/svg" width="92" height="20" role="img">…</svg>';

export const visitorCounterRoutes: readonly Route[] = [
  route(`POST ${PATH}/hits`, {
    auth: 'none',
    summary: 'Count a visit',
    description:
      'Counts a visit and returns the numbers. Requests of known bots, prefetches, prerendered pages and ' +
      'previews (`Sec-Purpose`, `Purpose`, `X-Purpose`, `X-Moz`) get the numbers without counting. Only pages of ' +
      "the origins in the counter's configuration can use this route.",
    params,
    body: nothing,
    responses: { 200: { description: 'The numbers', schema: countsSchema, headers: HEADERS } },
    errors: ERRORS,
    handle: async (call, { counting }) => countsReply(await counting.hit(call.params.name, visitOf(call))),
  }),
  route(`GET ${PATH}`, {
    auth: 'none',
    summary: 'Get the visits of a counter',
    description: 'Does not count a visit.',
    params,
    responses: { 200: { description: 'The numbers', schema: countsSchema, headers: HEADERS } },
    errors: ERRORS,
    handle: async (call, { counting }) => countsReply(await counting.read(call.params.name, call.pageOrigin)),
  }),
  route(`GET ${PATH}/badge.svg`, {
    auth: 'none',
    summary: 'Get a badge, and count a visit',
    description:
      'For an `<img>` or a README. Each request counts as a visit, unless `hit=0` is set. Bots, prefetches, ' +
      'prerendered pages and previews are not counted.',
    params,
    query: badgeQuery,
    responses: {
      200: { description: 'The badge', media: 'image/svg+xml', headers: HEADERS, example: BADGE_EXAMPLE },
    },
    errors: ERRORS,
    handle: async (call, { counting }) => {
      const { hit = 1, ...looks } = call.query;
      const { name } = call.params;
      const counts =
        hit === 1 && !call.isHead
          ? await counting.hit(name, visitOf(call))
          : await counting.read(name, call.pageOrigin);
      return content(badgeSvg(looks, counts), {
        'Content-Type': 'image/svg+xml; charset=utf-8',
        ...NO_STORE,
        ...PICTURE_POLICY,
        ...SVG_POLICY,
      });
    },
  }),
  route(`GET ${PATH}/shields.json`, {
    auth: 'none',
    summary: 'Get the badge data for shields.io',
    description:
      "Response in the format of shields.io's endpoint badge (shields.io/badges/endpoint-badge). Does not count a " +
      'visit.',
    params,
    query: badgeDataQuery,
    responses: { 200: { description: 'The data', schema: endpointBadgeSchema, headers: HEADERS } },
    errors: ERRORS,
    handle: async (call, { counting }) =>
      json(200, badgeData(call.query, await counting.read(call.params.name, call.pageOrigin)), NO_STORE),
  }),
];

function visitOf({
  pageOrigin: origin,
  client,
  isSpeculative,
}: Pick<OpenCall<unknown, unknown, unknown>, 'pageOrigin' | 'client' | 'isSpeculative'>): Visit {
  return { origin, address: client.rateLimitKey, userAgent: client.origin.userAgent, isSpeculative };
}

function countsReply({ name, total, today, uniqueToday }: CounterReading): Reply {
  return json(200, { name, total, today, uniqueToday }, NO_STORE);
}
