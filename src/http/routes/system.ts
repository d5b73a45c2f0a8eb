// GET /healthz, /readyz: health checks.
import { z } from 'zod';
import { json, NO_STORE } from '../response/reply.js';
import { retryAfter } from '../openapi/headers.js';
import { route, type Route } from '../route.js';

const readiness = z
  .object({
    status: z.enum(['ready', 'draining', 'unavailable']),
    checks: z.record(z.string(), z.string()).meta({
      description: 'By part of the service: `ok`, or what is wrong.',
      example: { database: 'ok', disk: 'ok', catalog: 'ok', search: 'ok' },
    }),
  })
  .meta({ id: 'Readiness' });

export const systemRoutes: readonly Route[] = [
  route({
    auth: 'none',
    method: 'GET',
    path: '/healthz',
    tag: 'Operation',
    summary: 'Liveness check',
    responses: { 200: { description: 'The process is alive', schema: z.object({ status: z.literal('alive') }) } },
    handle: () => json(200, { status: 'alive' }, NO_STORE),
  }),
  route({
    auth: 'none',
    method: 'GET',
    path: '/readyz',
    tag: 'Operation',
    summary: 'Readiness check',
    description:
      'Checks `database` (writes a row), `disk` (writes a file), `catalog` (is loaded) and `search` (the ' +
      'index is built). Writes once a second at most.',
    responses: {
      200: { description: 'Ready for requests', schema: readiness },
      503: {
        description:
          'Not ready: a store is down, damaged or full, no catalog or index is loaded, or the service is ' +
          'shutting down',
        schema: readiness,
        headers: { 'Retry-After': retryAfter },
      },
    },
    handle: async (_, { health }) => {
      const report = await health.readiness();
      return report.status === 'ready'
        ? json(200, report, NO_STORE)
        : json(503, report, NO_STORE, { 'Retry-After': '2' });
    },
  }),
];
