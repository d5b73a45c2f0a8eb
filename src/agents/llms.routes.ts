// GET /llms.txt: the service described for agents.
import type { RouteContext } from '../platform/feature.js';
import { CODED_HEADERS } from '../platform/http/openapi/headers.js';
import { NOT_MODIFIED } from '../platform/http/pages/page-file-route.routes.js';
import type { ConditionalReply } from '../platform/http/response/reply.js';
import { staticReply } from '../platform/http/response/static-reply.js';
import { route, type Route } from '../platform/http/route.js';
import { llmsText } from './llms-text.js';

const FIELDS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Access-Control-Allow-Origin': '*',
};

/** Creates the route. Its text is generated on the first request. */
export function llmsRoute({ deployment: { origin, limits }, routes }: RouteContext): Route {
  let reply: ConditionalReply | undefined;
  return route('GET /llms.txt', {
    auth: 'none',
    page: true,
    summary: 'Get a Markdown description of this service for agents',
    description:
      'In the format of llmstxt.org: how to call the service, and a list of its routes, in a few thousand words.',
    responses: {
      200: {
        description: 'The text',
        media: 'text/plain',
        headers: CODED_HEADERS,
        example: '# Blazon\n\n> Brand logos as …',
      },
      304: NOT_MODIFIED,
    },
    handle: (_, { taggedCodings }) =>
      (reply ??= staticReply(llmsText({ routes: routes(), origin, limits }), FIELDS, taggedCodings)),
  });
}
