// GET /v1/search: full-text search with filters, facets and pages.
import { z } from 'zod';
import { integerParameter, patternParameter, textParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { MAX_FACET_VALUES } from './page.js';
import type { SearchPage, SearchQuery } from './query.js';
import { missingNames } from '../platform/not-found.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { invalidField } from '../platform/errors.js';
import { jsonText, type ConditionalReply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { brandColor, slugField } from '../catalog/entry-schema.routes.js';
import { CODED_LOOKUP_HEADERS, lookupReply, NOT_MODIFIED } from '../catalog/lookup-replies.routes.js';
import { count } from '../platform/http/openapi/times-and-counts.js';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 20;
/**
 * Number of results that count as one request against the limit per second. This many results take about as much work
 * as one picture.
 */
const RESULTS_PER_TOKEN = 20;

const ALLOWED = {
  color: 'three or six hex digits, with or without "#"',
  cursor: 'the nextCursor of the previous page',
} as const;
const FIELDS = {
  q: textParameter(100, {
    description:
      'Name of the brand, with up to two typing errors. A host, a URL or an e-mail address is matched by domain.',
    tryIt: 'gihtub',
  }),
  category: textParameter(64, {
    description: 'Only entries of this category. See `facets.category`.',
    example: 'database',
  }),
  license: textParameter(200, {
    description: 'Only entries with this license, case-insensitive. See `facets.license`.',
    example: 'CC0-1.0',
  }),
  variant: textParameter(64, { description: 'Only entries with this variant.', example: 'wordmark' }),
  color: patternParameter(/^#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$/, {
    description: 'Only entries with a similar color, most similar first.',
    allowed: ALLOWED.color,
    example: '1d9bf0',
  }),
  limit: integerParameter({
    min: 1,
    max: MAX_LIMIT,
    absent: DEFAULT_LIMIT,
    description: 'Maximum number of results per page.',
  }),
  cursor: patternParameter(/^[0-9A-Za-z_-]{1,200}$/, {
    description:
      '`nextCursor` of the previous page. Send it with the same parameters. If the catalog has changed since ' +
      'then, the response is `invalid_request`.',
    allowed: ALLOWED.cursor,
  }),
};
const query = querySchema(FIELDS, [{ atLeastOneOf: ['q', 'category', 'license', 'variant', 'color'] }]);
/** Query without required parameters. If it has no parameter, every entry is listed, the best known first. */
export const browseQuery = querySchema(FIELDS, []);

const facet = (description: string, example: string) =>
  z
    .array(
      z.object({
        value: z.string().meta({ description: 'Value for the parameter of the same name.', example }),
        count: count.meta({ description: 'Number of matches with this value.' }),
      }),
    )
    .max(MAX_FACET_VALUES)
    .meta({ description });
const searchResult = z
  .object({
    slug: slugField,
    title: z.string().meta({ description: 'Name of the brand.', example: 'GitHub' }),
    hex: brandColor,
    categories: z
      .array(z.string())
      .meta({ description: 'Categories in lowercase, sorted.', example: ['software', 'hosting'] }),
    domain: z.string().nullable().meta({ description: 'Main domain of the brand.', example: 'github.com' }),
    variants: z
      .array(z.string())
      .meta({ description: 'Variant names, `default` first.', example: ['default', 'mono', 'wordmark'] }),
    own: z.literal(true).optional().meta({ description: 'Present if this is an own brand.' }),
    score: z
      .number()
      .min(0)
      .max(1)
      .meta({ description: 'Relevance. Results are sorted by score in descending order.', example: 0.92 }),
    match: z
      .object({
        field: z
          .enum(['slug', 'title', 'alias', 'domain', 'category', 'license', 'variant', 'color', 'typo'])
          .meta({ description: 'Field that matched. `typo`: no field contains `q`; `value` is a similar name.' }),
        value: z.string().meta({ description: 'Value of the field.' }),
        ranges: z
          .array(z.array(z.int().min(0)).length(2))
          .meta({ description: 'Matching parts of `value`: [start, end) in UTF-16 code units.', example: [[0, 6]] }),
        partial: z
          .literal(true)
          .optional()
          .meta({ description: 'Present if no entry matches all words of `q`, and this one matches some of them.' }),
      })
      .meta({
        description: 'Field that matched the query.',
        example: { field: 'title', value: 'GitHub', ranges: [[0, 6]] },
      }),
  })
  .meta({ id: 'SearchResult' });
const searchPageSchema = z
  .object({
    query: z.string().nullable().meta({ description: '`q` without leading and trailing spaces.', example: 'github' }),
    total: count.meta({ description: 'Total number of matches.' }),
    results: z.array(searchResult).max(MAX_LIMIT).meta({ description: 'Results of this page, best match first.' }),
    facets: z
      .object({
        category: facet('Categories of the matches.', 'software'),
        license: facet('Licenses of the matches.', 'CC0-1.0'),
      })
      .meta({ description: 'Facet values of all matches, most frequent first.' }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'Value for `cursor`; null on the last page.', example: null }),
  })
  .meta({ id: 'SearchPage' });

export const searchRoute = route('GET /v1/search', {
  auth: 'key',
  bucket: 'search',
  cost: ({ query: { limit = DEFAULT_LIMIT } }) => 2 + Math.ceil(limit / RESULTS_PER_TOKEN),
  summary: 'Search entries',
  description:
    'Matches are ordered by kind: exact slug, exact title, alias, domain, kind of brands (such as "browsers"), prefix, words, and names with ' +
    'one or two typing errors (`match.field` is `typo`). Generic words such as "logo", "icon" or "inc" are ignored next to other words. If ' +
    'no entry matches all words, the longest matching part of the query is used (`match.partial`). For a host, a URL or an e-mail address, ' +
    'the result is the brand that `GET /v1/brand` returns, followed by names that start with the query. `total` is the number of all ' +
    'matches. Cursors are rejected after the catalog has changed, so that no result appears twice.',
  query,
  responses: {
    200: { description: 'A page of results', schema: searchPageSchema, headers: CODED_LOOKUP_HEADERS },
    304: NOT_MODIFIED,
  },
  handle: ({ query: given, catalog }, services) => searchAnswer(given, catalog, services),
});

export function searchAnswer(
  { limit = DEFAULT_LIMIT, ...rest }: z.output<typeof browseQuery>,
  catalog: AccountCatalog,
  { search, taggedCodings, catalogVersion }: Pick<Services, 'search' | 'taggedCodings' | 'catalogVersion'>,
): ConditionalReply {
  const searched: SearchQuery = { limit, ...rest, q: rest.q?.trim() };
  const etag = strongEtag(`${catalogVersion()} ${catalog.ownBrandPageIds} ${JSON.stringify(searched)}`);
  return lookupReply(
    { tag: etag, catalog, codingsOf: taggedCodings },
    {
      async make({ fairnessKey }) {
        const outcome = await search.search(searched, fairnessKey, catalog);
        if (outcome.kind === 'invalid') throw invalidField(outcome.field, outcome.reason, ALLOWED[outcome.field]);
        const reply = jsonText(pageText(outcome.page, searched));
        return isUnknown(outcome.page) && isName(searched)
          ? { ...reply, missing: missingNames('name', searched.q) }
          : reply;
      },
    },
  );
}

/** Returns true if no entry has all words of the query. */
function isUnknown({ results: [first] }: SearchPage): boolean {
  return first === undefined || first.match.partial === true;
}

/**
 * Returns true for a query without filters. With filters, a brand may be in the catalog although the search finds
 * nothing, so its name does not count as missing.
 */
function isName(query: SearchQuery): query is SearchQuery & { readonly q: string } {
  const { q, category, license, variant, color, cursor } = query;
  return q !== undefined && [category, license, variant, color, cursor].every((value) => value === undefined);
}

/**
 * JSON text of each page object. The search service returns the same page object for equal queries, so that its text
 * can be reused.
 */
const pageTexts = new WeakMap<SearchPage, string>();

function pageText(page: SearchPage, { q }: SearchQuery): string {
  const known = pageTexts.get(page);
  if (known !== undefined) return known;
  const { total, results, facets, nextCursor } = page;
  const text = JSON.stringify({ query: q ?? null, total, results, facets, nextCursor });
  pageTexts.set(page, text);
  return text;
}
