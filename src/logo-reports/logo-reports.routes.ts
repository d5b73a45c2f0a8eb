// Everyone may report a logo: POST /v1/catalog/{slug}/reports. Operators read and remove reports:
// GET /dashboard/reports, DELETE /dashboard/reports/{slug}.
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import { text } from '../accounts/fields.routes.js';
import { consume } from '../accounts/rate-limiting.js';
import type { RateLimitRule } from '../accounts/rate-limits.js';
import { missing, slugParameter, withdrawn } from '../catalog/lookup-replies.routes.js';
import { AppError } from '../platform/errors.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import type { Deployment } from '../platform/services.js';
import { DAY_MS, HOUR_MS } from '../platform/time.js';
import { countOf, MAX_COMMENT_CHARACTERS, REPORT_REASONS } from './logo-reports.js';

/** Rate limits for reports from one client address. */
const ADDRESS_RULES: readonly RateLimitRule[] = [
  { limit: 10, windowMs: HOUR_MS },
  { limit: 30, windowMs: DAY_MS },
];

const params = z.strictObject({ slug: slugParameter });

const reportBody = z.strictObject({
  reason: z.enum(REPORT_REASONS, { error: 'not one of the allowed values' }).meta({
    description:
      '`wrong-brand`: the drawing is of another brand. `outdated`: the brand has a newer logo. `drawing-errors`: parts ' +
      'are missing or wrong. `other`: see `comment`.',
    allowed: [...REPORT_REASONS],
    example: 'outdated',
  }),
  comment: text
    .max(MAX_COMMENT_CHARACTERS, { error: `longer than ${MAX_COMMENT_CHARACTERS} characters` })
    .trim()
    .optional()
    .meta({
      description: `What is wrong, at most ${MAX_COMMENT_CHARACTERS} characters. The operator reads it.`,
      allowed: `text of at most ${MAX_COMMENT_CHARACTERS} characters`,
      example: 'The new logo is at https://github.com/logos',
    }),
});

export const reportRoute: Route = route('POST /v1/catalog/{slug}/reports', {
  auth: 'none',
  summary: 'Report a wrong logo',
  description:
    'Tells the operator of this service that a logo is wrong. The report is stored without the IP address or the ' +
    'account of the sender. Limits: 10 reports per hour and 30 per day for one client IP address.',
  params,
  body: reportBody,
  responses: { 204: { description: 'The report is stored' } },
  errors: ['not_found', 'gone', 'rate_limited', 'unavailable'],
  async handle({ params: { slug }, body: { reason, comment = '' }, client }, services) {
    const { accountCatalogs, logoReports, now, rateLimits } = services;
    const found = await (await accountCatalogs.of(undefined)).find(slug);
    if (found.kind === 'missing') throw missing(slug);
    if (found.kind === 'withdrawn') throw withdrawn(found.reason);
    const limit = { key: `logo-report:${client.rateLimitKey}`, rules: ADDRESS_RULES };
    await consume(rateLimits, [limit], 'Too many reports were sent from your IP address.');
    const about = found.kind === 'moved' ? found.to : found.entry.slug;
    const report = { slug: about, reason, comment: comment === '' ? null : comment, at: new Date(now()) };
    if (!(await logoReports.add(report)))
      throw new AppError('unavailable', 'The list of reports is full. Contact the operator of this service directly.');
    return noContent();
  },
});

const reportedSchema = z.object({
  isOperator: z.boolean(),
  reports: z.array(
    z.object({
      slug: z.string(),
      count: z.int(),
      reasons: z.partialRecord(z.enum(REPORT_REASONS), z.int()),
      comments: z.array(z.object({ text: z.string(), at: z.iso.datetime() })),
      lastAt: z.iso.datetime(),
    }),
  ),
});

export const operatorRoutes: readonly Route[] = [
  route('GET /dashboard/reports', {
    auth: 'bearer',
    hidden: true,
    summary: 'Reports about wrong logos; none for accounts that are not an operator',
    responses: { 200: { description: 'The reports', schema: reportedSchema } },
    errors: ['unavailable'],
    async handle({ caller: { account } }, { deployment, logoReports }) {
      const isOperator = isOperatorOf(deployment, account);
      const reports = isOperator ? await logoReports.list() : [];
      const shown = reports.map(({ slug, reasons, comments, lastAt }) => ({
        ...{ slug, reasons, comments, lastAt },
        count: countOf({ reasons }),
      }));
      return json(200, { isOperator, reports: shown }, NO_STORE);
    },
  }),
  route('DELETE /dashboard/reports/{slug}', {
    auth: 'bearer',
    hidden: true,
    summary: 'Removes the reports about an entry',
    params,
    responses: { 204: { description: 'There are no reports about this entry' } },
    errors: ['forbidden', 'unavailable'],
    async handle({ params: { slug }, caller: { account } }, { deployment, logoReports }) {
      if (!isOperatorOf(deployment, account))
        throw new AppError('forbidden', 'Only operators can remove reports. OPERATOR_EMAILS lists the operators.');
      await logoReports.remove(slug);
      return noContent();
    },
  }),
];

/**
 * Returns true if the user has verified an operator's address. Without the verification, anybody could register an
 * account with that address.
 */
function isOperatorOf(
  { operatorEmails }: Pick<Deployment, 'operatorEmails'>,
  { email, emailVerified }: Account,
): boolean {
  return emailVerified && operatorEmails.includes(email.toLowerCase());
}
