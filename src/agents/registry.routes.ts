// GET /r/registry.json and /r/{name}.json: a registry of components for the command `shadcn`
// (https://ui.shadcn.com/docs/registry).
import { z } from 'zod';
import { parseSlug, type Entry, type Slug } from '../catalog/entry.js';
import { missingNames, NotFoundError } from '../platform/not-found.js';
import { pictureRequest } from '../pictures/picture-request.js';
import { projectFile } from '../pictures/project-code.js';
import { enumParameter, integerParameter, textParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import { AppError } from '../platform/errors.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import { jsonText, type ConditionalReply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route, type Route } from '../platform/http/route.js';
import { slugField } from '../catalog/entry-schema.routes.js';
import {
  CODED_LOOKUP_HEADERS,
  lookupReply,
  movedTo,
  NOT_MODIFIED,
  redirectDoc,
  redirectTo,
  SLUG_RULE,
  withdrawn,
} from '../catalog/lookup-replies.routes.js';

const FRAMEWORKS = ['react', 'vue', 'svelte'] as const;
type Framework = (typeof FRAMEWORKS)[number];

const SCHEMAS = 'https://ui.shadcn.com/schema';
const ITEM_TYPE = 'registry:component';
const MAX_LIMIT = 1000;
const MAX_OFFSET = 10_000;
/**
 * Number of results that count as one request against the limit per second. Results that `offset` skips count as well,
 * because the search must find them.
 */
const RESULTS_PER_TOKEN = 500;
const MAX_VARIANT_CHARACTERS = 64;

const itemFields = {
  name: z.string().meta({ description: '`{slug}` or `{slug}-{variant}`.', example: 'github' }),
  type: z.literal(ITEM_TYPE),
  title: z.string().meta({ description: 'Name of the brand.', example: 'GitHub' }),
  categories: z.array(z.string()).meta({ description: 'Categories of the entry.', example: ['software'] }),
};
const itemSchema = z
  .object({
    $schema: z.literal(`${SCHEMAS}/registry-item.json`),
    ...itemFields,
    description: z.string().meta({ description: 'Brand, variant and license of the drawing.' }),
    files: z
      .array(
        z.object({
          path: z.string().meta({ description: 'Path of the file in the project.' }),
          type: z.literal(ITEM_TYPE),
          content: z.string().meta({ description: 'Source code of the component.' }),
        }),
      )
      .length(1)
      .meta({ description: 'The component, one file.' }),
    docs: z.string().meta({ description: 'Message that the command shows after it has written the file.' }),
    meta: z
      .object({
        slug: slugField,
        variant: z.string().meta({ description: 'Name of the variant.' }),
        license: z.string().meta({ description: 'License of the drawing.' }),
        source: z.string().nullable().meta({ description: 'Origin of the drawing.' }),
      })
      .meta({ description: 'Drawing in the component.' }),
  })
  .meta({ id: 'RegistryItem' });
const registrySchema = z
  .object({
    $schema: z.literal(`${SCHEMAS}/registry.json`),
    name: z.literal('blazon'),
    homepage: z.string().meta({ description: 'URL of this service.' }),
    items: z.array(z.object(itemFields)).max(MAX_LIMIT).meta({ description: 'Components, best-known brands first.' }),
  })
  .meta({ id: 'Registry' });

const registryQuery = querySchema(
  {
    q: textParameter(100, { description: 'Only items that match this search.', example: 'git' }),
    type: enumParameter([ITEM_TYPE], { description: 'Type of the items. All items have the same type.' }),
    limit: integerParameter({
      ...{ min: 1, max: MAX_LIMIT, absent: MAX_LIMIT },
      description: 'Items, best-known brands first.',
    }),
    offset: integerParameter({
      min: 0,
      max: MAX_OFFSET,
      absent: 0,
      description: 'Number of items to skip.',
    }),
  },
  [],
);

/** The key is accepted as `X-API-Key` and as a bearer token. */
const KEYED = { auth: 'key', isBearerKey: true } as const;

export const registryRoutes: readonly Route[] = [
  route('GET /r/registry.json', {
    ...KEYED,
    bucket: 'search',
    cost: ({ query: { limit = MAX_LIMIT, offset = 0 } }) =>
      2 + Math.ceil(limit / RESULTS_PER_TOKEN) + Math.ceil(offset / RESULTS_PER_TOKEN),
    summary: 'List the components of the registry',
    description: 'Used by `shadcn search @blazon`, which searches the listed items.',
    query: registryQuery,
    responses: {
      200: { description: 'The registry', schema: registrySchema, headers: CODED_LOOKUP_HEADERS },
      304: NOT_MODIFIED,
    },
    handle({ query, catalog }, services) {
      const etag = strongEtag(
        `registry ${services.catalogVersion()} ${catalog.ownBrandPageIds} ${JSON.stringify(query)}`,
      );
      return lookupReply(
        { tag: etag, catalog, codingsOf: services.taggedCodings },
        {
          make: async ({ fairnessKey }) => jsonText(await registryText(query, { ...services, catalog }, fairnessKey)),
        },
      );
    },
  }),
  route('GET /r/{name}.json', {
    ...KEYED,
    bucket: 'svg',
    cost: 1,
    summary: 'Get a logo as a component',
    description:
      'Used by `shadcn add @blazon/github`. The component has an adjustable size. A single-color drawing takes ' +
      'the color of the surrounding text.',
    params: z.strictObject({
      name: z
        .string()
        .refine((text) => parseSlug(text) !== undefined, { error: 'not the name of a component' })
        .transform((text) => text.toLowerCase())
        .meta({
          description: '`{slug}` or `{slug}-{variant}`.',
          allowed: `a slug (${SLUG_RULE}), optionally followed by "-" and a variant name`,
          example: 'github',
        }),
    }),
    query: querySchema(
      { framework: enumParameter(FRAMEWORKS, { description: 'Framework of the component.', absent: 'react' }) },
      [],
    ),
    responses: {
      200: { description: 'The component', schema: itemSchema, headers: CODED_LOOKUP_HEADERS },
      304: NOT_MODIFIED,
      308: redirectDoc('An alias; `Location` is the current URL'),
    },
    errors: ['not_found', 'gone'],
    async handle({ params: { name }, query: { framework = 'react' }, url, catalog }, services) {
      const found = await findNamed(name, catalog, services);
      if ('to' in found) return redirectTo(movedTo(url, `${found.to}.json`), catalog);
      return componentAnswer(found, { name, framework, catalog }, services);
    },
  }),
];

async function registryText(
  {
    q,
    limit = MAX_LIMIT,
    offset = 0,
  }: { q?: string | undefined; limit?: number | undefined; offset?: number | undefined },
  {
    search,
    catalog,
    deployment: { origin },
  }: Pick<Services, 'search' | 'deployment'> & { readonly catalog: AccountCatalog },
  caller: string,
): Promise<string> {
  const outcome = await search.search({ q: q?.trim(), limit: offset + limit }, caller, catalog);
  if (outcome.kind === 'invalid') throw new AppError('invalid_request', outcome.reason);
  const items = outcome.page.results
    .slice(offset)
    .map(({ slug, title, categories }) => ({ name: slug, type: ITEM_TYPE, title, categories }));
  return JSON.stringify({ $schema: `${SCHEMAS}/registry.json`, name: 'blazon', homepage: origin, items });
}

interface Found {
  readonly entry: Entry;
  readonly variant: string;
}

/**
 * Finds an entry and a variant by a component's name: slug and variant, joined by a dash. If the name can be split in
 * several ways, the longest slug is used. If the slug is an alias, returns the component's current name as `to`.
 */
async function findNamed(
  name: string,
  catalog: AccountCatalog,
  { search }: Pick<Services, 'search'>,
): Promise<Found | { readonly to: string }> {
  const parts = name.split('-');
  for (let taken = 0; taken < parts.length; taken++) {
    const at = parts.length - taken;
    const slug = parseSlug(parts.slice(0, at).join('-'));
    const variant = taken === 0 ? 'default' : parts.slice(at).join('-');
    if (variant.length > MAX_VARIANT_CHARACTERS) break;
    const found = slug && (await catalog.find(slug));
    if (found?.kind === 'entry' && found.entry.variants.some((one) => one.name === variant))
      return { entry: found.entry, variant };
    if (found?.kind === 'moved') return { to: taken === 0 ? found.to : `${found.to}-${variant}` };
    if (found?.kind === 'withdrawn') throw withdrawn(found.reason);
  }
  throw new NotFoundError(`There is no component "${name}".`, missingNames('slug', name), () =>
    search.similar(name, catalog),
  );
}

interface RegistryLookup {
  readonly name: string;
  readonly framework: Framework;
  readonly catalog: AccountCatalog;
}

function componentAnswer(
  { entry, variant }: Found,
  { name, framework, catalog }: RegistryLookup,
  { pictures, taggedCodings, deployment }: Pick<Services, 'pictures' | 'taggedCodings' | 'deployment'>,
): ConditionalReply {
  const drawn = entry.variants.find((one) => one.name === variant);
  const request = pictureRequest('svg', { variant, ...(drawn?.recolorable && { color: 'currentColor' }) });
  const plan = pictures.planEntry(entry, catalog.drawingsOf(entry), request);
  if (plan.kind !== 'picture' || drawn === undefined) throw new AppError('internal_error');
  const facts = itemFacts(entry, drawn);
  // The `ETag` contains Blazon's version, because another release may generate other components.
  const tag = strongEtag(JSON.stringify([deployment.version, framework, name, plan.etag, facts]));
  return lookupReply(
    { tag, catalog, codingsOf: taggedCodings },
    {
      slug: entry.slug,
      lastModified: new Date(entry.updatedAt),
      async make(client) {
        const picture = await pictures.render(plan, client);
        if (!picture.ok) throw new AppError(picture.code, picture.message);
        return jsonText(itemText(facts, { name, framework, svg: String(picture.body) }));
      },
    },
  );
}

type ItemFacts = ReturnType<typeof itemFacts>;

/**
 * Returns the entry's data that the component contains in addition to the drawing. The `ETag` of the component covers
 * this data.
 */
function itemFacts({ slug, title, license, source, categories }: Entry, drawn: Entry['variants'][number]) {
  const { name, width, height } = drawn;
  return { slug, title, license: license.type, source, categories, variant: { name, width, height } };
}

function itemText(
  { slug, title, license, source, categories, variant }: ItemFacts,
  { name, framework, svg }: Omit<RegistryLookup, 'catalog'> & { readonly svg: string },
): string {
  const file = projectFile(framework, { slug, title, license, variant, svg }, true);
  return JSON.stringify({
    $schema: `${SCHEMAS}/registry-item.json`,
    name,
    type: ITEM_TYPE,
    title,
    categories,
    description: `Logo of ${title}${variant.name === 'default' ? '' : `, ${variant.name}`}. License of the drawing: ${license}.`,
    files: [{ path: `components/logos/${file.name}`, type: ITEM_TYPE, content: file.text }],
    docs: `Logos are trademarks of their owners. License of the drawing: ${license}, from ${source ?? title}.`,
    meta: { slug: slug satisfies Slug, variant: variant.name, license, source },
  });
}
