// GET /.well-known/security.txt: where weaknesses of this deployment are reported (RFC 9116).
import { DAY_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import { content } from '../response/reply.js';
import { route } from '../route.js';

const PATH = '/.well-known/security.txt';
/** Section 2.5.5 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;
const HEADERS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
const EXAMPLE =
  'Contact: mailto:security@example.com\nExpires: 2027-01-01T00:00:00.000Z\nCanonical: https://icons.example.com/.well-known/security.txt\n';

export const securityRoute = route({
  auth: 'none',
  method: 'GET',
  path: PATH,
  page: true,
  tag: 'Operation',
  summary: 'Contact for reports of weaknesses',
  description: 'As RFC 9116 has it. 404 where the operator has named no contact.',
  responses: { 200: { description: 'The contact', media: 'text/plain', example: EXAMPLE } },
  errors: ['route_not_found'],
  handle(_, { deployment: { securityContacts, origin }, now }) {
    if (securityContacts.length === 0) throw new AppError('route_not_found');
    const expires = new Date(Math.floor((now() + VALID_MS) / DAY_MS) * DAY_MS).toISOString();
    const lines = [
      ...securityContacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}`,
      `Canonical: ${origin}${PATH}`,
    ];
    return content(`${lines.join('\n')}\n`, HEADERS);
  },
});
