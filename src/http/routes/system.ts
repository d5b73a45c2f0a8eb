// Probes.
import { z } from 'zod';
import type { Health } from '../../services/health.js';
import { json, NO_STORE } from '../response/reply.js';
import { publicRoute, type Route } from '../route.js';

const readiness = z
  .object({
    status: z.enum(['ready', 'draining', 'unavailable']),
    checks: z.record(z.string(), z.string()).meta({
      description: '`ok`, or what is wrong.',
      example: { database: 'ok', disk: 'ok', catalog: 'ok', search: 'ok' },
    }),
  })
  .meta({ id: 'Readiness' });

export function systemRoutes({ health }: { health: Health }): Route[] {
  return [
    publicRoute({
      method: 'GET',
      path: '/healthz',
      tag: 'Operation',
      summary: 'Is the process alive?',
      responses: { 200: { description: 'It is', schema: z.object({ status: z.literal('alive') }) } },
      errors: [],
      handle: () => json(200, { status: 'alive' }, NO_STORE),
    }),
    publicRoute({
      method: 'GET',
      path: '/readyz',
      tag: 'Operation',
      summary: 'Can it take requests?',
      description:
        'Names the part that cannot: `database` (a row is written), `disk` (a file is written), `catalog`, `search` (its index is built). What is written is written once a second at most.',
      responses: {
        200: { description: 'It can', schema: readiness },
        503: {
          description:
            'It cannot: a store is down, damaged or full, no catalog or index is loaded, or it is shutting down',
          schema: readiness,
        },
      },
      errors: [],
      handle: async () => {
        const report = await health.readiness();
        return report.status === 'ready'
          ? json(200, report, NO_STORE)
          : json(503, report, NO_STORE, { 'Retry-After': '2' });
      },
    }),
  ];
}
