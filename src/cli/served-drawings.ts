// Drawings for a project, downloaded from a service. The service is not trusted, because its names become file names
// and its drawings become code.
import { z } from 'zod';
import { sanitizeDrawings } from './sanitize-drawings.js';
import { parseSlug } from '../catalog/entry.js';
import { isSlug, variantNameOf } from '../catalog/names.js';
import { readHostQuery } from '../catalog/host-query.js';
import { variantOf, type FoundDrawing, type Wanted } from './bundled-drawings.js';
import { fail } from '../platform/command-line/command.js';
import { callService, parseAnswer, type ServiceAddress } from '../platform/command-line/service-call.js';

const MAX_FACTS_BYTES = 16 * 2 ** 20;
const MAX_DRAWING_BYTES = 2 * 2 ** 20;

const text = z
  .string()
  .max(2000)
  .regex(/^\P{Cc}*$/u, 'has control characters');

const variantSchema = z.object({
  name: z.string().refine((name) => variantNameOf(name) === name, 'not the name of a variant'),
  width: z.number().positive(),
  height: z.number().positive(),
  recolorable: z.boolean(),
});

const entrySchema = z.object({
  slug: z.custom<FoundDrawing['entry']['slug']>((value) => typeof value === 'string' && isSlug(value), 'not a slug'),
  title: text,
  license: z.object({ type: text, url: text.nullable(), redistributable: z.boolean() }),
  source: text.nullable(),
  provenance: z.array(z.object({ package: text, version: text })),
  variants: z.array(variantSchema),
});

const batchSchema = z.object({
  results: z.array(
    z.object({ entry: entrySchema.optional(), error: z.object({ message: z.string().max(2000) }).optional() }),
  ),
});

const brandSchema = z.object({ brand: entrySchema });

type ServedEntry = z.output<typeof entrySchema>;

/**
 * Looks up entries, with one request for all slugs, and one request for each domain or name. Throws if an entry does
 * not exist.
 */
async function servedEntries(at: ServiceAddress, written: readonly string[]): Promise<readonly ServedEntry[]> {
  const slugs = written.filter((name) => parseSlug(name) !== undefined);
  const bySlug = slugs.length === 0 ? new Map<string, BatchResult>() : await askBatch(at, slugs);
  const entries: ServedEntry[] = [];
  for (const name of written) {
    const { entry, error } = bySlug.get(name) ?? {};
    const isHost = readHostQuery(name) !== undefined;
    if (entry === undefined && error !== undefined && !isHost) fail(error.message);
    entries.push(entry ?? (await askBrand(at, isHost ? { domain: name } : { name })));
  }
  return entries;
}

type BatchResult = z.output<typeof batchSchema>['results'][number];

async function askBatch(at: ServiceAddress, slugs: readonly string[]): Promise<ReadonlyMap<string, BatchResult>> {
  const fields = ['slug', 'title', 'license', 'source', 'provenance', 'variants'];
  const body = JSON.stringify({ slugs, fields });
  const call = { method: 'POST', body, mediaType: 'application/json', maxBytes: MAX_FACTS_BYTES } as const;
  const { results } = parseAnswer(batchSchema, await callService(at, '/v1/catalog/batch', call), at);
  if (results.length !== slugs.length)
    fail(`${at.url.origin} returned ${results.length} brands instead of ${slugs.length}.`);
  return new Map(
    results.map((result, place) => {
      const slug = slugs[place] ?? '';
      if (!result.entry && !result.error) fail(`${at.url.origin} did not return the brand ${slug}.`);
      return [slug, result];
    }),
  );
}

async function askBrand(at: ServiceAddress, query: Readonly<Record<string, string>>): Promise<ServedEntry> {
  const path = `/v1/brand?${new URLSearchParams(query).toString()}`;
  return parseAnswer(brandSchema, await callService(at, path, { maxBytes: MAX_FACTS_BYTES }), at).brand;
}

/** Downloads drawings. Each drawing counts as a request to the service. Throws if a drawing does not exist. */
export async function servedDrawings(
  at: ServiceAddress,
  { slugs, variant, paint }: Wanted,
): Promise<readonly FoundDrawing[]> {
  const chosen = (await servedEntries(at, slugs)).map((found) => {
    const drawn = variantOf(found, variant);
    return { entry: found, variant: drawn, inTextColor: paint === 'currentColor' && drawn.recolorable };
  });
  const svgs: string[] = [];
  for (const { entry, variant: drawn, inTextColor } of chosen) {
    const query = new URLSearchParams({
      ...(drawn.name !== 'default' && { variant: drawn.name }),
      ...(inTextColor && { color: 'currentColor' }),
    });
    const path = `/v1/svg/${entry.slug}?${query.toString()}`;
    svgs.push(await callService(at, path, { maxBytes: MAX_DRAWING_BYTES }));
  }
  const outcomes = await sanitizeDrawings(svgs);
  return chosen.map(({ inTextColor, ...one }, place) => {
    const clean = outcomes[place];
    if (clean?.ok !== true)
      return fail(`${at.url.origin} returned an unsafe drawing of ${one.entry.slug}: ${clean?.message ?? ''}.`);
    const [color = '#000000'] = clean.colors;
    return { ...one, svg: inTextColor ? clean.svg : clean.svg.replaceAll('currentColor', color) };
  });
}
