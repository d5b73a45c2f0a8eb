// GET /v1/usage: today's requests per bucket.
import { z } from 'zod';
import { BUCKETS, TIERS, type Bucket } from '../accounts/plan.js';
import type { AccountId } from '../accounts/account.js';
import type { Metering, UsageReport } from './metering.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import type { Requester } from '../accounts/authentication/callers.js';
import { route } from '../platform/http/route.js';
import { count, day, objectOf } from '../platform/http/openapi/times-and-counts.js';

const EXAMPLE = {
  svg: { used: 4711, limit: null },
  png: { used: 42, limit: 1_000_000 },
  webp: { used: 0, limit: 1_000_000 },
  catalog: { used: 8, limit: null },
  search: { used: 15, limit: 1_000_000 },
  domain: { used: 16, limit: 500_000 },
  batch: { used: 23, limit: 100_000 },
} satisfies Readonly<Record<Bucket, object>>;

const bucketUsage = z
  .object({
    used: count.meta({ description: 'Counted requests of the day.' }),
    limit: count.nullable().meta({ description: 'Requests allowed per day; null if unlimited.', example: 1000 }),
  })
  .meta({ id: 'BucketUsage', description: 'Used and allowed requests of the day.' });

const usageReport = z
  .object({
    date: day.meta({ description: 'The current UTC day.' }),
    tier: z.enum(TIERS).meta({ description: 'Tier whose limits currently apply.', example: 'enterprise' }),
    endpoints: objectOf(BUCKETS, bucketUsage).meta({ description: 'Usage by bucket.', example: EXAMPLE }),
  })
  .meta({ id: 'UsageReport' });

export const usageRoute = route('GET /v1/usage', {
  auth: 'key-or-bearer',
  wrongToken: 'invalid_api_key',
  summary: "Get today's usage",
  description:
    'Used requests and limits per bucket, for the current UTC day. Not counted. Accepts an API key or an access ' +
    'token.',
  responses: { 200: { description: 'The usage report', schema: usageReport } },
  handle: async ({ requester }, { metering }) => {
    const { date, tier, endpoints } = await requesterUsage(metering, requester);
    return json(200, { date, tier, endpoints }, NO_STORE);
  },
});

/**
 * Returns today's usage. This call also verifies the key of the request, so it throws AppError `invalid_api_key` and
 * `account_suspended`.
 */
export async function requesterUsage(
  metering: Metering,
  requester: Requester,
): Promise<UsageReport & { readonly accountId: AccountId }> {
  if (requester.kind === 'bearer') {
    const { id: accountId } = requester.caller.account;
    return { accountId, ...(await metering.usageOf(accountId)) };
  }
  const { credential, found } = requester;
  const report = await metering.usage(credential);
  found(report.tier);
  return { accountId: credential.accountId, ...report };
}
