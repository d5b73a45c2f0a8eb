// POST /mcp: the tools of the Model Context Protocol, by streamable HTTP without sessions.
import { z } from 'zod';
import { parseSlug, type Entry } from '../catalog/entry.js';
import { pictureRequest } from '../pictures/picture-request.js';
import { AppError, invalidField } from '../platform/errors.js';
import { calledTool, messageSchema, PROTOCOL_VERSIONS } from './mcp-messages.js';
import { foundIcon, listedIcon, TOOLS, type ToolCatalog } from './mcp-tools.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { PictureClient } from '../pictures/rasterize-request.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { missing, SLUG_RULE, withdrawn } from '../catalog/lookup-replies.routes.js';

const responseSchema = z.looseObject({ jsonrpc: z.literal('2.0') }).meta({
  id: 'McpResponse',
  example: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '<svg …' }] } },
});

export const mcpRoute = route('POST /mcp', {
  auth: 'key',
  isBearerKey: true,
  bucket: (_query, _params, body) => TOOLS[calledTool(body) ?? 'list_variants'].bucket ?? 'catalog',
  // A search counts as five requests against the limit per second, because it returns up to fifty results.
  cost: ({ body }) => (calledTool(body) === 'search_icons' ? 5 : 1),
  summary: 'Call a tool with the Model Context Protocol',
  description:
    'Streamable HTTP without sessions. Each request contains one JSON-RPC message, and the response is JSON. A ' +
    'tool call counts like the REST route with the same function. Failed calls and other messages are not ' +
    'counted.\n\n' +
    Object.entries(TOOLS)
      .map(([name, { description }]) => `- \`${name}\`: ${description}`)
      .join('\n'),
  // Clients may send these headers. The server has no sessions and no resumable streams, so it ignores them.
  ignoredHeaders: ['Mcp-Session-Id', 'Last-Event-ID'],
  versionHeader: { name: 'MCP-Protocol-Version', allowed: PROTOCOL_VERSIONS },
  body: messageSchema,
  responses: {
    200: { description: 'The JSON-RPC response', schema: responseSchema },
    202: { description: 'The notification was accepted' },
  },
  handle({ body, catalog }, services) {
    const tool = calledTool(body);
    const units = tool === undefined || TOOLS[tool].bucket === undefined ? 0 : 1;
    return {
      kind: 'prepared',
      headers: NO_STORE,
      units,
      async make(client) {
        if (body.id === undefined) return { kind: 'reply', status: 202, headers: [], body: null };
        const { answerRequest } = await import('./mcp-server.js');
        const answer = await answerRequest(body, servedCatalog(services, catalog, client), services.deployment.version);
        const failed = 'error' in answer || ('result' in answer && answer.result.isError === true);
        return { ...json(200, answer), ...(failed && { isUncounted: true }) };
      },
    };
  },
});

function servedCatalog(
  { pictures, search, brands, deployment: { origin } }: Services,
  catalog: AccountCatalog,
  client: PictureClient,
): ToolCatalog {
  async function entryAt(text: string): Promise<Entry> {
    const slug = parseSlug(text);
    if (slug === undefined) throw invalidField('slug', 'not a slug', SLUG_RULE);
    const found = await client.inTime(Promise.resolve(catalog.find(slug)));
    const entry = found.kind === 'moved' ? await client.inTime(Promise.resolve(catalog.find(found.to))) : found;
    if (entry.kind === 'withdrawn') throw withdrawn(entry.reason);
    if (entry.kind !== 'entry') throw await missing(slug, '', () => search.similar(slug, catalog)).withSimilar();
    return entry.entry;
  }
  async function page(query: string | undefined, limit: number) {
    const outcome = await search.search({ q: query, limit }, client.fairnessKey, catalog);
    if (outcome.kind === 'invalid') throw invalidField(outcome.field, outcome.reason);
    return outcome.page;
  }

  return {
    origin,
    search: async (query, limit) => (await page(query.trim(), limit)).results.map(foundIcon),
    categories: async () => (await page(undefined, 1)).facets.category,
    variants: async (slug) => listedIcon(await entryAt(slug)),
    async drawing(slug, variant) {
      const entry = await entryAt(slug);
      const plan = pictures.planEntry(entry, catalog.drawingsOf(entry), pictureRequest('svg', { variant }));
      if (plan.kind !== 'picture') throw new AppError('not_found');
      const picture = await pictures.render(plan, client);
      if (!picture.ok) throw new AppError(picture.code, picture.message);
      return String(picture.body);
    },
    async byDomain(domain) {
      const found = await brands.lookup({ domain }, catalog, client);
      if (found.kind === 'invalid') throw invalidField('domain', found.reason);
      if (found.kind === 'none') throw new AppError('not_found', 'No brand is known for this domain.');
      const { slug, title } = found.entry;
      return { slug, title, match: found.match };
    },
  };
}
