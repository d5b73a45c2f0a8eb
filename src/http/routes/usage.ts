// GET /v1/usage
import { z } from 'zod';
import { BUCKETS, TIERS } from '../../domain/plan.js';
import type { Metering } from '../../services/metering.js';
import { json } from '../reply.js';
import { keyedRoute, type Route } from '../route.js';

const usageReport = z
  .object({
    date: z.iso.date(),
    tier: z.enum(TIERS),
    endpoints: z.record(z.enum(BUCKETS), z.object({ used: z.int(), limit: z.int().nullable() })),
  })
  .meta({ id: 'UsageReport', description: '`limit` is null where the tier has none.' });

export function usageRoutes({ metering }: { metering: Metering }): Route[] {
  return [
    keyedRoute({
      method: 'GET',
      path: '/v1/usage',
      tag: 'Usage',
      summary: "Today's requests and limits",
      description: 'Per bucket, for the current UTC day. Costs nothing.',
      responses: { 200: { description: 'The usage report', schema: usageReport } },
      errors: [],
      handle: async ({ credential }) => json(200, await metering.usage(credential), { 'Cache-Control': 'no-store' }),
    }),
  ];
}
