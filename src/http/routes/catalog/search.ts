// GET /v1/search
import { hash } from 'node:crypto';
import { z } from 'zod';
import { integerParameter, patternParameter, textParameter } from '../../../domain/query-parameter.js';
import type { SearchPage, SearchQuery } from '../../../domain/search/query.js';
import { invalidField } from '../../../errors.js';
import type { Search } from '../../../services/search.js';
import { etagHeaders } from '../../response/conditional.js';
import { memoizeByAddress } from '../../response/memoize.js';
import { jsonText, type ConditionalReply, type Reply } from '../../response/reply.js';
import { meteredRoute, type Route } from '../../route.js';
import { LOOKUP_CACHE } from './slug-parameter.js';
import { count } from '../../scalars.js';

const FILTERS = ['category', 'license', 'variant', 'color'] as const;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;

const query = z
  .strictObject({
    q: textParameter(100, {
      description: 'What people call it; typing errors are forgiven. At least this or one filter.',
      tryIt: 'gihtub',
    }),
    category: textParameter(64, {
      description: 'Only this category; `facets.category` lists them.',
      example: 'database',
    }),
    license: textParameter(200, { description: 'Only this licence; `facets.license` lists them.', example: 'CC0-1.0' }),
    variant: textParameter(64, { description: 'Only entries that have this variant.', example: 'wordmark' }),
    color: patternParameter(/^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, {
      description: 'Nearest to this color first.',
      allowed: 'three or six hex digits',
      example: '1d9bf0',
    }),
    limit: integerParameter({ min: 1, max: MAX_LIMIT, absent: DEFAULT_LIMIT, description: 'Results of a page.' }),
    cursor: textParameter(200, { description: '`nextCursor` of the page before, with the same other parameters.' }),
  })
  .check((context) => {
    const { value } = context;
    if (value.q !== undefined || FILTERS.some((name) => value[name] !== undefined)) return;
    context.issues.push({
      code: 'custom',
      path: ['q'],
      message: `give q or at least one of ${FILTERS.join(', ')}`,
      input: value,
    });
  });

const facet = z.array(z.object({ value: z.string(), count }));
const searchPageSchema = z
  .object({
    query: z.string().nullable().meta({ description: '`q` as it was understood.' }),
    total: count,
    results: z.array(
      z.object({
        slug: z.string(),
        title: z.string(),
        hex: z.string().nullable(),
        categories: z.array(z.string()),
        domain: z.string().nullable(),
        variants: z.array(z.string()),
        score: z.number().meta({ description: '0 to 1, never rising down the list.' }),
        match: z.object({
          field: z.enum(['slug', 'title', 'alias', 'domain', 'category', 'license', 'variant', 'color']),
          value: z.string(),
          ranges: z
            .array(z.array(z.int().min(0)))
            .meta({ description: 'Matched parts of `value`: [start, end) in UTF-16 units.', example: [[0, 6]] }),
        }),
      }),
    ),
    facets: z
      .object({ category: facet, license: facet })
      .meta({ description: 'Over all matches, most frequent first, at most 50 values each.' }),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'SearchPage' });

interface Options {
  readonly search: Search;
  /** Changes with all that answers are made of. */
  readonly catalogVersion: () => string;
}

export function searchRoutes({ search, catalogVersion }: Options): Route[] {
  const remember = memoizeByAddress<ConditionalReply>();
  const texts = new WeakMap<SearchPage, string>();
  return [
    meteredRoute({
      method: 'GET',
      path: '/v1/search',
      bucket: 'search',
      tag: 'Search',
      summary: 'Find entries',
      description:
        'Exact slug first, then exact title, alias, domain, prefix, words, and names with one or two typing errors. `total` counts all matches. A cursor holds as long as the catalog does not change; then it is refused, so that no page shows twice.',
      query,
      responses: {
        200: { description: 'A page of results', schema: searchPageSchema },
        304: { description: 'The client has it already; not counted' },
      },
      errors: [],
      handle: ({ query: address }) =>
        remember(address, catalogVersion(), (): Promise<ConditionalReply> => {
          const { limit = DEFAULT_LIMIT, ...rest } = address;
          const asked: SearchQuery = { ...rest, q: rest.q?.trim(), limit };
          const etag = `"${hash('sha256', `${catalogVersion()} ${JSON.stringify(asked)}`).slice(0, 32)}"`;
          return Promise.resolve({
            kind: 'prepared',
            etag,
            headers: { ...LOOKUP_CACHE, ...etagHeaders(etag) },
            render: () => answer(asked),
          });
        }),
    }),
  ];

  async function answer(asked: SearchQuery): Promise<Reply> {
    const outcome = await search.search(asked);
    if (outcome.kind === 'invalid') throw invalidField(outcome.field, outcome.reason);
    const { page } = outcome;
    // The service gives the same page for the same search; its text is kept as long as it keeps the page.
    let text = texts.get(page);
    if (text === undefined) {
      const { total, results, facets, nextCursor } = page;
      text = JSON.stringify({ query: asked.q ?? null, total, results, facets, nextCursor });
      texts.set(page, text);
    }
    return jsonText(text);
  }
}
