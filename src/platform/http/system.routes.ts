// GET /healthz, /readyz, /.well-known/security.txt: health checks, and the contact for security reports (RFC 9116).
import { z } from 'zod';
import { DAY_MS } from '../time.js';
import { AppError } from '../errors.js';
import { REMOVAL_PAGE } from './pages/guides.js';
import { content, json, NO_STORE } from './response/reply.js';
import { retryAfter } from './openapi/headers.js';
import { route, type Route } from './route.js';

const readiness = z
  .object({
    status: z
      .enum(['ready', 'draining', 'unavailable'])
      .meta({ description: '`draining`: the service is shutting down.' }),
    checks: z.record(z.string(), z.string()).meta({
      description: 'State of each part of the service: `ok`, or what is wrong.',
      example: { database: 'ok', disk: 'ok', catalog: 'ok', search: 'ok' },
    }),
  })
  .meta({ id: 'Readiness' });

const SECURITY_PATH = '/.well-known/security.txt';
/** Time in ms until security.txt expires. RFC 9116, section 2.5.5 recommends less than a year. */
const SECURITY_TXT_MS = 180 * DAY_MS;
const SECURITY_HEADERS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
const SECURITY_EXAMPLE =
  '# To have the icon of your site removed: https://icons.example.com/docs/guides/site-icons#if-you-own-a-site\n' +
  'Contact: mailto:security@example.com\nExpires: 2027-01-01T00:00:00.000Z\nCanonical: https://icons.example.com/.well-known/security.txt\n';

export const systemRoutes: readonly Route[] = [
  route('GET /healthz', {
    auth: 'none',
    summary: 'Liveness check',
    description: 'Returns 200 as long as the process runs. Checks nothing else.',
    responses: { 200: { description: 'The process is alive', schema: z.object({ status: z.literal('alive') }) } },
    handle: () => json(200, { status: 'alive' }, NO_STORE),
  }),
  route('GET /readyz', {
    auth: 'none',
    summary: 'Readiness check',
    description:
      'Checks that the catalog is loaded (`catalog`), the search index is built (`search`), and the databases ' +
      'accept writes. Embedded: `database` (writes a row) and `disk` (writes a file). Cluster: `mongodb` (writes ' +
      'a document that the majority confirms) and `redis` (writes a key to every master). Writes at most once ' +
      'per second.',
    responses: {
      200: { description: 'Ready for requests', schema: readiness },
      503: {
        description:
          'Not ready: a store is down, damaged, full or rejects writes, no catalog or index is loaded, or the service is ' +
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
  route(`GET ${SECURITY_PATH}`, {
    auth: 'none',
    page: true,
    summary: 'Contact for vulnerability reports',
    description: 'Format: RFC 9116. Returns 404 if the operator has not set a contact.',
    responses: { 200: { description: 'The contact', media: 'text/plain', example: SECURITY_EXAMPLE } },
    errors: ['route_not_found'],
    handle(_, { deployment: { securityContacts, origin }, now }) {
      if (securityContacts.length === 0) throw new AppError('route_not_found');
      const expires = new Date(Math.floor((now() + SECURITY_TXT_MS) / DAY_MS) * DAY_MS).toISOString();
      const lines = [
        `# To have the icon of your site removed: ${origin}${REMOVAL_PAGE}`,
        ...securityContacts.map((contact) => `Contact: ${contact}`),
        `Expires: ${expires}`,
        `Canonical: ${origin}${SECURITY_PATH}`,
      ];
      return content(`${lines.join('\n')}\n`, SECURITY_HEADERS);
    },
  }),
];
