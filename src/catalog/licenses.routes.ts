// GET /licenses: authors and licenses of the catalog's drawings.
import { CODED_HEADERS } from '../platform/http/openapi/headers.js';
import type { ConditionalReply } from '../platform/http/response/reply.js';
import { staticReply } from '../platform/http/response/static-reply.js';
import { route, type Route } from '../platform/http/route.js';
import { NOT_MODIFIED } from '../platform/http/pages/page-file-route.routes.js';

const FIELDS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' };
const EXAMPLE = 'simple-icons 16.37.0, by Simple Icons Collaborators\n\nLicense of the collection: CC0-1.0\n';

export function licensesRoute(): Route {
  let kept: { readonly text: string; readonly reply: ConditionalReply } | undefined;
  return route('GET /licenses', {
    auth: 'none',
    page: true,
    summary: 'Get the authors and licenses of the drawings',
    description: 'The notice that the licenses of the sources require, as plain text.',
    responses: {
      200: { description: 'The notice', media: 'text/plain', example: EXAMPLE, headers: CODED_HEADERS },
      304: NOT_MODIFIED,
    },
    errors: ['unavailable'],
    async handle(_, { notice, taggedCodings }) {
      const text = await notice();
      if (kept?.text !== text) kept = { text, reply: staticReply(text, FIELDS, taggedCodings) };
      return kept.reply;
    },
  });
}
