// GET /iconify/{publishableKey}/collections, collection, last-modified and version: lists of sets and icons.
import { z } from 'zod';
import { querySchema } from '../platform/web/query-rules.js';
import { route, type Route } from '../platform/http/route.js';
import { count } from '../platform/http/openapi/times-and-counts.js';
import { docsOf, ICONIFY, iconifyAnswer, infoByPrefix, namesByName, noSet, seconds, setInfo } from './answer.routes.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { flagParameter, prefixesParameter, prefixParameter, prettyParameter } from './parameters.routes.js';

const params = z.strictObject({ publishableKey: keyInPath });
const filterQuery = querySchema(
  {
    prefix: prefixParameter({ description: 'Returns only this set.' }),
    prefixes: prefixesParameter,
    pretty: prettyParameter,
  },
  [{ parameter: 'prefix', notWith: ['prefixes'] }],
);

const collectionQuery = querySchema(
  {
    prefix: prefixParameter(),
    info: flagParameter('Adds the description of the set.'),
    chars: flagParameter('Adds the characters of the set, if it is an icon font.'),
    aliases: flagParameter('Ignored: the response always contains these names.'),
    hidden: flagParameter('Ignored: the response always contains these names.'),
    pretty: prettyParameter,
  },
  [{ exactlyOneOf: ['prefix'] }],
);

const collectionSchema = z
  .object({
    prefix: z.string().meta({ description: 'Prefix of the set.' }),
    total: count.meta({ description: 'Number of icons in the set.' }),
    title: z.string().optional().meta({ description: 'Name of the set.' }),
    info: setInfo.optional(),
    uncategorized: z.array(z.string()).optional().meta({ description: 'Names of icons without a category.' }),
    categories: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ description: 'Names of icons by category.', example: { software: ['docker', 'github'] } }),
    hidden: z.array(z.string()).optional().meta({ description: 'Names that still work but are not listed.' }),
    aliases: namesByName('Aliases, each with the name of its icon.'),
    chars: namesByName('Names by code point in the icon font, in hex.'),
    prefixes: namesByName('Titles of groups, by name prefix.'),
    suffixes: namesByName('Titles of groups, by name suffix.'),
  })
  .meta({
    id: 'IconifyCollection',
    example: {
      prefix: 'blazon',
      total: 6367,
      title: 'Blazon',
      categories: { software: ['docker', 'github'] },
      aliases: { octocat: 'github' },
    },
  });

const lastModifiedSchema = z
  .object({
    lastModified: z
      .record(z.string(), seconds)
      .meta({ description: 'Unix time in seconds, by prefix.', example: { blazon: 1_764_000_000 } }),
  })
  .meta({ id: 'IconifyLastModified' });

/** A list of hundreds of icon sets counts as this many requests against the limit per second. */
const LIST_COST = 2;
/** A list of 1,000 to 100,000 icon names counts as this many requests against the limit per second. */
const COLLECTION_COST = 10;

const TEXT_TYPE = { 'Content-Type': 'text/plain; charset=utf-8' };

export const collectionRoutes: readonly Route[] = [
  route('GET /iconify/{publishableKey}/collections', {
    ...ICONIFY,
    bucket: 'catalog',
    cost: LIST_COST,
    summary: 'List icon sets',
    params,
    query: filterQuery,
    responses: docsOf({ description: 'Sets that have a description, by prefix', schema: infoByPrefix }),
    handle: ({ query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['collections', query], (answers) => ({
        body: (form) => answers.written(answers.collections({ prefix: query.prefix, prefixes: query.prefixes }), form),
      })),
  }),

  route('GET /iconify/{publishableKey}/collection', {
    ...ICONIFY,
    bucket: 'catalog',
    cost: COLLECTION_COST,
    summary: 'List the icons of a set',
    params,
    query: collectionQuery,
    responses: docsOf({ description: 'Names of the icons, by category', schema: collectionSchema }),
    errors: ['not_found'],
    handle: ({ query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['collection', query], (answers) => {
        const { prefix = '', info, chars } = query;
        const body = answers.collection(prefix, { info: info !== undefined, chars: chars !== undefined });
        if (body === undefined) throw noSet(prefix);
        return { body };
      }),
  }),

  route('GET /iconify/{publishableKey}/last-modified', {
    ...ICONIFY,
    bucket: 'catalog',
    cost: LIST_COST,
    summary: 'Get the times at which icon sets last changed',
    params,
    query: filterQuery,
    responses: docsOf({ description: 'Unix time in seconds, by prefix', schema: lastModifiedSchema }),
    handle: ({ query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['last-modified', query], (answers) => ({
        body: (form) => answers.written(answers.lastModified({ prefix: query.prefix, prefixes: query.prefixes }), form),
      })),
  }),

  route('GET /iconify/{publishableKey}/version', {
    ...ICONIFY,
    bucket: 'catalog',
    cost: 1,
    summary: 'Get the name and version of this service',
    params,
    query: querySchema({}, []),
    responses: docsOf({ description: 'Name and version', media: 'text/plain', example: 'Blazon version 0.1.0' }),
    handle: ({ query, catalog }, services) =>
      iconifyAnswer({ query, catalog }, services, ['version'], () => ({
        type: TEXT_TYPE,
        body: () => `Blazon version ${services.deployment.version}`,
      })),
  }),
];
