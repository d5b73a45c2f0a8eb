// GET /iconify/{publishableKey}/search and keywords: search for icons by the words in their names.
import { z } from 'zod';
import { integerParameter, patternParameter, textParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { OWN_PREFIX } from './brand-sets.js';
import { readHostQuery } from '../catalog/host-query.js';
import { isAmong } from './search-icons.js';
import { booleanOf } from './search-words.js';
import { AppError, invalidField } from '../platform/errors.js';
import { docsOf, ICONIFY, iconifyAnswer, infoByPrefix, type Answers } from './answer.routes.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { prefixesParameter, prefixParameter, prettyParameter } from './parameters.routes.js';
import type { Services } from '../platform/services.js';
import { route, type Route } from '../platform/http/route.js';
import { count } from '../platform/http/openapi/times-and-counts.js';

const MIN_LIMIT = 32;
const MAX_LIMIT = 999;
const DEFAULT_LIMIT = 64;
const MAX_TEXT_CHARACTERS = 100;
/**
 * Base cost of a search, in requests against the limit per second. A search also looks for each run of neighboring
 * words as one word (`git hub` as `github`). The number of runs grows with the square of the number of words. Therefore
 * words² / `SQUARE_PER_TOKEN` is added.
 */
const SEARCH_COST = 4;
const SQUARE_PER_TOKEN = 100;
const KEYWORDS_COST = 3;

const params = z.strictObject({ publishableKey: keyInPath });
const searchQuery = querySchema(
  {
    query: textParameter(MAX_TEXT_CHARACTERS, {
      description:
        'Words to search for in icon names. The last word can be incomplete. `mdi:home` and `prefix:mdi-` limit ' +
        'the search to sets, and `palette:true` to multicolor sets.',
      tryIt: 'github',
    }),
    limit: integerParameter({
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      absent: DEFAULT_LIMIT,
      description:
        `Maximum number of icons. As in Iconify, values below ${MIN_LIMIT} are set to ${MIN_LIMIT}, and values ` +
        `above ${MAX_LIMIT} to ${MAX_LIMIT}.`,
    }),
    min: integerParameter({
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description:
        'Alternative to `limit`: the search stops after this number of icons, but returns all icons found by then. ' +
        'Limited like `limit`.',
    }),
    start: integerParameter({
      min: 0,
      max: MAX_LIMIT - 1,
      absent: 0,
      description: 'Number of icons to skip. Must be less than the limit.',
    }),
    prefix: prefixParameter({ description: 'Only icons of this set.' }),
    prefixes: prefixesParameter,
    category: textParameter(MAX_TEXT_CHARACTERS, {
      description: 'Only sets in this category, as listed by `collections`.',
      example: 'Brands / Social',
    }),
    similar: patternParameter(/^(?:true|yes|1|false|no|0)$/, {
      description: '`false`: the last word must match as a whole, too.',
      allowed: 'true, yes, 1, false, no, 0',
    }),
    pretty: prettyParameter,
  },
  [
    { exactlyOneOf: ['query'] },
    { parameter: 'prefix', notWith: ['prefixes'] },
    { parameter: 'min', notWith: ['limit'] },
  ],
);

const searchSchema = z
  .object({
    icons: z.array(z.string()).meta({
      description: 'Icon names with the prefixes of their sets: `prefix:name`.',
      example: ['blazon:github', 'blazon-mono:github'],
    }),
    total: count.meta({ description: 'Number of icons found, regardless of `start`.' }),
    limit: count.meta({ description: 'Applied limit.' }),
    start: count.meta({ description: 'Number of skipped icons.' }),
    collections: infoByPrefix,
    request: z
      .record(z.string(), z.string())
      .meta({ description: 'Parameters of the request.', example: { query: 'github' } }),
  })
  .meta({ id: 'IconifySearch' });

const keywordText = (description: string) => textParameter(MAX_TEXT_CHARACTERS, { description, example: 'git' });
const keywordsQuery = querySchema(
  {
    prefix: keywordText('Start of keywords.'),
    keyword: keywordText('Start or end of keywords.'),
    pretty: prettyParameter,
  },
  [{ exactlyOneOf: ['prefix', 'keyword'] }],
);

const keywordsSchema = z
  .object({
    prefix: z.string().optional().meta({ description: '`prefix` from the request.' }),
    keyword: z.string().optional().meta({ description: '`keyword` from the request.' }),
    invalid: z.boolean().optional().meta({ description: 'Present if the text cannot be a keyword.' }),
    exists: z.boolean().meta({ description: 'Whether the text itself is a keyword.' }),
    matches: z.array(z.string()).meta({ description: 'Keywords, shortest first.' }),
  })
  .meta({ id: 'IconifyKeywords', example: { prefix: 'git', exists: true, matches: ['git', 'github', 'gitlab'] } });

type SearchQuery = z.output<typeof searchQuery>;

export const iconSearchRoutes: readonly Route[] = [
  route('GET /iconify/{publishableKey}/search', {
    ...ICONIFY,
    bucket: 'search',
    cost: ({ query: { query = '' } }) =>
      SEARCH_COST + Math.ceil(query.trim().split(/\s+/).length ** 2 / SQUARE_PER_TOKEN),
    summary: 'Search icons',
    description:
      'A kind of brands ("databases", "social media") finds its brands, the best-known first. A host or URL ' +
      'finds the brand of its domain.',
    params,
    query: searchQuery,
    responses: docsOf({
      description: 'Icon names. Whole keywords come before partial matches, and short names before long ones',
      schema: searchSchema,
    }),
    handle: ({ query, catalog }, services) => {
      const { start = 0 } = query;
      if (start >= limitOf(query))
        throw invalidField('start', 'must be less than the limit', `0..${limitOf(query) - 1}`);
      return iconifyAnswer({ query, catalog }, services, ['search', query], (answers) => ({
        body: async (form) => {
          const { fairnessKey } = form.reader;
          const brands = await iconsOfBrands(answers, query, (asked) =>
            services.search.search(asked, fairnessKey, catalog),
          );
          return answers.written(await searchResult(answers, { query, brands }, fairnessKey), form);
        },
      }));
    },
  }),
  route('GET /iconify/{publishableKey}/keywords', {
    ...ICONIFY,
    bucket: 'catalog',
    cost: KEYWORDS_COST,
    summary: 'Complete a keyword',
    params,
    query: keywordsQuery,
    responses: docsOf({ description: 'Keywords, shortest first', schema: keywordsSchema }),
    handle: ({ query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['keywords', query], (answers) => ({
        body: async (form) => {
          const { prefix, keyword } = query;
          const text = prefix ?? keyword ?? '';
          const found = await answers.keywords({ text, suffixes: prefix === undefined }, form.reader.fairnessKey);
          return answers.written({ ...requestOf(query), ...found }, form);
        },
      })),
  }),
];

function limitOf({ limit, min }: SearchQuery): number {
  return Math.max(MIN_LIMIT, Math.min(limit ?? min ?? DEFAULT_LIMIT, MAX_LIMIT));
}

/**
 * Returns the icons of brands that only `GET /v1/search` finds, because no word of the icon name matches. `GET
 * /v1/search` also finds brands by a kind ("databases"), by a host or URL, and by a name with a dot ("node.js").
 */
async function iconsOfBrands(
  answers: Answers,
  query: SearchQuery,
  search: (asked: { readonly q: string; readonly limit: number }) => ReturnType<Services['search']['search']>,
): Promise<readonly string[]> {
  const { query: text = '', prefix, prefixes = prefix === undefined ? undefined : [prefix] } = query;
  const q = text.trim();
  const isForOthers = prefixes !== undefined && !isAmong(OWN_PREFIX, prefixes);
  const isHost = readHostQuery(q) !== undefined;
  // Queries with a prefix (`mdi:home`) or a filter (`palette=true`) use only the Iconify search, because `GET
  // /v1/search` doesn't know this syntax.
  if (isForOthers || query.category !== undefined || q === '' || (/[:=]/.test(q) && !isHost)) return [];
  const outcome = await search({ q, limit: limitOf(query) });
  const results = outcome.kind === 'page' ? outcome.page.results : [];
  return results.flatMap(({ slug, match: { field, partial } }) => {
    const isMeant = field === 'category' || isHost || (q.includes('.') && field !== 'typo');
    const name = isMeant && partial !== true ? answers.nameOf(OWN_PREFIX, slug) : undefined;
    return name === undefined ? [] : [`${OWN_PREFIX}:${name}`];
  });
}

/** Returns icons with exactly this name, then the icons of brands, then the other icons. */
function withBrands(found: readonly string[], text: string, brands: readonly string[]): readonly string[] {
  if (brands.length === 0) return found;
  const name = text.trim().toLowerCase().replace(/\s+/g, '-');
  return [...new Set([...found.filter((each) => each.endsWith(`:${name}`)), ...brands, ...found])];
}

interface IconSearch {
  readonly query: SearchQuery;
  /** Icons that `iconsOfBrands` has found. */
  readonly brands: readonly string[];
}

async function searchResult(
  answers: Answers,
  { query, brands }: IconSearch,
  caller: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { start = 0, prefix, category, similar } = query;
  const limit = limitOf(query);
  const asked = {
    text: query.query ?? '',
    limit,
    isSoftLimit: query.min !== undefined,
    prefixes: query.prefixes ?? (prefix === undefined ? undefined : [prefix]),
    category,
    allowsPartial: similar === undefined || booleanOf(similar) !== false,
  };
  const found = await answers.search(asked, caller);
  if (found.kind === 'style')
    throw new AppError('invalid_request', undefined, {
      details: [{ field: 'query', reason: 'search by fill or stroke is not supported' }],
    });
  const all = withBrands(found.names, asked.text, brands);
  const names = all.slice(0, asked.isSoftLimit ? Math.max(limit, found.names.length) : limit);
  return {
    icons: names.slice(start),
    total: names.length,
    limit,
    start,
    collections: {
      ...(brands.length > 0 && answers.collections({ prefix: OWN_PREFIX, prefixes: undefined })),
      ...Object.fromEntries(found.sets.map(({ prefix: of, info }) => [of, info])),
    },
    request: requestOf(query),
  };
}

type Written = string | number | readonly string[] | undefined;

/** Returns the query parameters as written in the request. */
function requestOf(query: Readonly<Record<string, Written>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value.toString()]])),
  );
}
