// GET /v1/usage
import { z } from 'zod';
import { BUCKETS, TIERS, type Bucket } from '../../domain/metering/plan.js';
import type { Metering } from '../../services/metering.js';
import { json, NO_STORE } from '../response/reply.js';
import { accountRoute, type Route } from '../route.js';
import { count, day } from '../scalars.js';

const EXAMPLE = {
  svg: { used: 4711, limit: null },
  png: { used: 42, limit: 1_000_000 },
  webp: { used: 0, limit: 1_000_000 },
  catalog: { used: 8, limit: null },
  search: { used: 15, limit: 1_000_000 },
  domain: { used: 16, limit: 500_000 },
  batch: { used: 23, limit: 100_000 },
} satisfies Readonly<Record<Bucket, object>>;

const usageReport = z
  .object({
    date: day,
    tier: z.enum(TIERS).meta({ example: 'enterprise' }),
    endpoints: z.record(z.enum(BUCKETS), z.object({ used: count, limit: count.nullable() })).meta({ example: EXAMPLE }),
  })
  .meta({ id: 'UsageReport', description: '`limit` is null where the tier has none.' });

export function usageRoutes({ metering }: { metering: Metering }): Route[] {
  return [
    accountRoute({
      method: 'GET',
      path: '/v1/usage',
      tag: 'Usage',
      summary: "Today's requests and limits",
      description: 'Per bucket, for the current UTC day. Costs nothing. Asked by key, or by who is signed in.',
      responses: { 200: { description: 'The usage report', schema: usageReport } },
      errors: [],
      handle: async ({ requester }) =>
        json(
          200,
          await (requester.kind === 'key'
            ? metering.usage(requester.credential)
            : metering.usageOf(requester.caller.account.id)),
          NO_STORE,
        ),
    }),
  ];
}
