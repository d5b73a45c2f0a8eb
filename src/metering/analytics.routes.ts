// GET /v1/analytics/usage and /responses: the account's requests and responses, by day.
import { z } from 'zod';
import { DEFAULT_RANGE_DAYS, MAX_RANGE_DAYS } from '../platform/day-range.js';
import { MAX_COUNTED_SLUGS, STATUS_CLASSES } from './day-responses.js';
import { BUCKETS, TIERS } from '../accounts/plan.js';
import { parseUtcDay, USAGE_KEPT_DAYS } from '../platform/utc-day.js';
import { enumParameter, parameter } from '../platform/web/query-parameter.js';
import { MAX_TOP_SLUGS, type UsageAnalytics } from './analytics.js';
import { CODED_HEADERS, contentDisposition } from '../platform/http/openapi/headers.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import { content, json, NO_STORE, VARY_ACCEPT, type Reply } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { count, day, objectOf, utcDay } from '../platform/http/openapi/times-and-counts.js';
import { slugField } from '../platform/http/openapi/slug.js';
import { requesterUsage } from './usage.routes.js';

const dayParameter = (description: string) =>
  parameter({
    description,
    allowed: 'a date, YYYY-MM-DD',
    schema: { type: 'string', format: 'date' },
    read: (text) => {
      const value = parseUtcDay(text);
      return value === undefined ? { ok: false, reason: 'not a valid date' } : { ok: true, value };
    },
  });

const DAYS = {
  from: dayParameter(
    `First day. By default, the range covers ${DEFAULT_RANGE_DAYS} days, or fewer if fewer days are kept.`,
  ),
  to: dayParameter('Last day. Default: today.'),
};
const DAYS_TEXT =
  `All days are UTC days. The range includes \`from\` and \`to\` and covers at most ${MAX_RANGE_DAYS} ` +
  `days. It must be within the last ${USAGE_KEPT_DAYS} days, for which counters are kept; otherwise the response ` +
  'is `invalid_request` with the allowed days. Days without requests are included. Not counted. Accepts an ' +
  'API key or an access token.';

const bucketCounts = objectOf(BUCKETS, count.optional().meta({ description: 'Counted requests.' })).meta({
  id: 'BucketCounts',
  description: 'All buckets, or only the requested one.',
});

const usageSchema = z
  .object({
    from: day.meta({ description: 'First day of the report.' }),
    to: day.meta({ description: 'Last day of the report.' }),
    tier: z.enum(TIERS).meta({ description: 'Tier whose limits currently apply.', example: 'enterprise' }),
    totals: bucketCounts,
    days: z
      .array(
        z.object({
          date: utcDay,
          total: count.meta({ description: 'Counted requests of the day.' }),
          buckets: bucketCounts,
        }),
      )
      .min(1)
      .max(MAX_RANGE_DAYS)
      .meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'UsageAnalytics' });

export const responseCounts = objectOf(
  STATUS_CLASSES,
  count.meta({ description: 'Number of responses with these status codes.' }),
).meta({
  id: 'ResponseCounts',
  description: 'Responses by status class.',
});

export const slugRequests = z
  .object({ slug: slugField, requests: count.meta({ description: 'Requests of the day.' }) })
  .meta({ id: 'SlugRequests', description: 'Number of requests for an entry or its pictures.' });

const responsesSchema = z
  .object({
    from: day.meta({ description: 'First day of the report.' }),
    to: day.meta({ description: 'Last day of the report.' }),
    days: z
      .array(
        z.object({
          date: utcDay,
          responses: responseCounts,
          topSlugs: z.array(slugRequests).max(MAX_TOP_SLUGS).meta({ description: 'Most requested slugs, first.' }),
        }),
      )
      .min(1)
      .max(MAX_RANGE_DAYS)
      .meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'ResponseAnalytics' });

export const analyticsRoutes: readonly Route[] = [
  route('GET /v1/analytics/usage', {
    auth: 'key-or-bearer',
    summary: 'Get usage by day',
    description: `Counted requests per day and bucket. Today's numbers are up to date. ${DAYS_TEXT}`,
    formats: ['application/json', 'text/csv'],
    query: z.strictObject({ ...DAYS, bucket: enumParameter(BUCKETS, { description: 'Returns only this bucket.' }) }),
    responses: {
      200: {
        description: 'Usage by day, as JSON or CSV (RFC 4180)',
        schema: usageSchema,
        otherMedia: { 'text/csv': 'date,total,svg\r\n2026-11-21,42,42\r\n' },
        headers: { ...CODED_HEADERS, 'Content-Disposition': contentDisposition.optional() },
      },
    },
    errors: ['not_acceptable'],
    handle: async ({ query, requester, format }, { metering, analytics, answerCodings }) => {
      const { accountId, date, tier } = await requesterUsage(metering, requester);
      const report = await analytics.usage({ ...query, accountId, today: date, tier });
      const make = () => (format === 'text/csv' ? csvReply(report) : json(200, report));
      return negotiated({ kind: 'prepared', headers: { ...NO_STORE, ...VARY_ACCEPT }, make }, answerCodings);
    },
  }),
  route('GET /v1/analytics/responses', {
    auth: 'key-or-bearer',
    summary: 'Get responses by day',
    description:
      "Responses of metered routes to the account's keys by status class, and the most requested slugs. At most " +
      `${MAX_COUNTED_SLUGS} slugs are counted at a time. If more are requested, a count can be too low by at ` +
      `most 1/${MAX_COUNTED_SLUGS + 1} of the day's requests. The numbers are updated about every five seconds. ${DAYS_TEXT}`,
    query: z.strictObject(DAYS),
    responses: { 200: { description: 'Responses by day', schema: responsesSchema, headers: CODED_HEADERS } },
    handle: async ({ query, requester }, { metering, analytics, answerCodings }) => {
      const { accountId, date } = await requesterUsage(metering, requester);
      const report = await analytics.responses({ ...query, accountId, today: date });
      return negotiated({ kind: 'prepared', headers: NO_STORE, make: () => json(200, report) }, answerCodings);
    },
  }),
];

/** Returns a CSV response (RFC 4180). No field needs quotes. */
function csvReply({ from, to, totals, days }: UsageAnalytics): Reply {
  const buckets = BUCKETS.filter((bucket) => totals[bucket] !== undefined);
  const rows = days.map(({ date, total, buckets: used }) => [date, total, ...buckets.map((bucket) => used[bucket])]);
  const text = [['date', 'total', ...buckets], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
  return content(text, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="blazon-usage-${from}-${to}.csv"`,
  });
}
