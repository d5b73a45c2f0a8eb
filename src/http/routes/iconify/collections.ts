// GET /iconify/{publishableKey}/collections, collection, last-modified and version: which sets and icons there are.
import { z } from 'zod';
import { querySchema } from '../../../domain/query-rules.js';
import { route, type Route } from '../../route.js';
import { count } from '../../scalars.js';
import {
  formOf,
  ICONIFY,
  iconifyAnswer,
  keyInPath,
  infoByPrefix,
  namesByName,
  noSet,
  okDoc,
  seconds,
  setInfo,
  textDoc,
} from './answer.js';
import { flagParameter, prefixesParameter, prefixParameter, prettyParameter } from './parameters.js';

const params = z.strictObject({ publishableKey: keyInPath });
const filterQuery = querySchema(
  { prefix: prefixParameter({ description: 'Only this set.' }), prefixes: prefixesParameter, pretty: prettyParameter },
  [{ parameter: 'prefix', notWith: ['prefixes'] }],
);

const collectionQuery = querySchema(
  {
    prefix: prefixParameter(),
    info: flagParameter('With the description of the set.'),
    chars: flagParameter('With the characters of the set, if it is an icon font.'),
    aliases: flagParameter('Always on.'),
    hidden: flagParameter('Always on.'),
    pretty: prettyParameter,
  },
  [{ exactlyOneOf: ['prefix'] }],
);

const collectionSchema = z
  .object({
    prefix: z.string(),
    total: count,
    title: z.string().optional(),
    info: setInfo.optional(),
    uncategorized: z.array(z.string()).optional(),
    categories: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .meta({ example: { software: ['docker', 'github'] } }),
    hidden: z.array(z.string()).optional(),
    aliases: namesByName.optional(),
    chars: namesByName.optional(),
    prefixes: namesByName.optional(),
    suffixes: namesByName.optional(),
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

/** Of hundreds of sets. */
const LIST_COST = 2;
/** Of some thousand names, or a hundred thousand. */
const COLLECTION_COST = 10;

const TEXT_TYPE = { 'Content-Type': 'text/plain; charset=utf-8' };

export const collectionRoutes: readonly Route[] = [
  route({
    ...ICONIFY,
    path: '/iconify/{publishableKey}/collections',
    bucket: 'catalog',
    cost: LIST_COST,
    summary: 'List icon sets',
    params,
    query: filterQuery,
    responses: okDoc('Sets that have a description, by prefix', infoByPrefix),
    handle: ({ query }, services) =>
      iconifyAnswer(services, query, ['collections', query], (answers) => ({
        render: (reader) =>
          answers.written(
            answers.collections({ prefix: query.prefix, prefixes: query.prefixes }),
            formOf(reader, query.pretty),
          ),
      })),
  }),

  route({
    ...ICONIFY,
    path: '/iconify/{publishableKey}/collection',
    bucket: 'catalog',
    cost: COLLECTION_COST,
    summary: 'List the icons of a set',
    params,
    query: collectionQuery,
    responses: okDoc('Names of the icons, by category', collectionSchema),
    errors: ['not_found'],
    handle: ({ query }, services) =>
      iconifyAnswer(services, query, ['collection', query], (answers) => {
        const { prefix = '', info, chars, pretty } = query;
        const body = answers.collection(prefix, { info: info !== undefined, chars: chars !== undefined });
        if (body === undefined) throw noSet(prefix);
        return { render: (reader) => body(formOf(reader, pretty)) };
      }),
  }),

  route({
    ...ICONIFY,
    path: '/iconify/{publishableKey}/last-modified',
    bucket: 'catalog',
    cost: LIST_COST,
    summary: 'When icon sets last changed',
    params,
    query: filterQuery,
    responses: okDoc(
      'Seconds since 1970, by prefix',
      z
        .object({ lastModified: z.record(z.string(), seconds).meta({ example: { blazon: 1_764_000_000 } }) })
        .meta({ id: 'IconifyLastModified' }),
    ),
    handle: ({ query }, services) =>
      iconifyAnswer(services, query, ['last-modified', query], (answers) => ({
        render: (reader) =>
          answers.written(
            answers.lastModified({ prefix: query.prefix, prefixes: query.prefixes }),
            formOf(reader, query.pretty),
          ),
      })),
  }),

  route({
    ...ICONIFY,
    path: '/iconify/{publishableKey}/version',
    bucket: 'catalog',
    cost: 1,
    summary: 'Name and version of this service',
    params,
    query: querySchema({}, []),
    responses: textDoc('Name and version', 'text/plain', 'Blazon version 0.1.0'),
    handle: ({ query }, services) =>
      iconifyAnswer(services, query, ['version'], () => ({
        type: TEXT_TYPE,
        render: () => `Blazon version ${services.deployment.version}`,
      })),
  }),
];
