// GET /v1/catalog/{slug} and POST /v1/catalog/batch
import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseSlug } from '../../../domain/catalog/entry.js';
import { invalidField } from '../../../errors.js';
import type { Catalog } from '../../../services/catalog/catalog.js';
import { etagHeaders } from '../../response/conditional.js';
import { json, permanentRedirect } from '../../response/reply.js';
import { meteredRoute, type Route } from '../../route.js';
import { ENTRY_FIELDS, entrySchema, pickFields, presentEntry, type PresentedEntry } from './entry-schema.js';
import { LOOKUP_CACHE, missing, movedTo, SLUG_RULE, slugParameter, withdrawn } from './slug-parameter.js';

const MAX_BATCH = 100;

const batchBody = z.strictObject({
  slugs: z
    .array(z.string({ error: 'must be text' }), {
      error: ({ input }) => (input === undefined ? 'is missing' : `must be a list of 1 to ${MAX_BATCH} slugs`),
    })
    .min(1, { error: 'empty' })
    .max(MAX_BATCH)
    .meta({
      description: `1 to ${MAX_BATCH} slugs; the answer has their order, duplicates included.`,
      allowed: `1 to ${MAX_BATCH} slugs`,
      example: ['github', 'stripe', 'no-such-brand'],
    }),
  fields: z
    .array(z.enum(ENTRY_FIELDS, { error: 'not one of the allowed values' }), { error: 'must be a list of field names' })
    .min(1, { error: 'empty' })
    .max(ENTRY_FIELDS.length)
    .optional()
    .meta({
      description: 'Only these fields of each entry.',
      allowed: ENTRY_FIELDS,
      example: ['slug', 'title', 'hex'],
    }),
});

const batchResult = z.object({
  slug: z.string(),
  status: z.union([z.literal(200), z.literal(404), z.literal(410)]),
  entry: entrySchema.partial().optional(),
  error: z.object({ error: z.string(), message: z.string() }).optional(),
});

export function catalogRoutes({ catalog, origin }: { catalog: Catalog; origin: string }): Route[] {
  async function batchItem(
    text: string,
    index: number,
    fields: readonly (keyof PresentedEntry)[],
  ): Promise<z.input<typeof batchResult>> {
    const slug = parseSlug(text);
    if (!slug) throw invalidField(`slugs.${index}`, 'not a slug', SLUG_RULE);
    let found = await catalog.find(slug);
    if (found.kind === 'moved') found = await catalog.find(found.to);
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

  return [
    meteredRoute({
      method: 'GET',
      path: '/v1/catalog/{slug}',
      bucket: 'catalog',
      tag: 'Catalog',
      summary: 'Everything known about one entry',
      description: 'Another name of the entry leads to it with 308; a withdrawn one says why with 410.',
      params: z.strictObject({ slug: slugParameter }),
      responses: {
        200: { description: 'The entry', schema: entrySchema },
        304: { description: 'The client has it already; not counted' },
        308: { description: 'An alias; Location names the entry' },
      },
      errors: ['not_found', 'gone'],
      handle: async ({ params: { slug }, url }) => {
        const found = await catalog.find(slug);
        switch (found.kind) {
          case 'entry': {
            const presented = presentEntry(found.entry, origin);
            const body = JSON.stringify(presented);
            const etag = `"${hash('sha256', body).slice(0, 32)}"`;
            const lastModified = new Date(found.entry.updatedAt);
            return {
              kind: 'prepared',
              etag,
              lastModified,
              headers: { ...LOOKUP_CACHE, ...etagHeaders(etag, lastModified) },
              render: () => json(200, presented),
            };
          }
          case 'moved':
            return permanentRedirect(movedTo(url, found.to));
          case 'withdrawn':
            throw withdrawn(found.reason);
          case 'missing':
            throw missing(slug);
        }
      },
    }),
    meteredRoute({
      method: 'POST',
      path: '/v1/catalog/batch',
      bucket: 'batch',
      tag: 'Catalog',
      summary: 'Many entries at once',
      description: 'Counts one, whatever the number of slugs. Aliases lead to their entry.',
      body: batchBody,
      responses: {
        200: { description: 'One result per slug, in order', schema: z.object({ results: z.array(batchResult) }) },
      },
      errors: [],
      handle: ({ body: { slugs, fields } }) => ({
        kind: 'prepared',
        headers: { 'Cache-Control': 'no-store' },
        render: async () =>
          json(200, {
            results: await Promise.all(slugs.map((slug, index) => batchItem(slug, index, fields ?? ENTRY_FIELDS))),
          }),
      }),
    }),
  ];
}
