// GET /v1/catalog/{slug}, POST /v1/catalog/batch: entries by slug.
import { z } from 'zod';
import { parseSlug, WRITTEN_SLUG_PATTERN, type Entry, type Lookup, type Slug } from './entry.js';
import { missingNames } from '../platform/not-found.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import { invalidField } from '../platform/errors.js';
import type { AccountCatalog } from './account-catalogs.js';
import { readAll } from '../platform/reader.js';
import { CODED_HEADERS, lastModified } from '../platform/http/openapi/headers.js';
import { negotiated } from '../platform/http/response/content-coding.js';
import { jsonText, NO_STORE, type ConditionalReply, type Reply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route, type Route } from '../platform/http/route.js';
import type { Presented } from '../platform/http/openapi/times-and-counts.js';
import { ENTRY_FIELDS, entrySchema, pickFields, presentEntry, type PresentedEntry } from './entry-schema.routes.js';
import {
  CODED_LOOKUP_HEADERS,
  lookupReply,
  missing,
  movedTo,
  NOT_MODIFIED,
  redirectDoc,
  redirectTo,
  SLUG_RULE,
  slugParameter,
  withdrawn,
} from './lookup-replies.routes.js';

const MAX_BATCH = 100;
/**
 * Number of slugs that count as one request against the limit per second, because reading five entries takes about as
 * much work as one picture.
 */
const SLUGS_PER_TOKEN = 5;
/** Number of entries that are read or serialized before requests of other callers can run. */
const SLUGS_PER_TURN = 10;

const batchBody = z.strictObject({
  slugs: z
    .array(z.string({ error: 'must be text' }).meta({ pattern: WRITTEN_SLUG_PATTERN.source }), {
      error: ({ input }) => (input === undefined ? 'is missing' : `must be a list of 1 to ${MAX_BATCH} slugs`),
    })
    .min(1, { error: 'empty' })
    .max(MAX_BATCH)
    .meta({
      description: `1 to ${MAX_BATCH} slugs or aliases. Each duplicate gets its own result.`,
      allowed: `1 to ${MAX_BATCH} slugs`,
      example: ['github', 'stripe', 'no-such-brand'],
    }),
  fields: z
    .array(z.enum(ENTRY_FIELDS, { error: 'not one of the allowed values' }), { error: 'must be a list of field names' })
    .min(1, { error: 'empty' })
    .max(ENTRY_FIELDS.length)
    .optional()
    .meta({
      description: 'Fields to return for each entry. Default: all.',
      allowed: ENTRY_FIELDS,
      example: ['slug', 'title', 'hex'],
    }),
});

const requestedSlug = z.string().meta({ description: 'The slug or alias from the request.', example: 'github' });
const batchError = <Status extends 404 | 410, Code extends 'not_found' | 'gone'>(status: Status, code: Code) =>
  z.object({
    slug: requestedSlug,
    status: z.literal(status),
    error: z
      .object({
        error: z.literal(code),
        message: z.string().meta({ description: 'Human-readable description of the error.' }),
      })
      .meta({ description: 'Why there is no entry.' }),
  });
const partialEntry = entrySchema
  .partial()
  .meta({ id: 'PartialEntry', description: 'The entry, with the requested fields.' });
const batchResult = z
  .union([
    z.object({ slug: requestedSlug, status: z.literal(200), entry: partialEntry }),
    batchError(404, 'not_found'),
    batchError(410, 'gone'),
  ])
  .meta({ id: 'BatchResult' });

export const catalogRoutes: readonly Route[] = [
  route('GET /v1/catalog/{slug}', {
    auth: 'key',
    bucket: 'catalog',
    cost: 1,
    summary: 'Get an entry',
    description: 'An alias redirects to its entry (308). For a withdrawn entry, the response is 410 with the reason.',
    params: z.strictObject({ slug: slugParameter }),
    responses: {
      200: {
        description: 'The entry',
        schema: entrySchema,
        headers: { ...CODED_LOOKUP_HEADERS, 'Last-Modified': lastModified },
      },
      304: NOT_MODIFIED,
      308: redirectDoc('An alias; `Location` is the URL of the entry'),
    },
    errors: ['not_found', 'gone'],
    handle: ({ params: { slug }, url, catalog }, services) => entryAnswer(services, { catalog, slug, url }),
  }),
  route('POST /v1/catalog/batch', {
    auth: 'key',
    bucket: 'batch',
    cost: ({ body: { slugs } }) => Math.ceil(slugs.length / SLUGS_PER_TOKEN),
    summary: 'Get many entries',
    description: 'Counts as one request, regardless of the number of slugs. An alias returns its entry.',
    body: batchBody,
    responses: {
      200: {
        description: 'One result per slug, in request order',
        schema: z.object({
          results: z
            .array(batchResult)
            .min(1)
            .max(MAX_BATCH)
            .meta({ description: 'One result per slug, in request order.' }),
        }),
        headers: CODED_HEADERS,
      },
    },
    handle: ({ body: { slugs, fields = ENTRY_FIELDS }, catalog }, { answerCodings, deployment: { origin }, turns }) => {
      const make: ConditionalReply['make'] = async (reader) => {
        const turn = turns.of(reader.fairnessKey);
        await turn();
        const found = await readAll(reader, {
          items: slugs.map(slugAt),
          read: ({ slug }) => findThroughAlias(catalog, slug),
          perTurn: SLUGS_PER_TURN,
          turn,
        });
        const unknown = found.flatMap(([{ slug }, { kind }]) => (kind === 'missing' ? [slug] : []));
        const results: string[] = [];
        for (const [at, [one, lookup]] of found.entries()) {
          if (at > 0 && at % SLUGS_PER_TURN === 0) await turn();
          results.push(JSON.stringify(batchItem(one, lookup, { fields, origin })));
        }
        return { ...jsonText(`{"results":[${results.join(',')}]}`), missing: missingNames('slug', ...unknown) };
      };
      return negotiated({ kind: 'prepared', headers: NO_STORE, make }, answerCodings);
    },
  }),
];

interface AskedEntry {
  readonly catalog: AccountCatalog;
  readonly slug: Slug;
  /** URL of the request. If the slug is an alias, the redirect is this URL with the current slug. */
  readonly url: string;
}

export async function entryAnswer(
  { deployment: { origin }, taggedCodings, search }: Pick<Services, 'deployment' | 'taggedCodings' | 'search'>,
  { catalog, slug, url }: AskedEntry,
): Promise<Reply | ConditionalReply> {
  const found = await catalog.find(slug);
  switch (found.kind) {
    case 'entry':
      return entryReply(found.entry, origin, { catalog, codingsOf: taggedCodings });
    case 'moved':
      return redirectTo(movedTo(url, found.to), catalog);
    case 'withdrawn':
      throw withdrawn(found.reason);
    case 'missing':
      throw missing(slug, '', () => search.similar(slug, catalog));
  }
}

function entryReply(
  entry: Entry,
  origin: string,
  parts: { readonly catalog: AccountCatalog; readonly codingsOf: Services['taggedCodings'] },
): ConditionalReply {
  const text = JSON.stringify(presentEntry(entry, origin));
  return lookupReply(
    { tag: strongEtag(text), ...parts },
    {
      slug: entry.slug,
      lastModified: new Date(entry.updatedAt),
      make: () => jsonText(text),
    },
  );
}

interface AskedSlug {
  /** Slug as written in the request. */
  readonly text: string;
  readonly slug: Slug;
}

function slugAt(text: string, index: number): AskedSlug {
  const slug = parseSlug(text);
  if (!slug) throw invalidField(`slugs.${index}`, 'not a slug', SLUG_RULE);
  return { text, slug };
}

function findThroughAlias(catalog: AccountCatalog, slug: Slug): Promise<Lookup> | Lookup {
  const known = catalog.peek(slug);
  if (known && known.kind !== 'moved') return known;
  return catalog.find(slug).then((found) => (found.kind === 'moved' ? catalog.find(found.to) : found));
}

interface BatchItemOptions {
  readonly fields: readonly (keyof PresentedEntry)[];
  readonly origin: string;
}

function batchItem(
  { text, slug }: AskedSlug,
  found: Lookup,
  { fields, origin }: BatchItemOptions,
): Presented<typeof batchResult> {
  switch (found.kind) {
    case 'entry':
      return { slug: text, status: 200, entry: pickFields(presentEntry(found.entry, origin), fields) };
    case 'withdrawn':
      return { slug: text, status: 410, error: { error: 'gone', message: withdrawn(found.reason).message } };
    case 'moved':
    case 'missing':
      return { slug: text, status: 404, error: { error: 'not_found', message: missing(slug).message } };
  }
}
