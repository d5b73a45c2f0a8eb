// Replies of the Iconify routes. Shared caches may store them. The `ETag` of a reply depends on the version of the
// catalog.
import { z } from 'zod';
import type { MissingName } from '../platform/not-found.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import { AppError } from '../platform/errors.js';
import type { AnswerForm } from './icon-answers.js';
import type { Iconify } from './iconify.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { cacheControl, etag as etagHeader } from '../platform/http/openapi/headers.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import { etagHeaders } from '../platform/http/response/conditional.js';
import { PUBLIC_CACHE } from '../accounts/key-in-path.routes.js';
import { memoizeByUrl } from '../platform/http/response/memoize.js';
import {
  content,
  JSON_TYPE,
  type ConditionalReply,
  type HeaderFields,
  type Reply,
} from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import type { ResponseDoc } from '../platform/http/route.js';
import { count } from '../platform/http/openapi/times-and-counts.js';

/**
 * Cache headers for accounts with own brands. Clients must revalidate before each use, because changes must be visible
 * at once.
 */
const OWN_CACHE = { 'Cache-Control': 'public, no-cache' };
const HEADERS = { ETag: etagHeader, 'Cache-Control': cacheControl };

/** Fields that all Iconify routes share. */
export const ICONIFY = {
  auth: 'key',
  publishable: 'path',
  build: ({ iconify }: Services) => iconify.build(),
} as const;

export const seconds = z.int().meta({ description: 'Unix time in seconds.', example: 1_764_000_000 });
export const namesByName = (description: string) =>
  z
    .record(z.string(), z.string())
    .optional()
    .meta({ description, example: { octocat: 'github' } });
export const setInfo = z
  .looseObject({
    name: z.string().optional().meta({ description: 'Name of the set.' }),
    total: count.meta({ description: 'Number of icons of the set in this service.' }),
  })
  .meta({
    id: 'IconifyInfo',
    description: 'Description by the authors of the set. `total` is the number of its icons in this service.',
    example: { name: 'Blazon', total: 6367, category: 'Brands / Social', palette: true },
  });
export const infoByPrefix = z.record(z.string(), setInfo).meta({
  description: 'Descriptions of sets, by prefix.',
  example: { blazon: { name: 'Blazon', total: 6367, category: 'Brands / Social', palette: true } },
});

export function noSet(prefix: string): AppError {
  return new AppError('not_found', `There is no icon set "${prefix}".`);
}

export function docsOf(ok: Omit<ResponseDoc, 'headers'>): Record<number, ResponseDoc> {
  return { 200: { ...ok, headers: HEADERS }, 304: { description: 'Not modified; not counted', headers: HEADERS } };
}

interface Answer {
  readonly headers?: HeaderFields;
  /** Number of requests to count against the quota. Default: 1. */
  readonly units?: number;
  readonly missing?: readonly MissingName[];
  /** Content type of the body. Default: JSON. */
  readonly type?: HeaderFields;
  readonly body: (form: AnswerForm) => Promise<Reply['body']> | Reply['body'];
}

export type Answers = Awaited<ReturnType<Iconify['current']>>;

const memoize = memoizeByUrl<ConditionalReply>();

/**
 * Answers from the current catalog. `canonical`: all values that the answer depends on, except the catalog. The ETag is
 * made from these values and the catalog's version. If the account has no own brands, the reply is cached until the
 * catalog changes, with the object `query` as key (`memoizeByUrl`). `make` may throw AppError.
 */
export function iconifyAnswer(
  { query, catalog }: { readonly query: Readonly<Record<string, unknown>>; readonly catalog: AccountCatalog },
  { iconify, taggedCodings, catalogVersion }: Pick<Services, 'iconify' | 'taggedCodings' | 'catalogVersion'>,
  canonical: readonly unknown[],
  make: (answers: Answers) => Answer,
): ConditionalReply | Promise<ConditionalReply> {
  const known = catalog.own ? undefined : iconify.peek();
  return memoize(query, known && `${catalogVersion()} ${known.version}`, async () => {
    const answers = await iconify.current(catalog);
    const { headers, units, missing, type = JSON_TYPE, body } = make(answers);
    // `catalogVersion()` is included, because it changes with Blazon's version, the configuration and the search index.
    const etag = strongEtag(JSON.stringify([catalogVersion(), answers.version, canonical]));
    const reply: ConditionalReply = {
      kind: 'prepared',
      etag,
      headers: { ...(catalog.own ? OWN_CACHE : PUBLIC_CACHE), ...headers, ...etagHeaders(etag) },
      ...(units !== undefined && { units }),
      ...(missing && { missing }),
      make: async (reader) => content(await body({ reader, isPretty: query.pretty !== undefined }), type),
      peek: () => content(undefined, type),
    };
    return negotiated(reply, taggedCodings(etag));
  });
}
