// Tools of the Model Context Protocol. They work with any `ToolCatalog`: the catalog of the service, or the bundled
// catalog of a release.
import { z } from 'zod';
import type { Bucket } from '../accounts/plan.js';
import type { Entry } from '../catalog/entry.js';
import type { SearchPage } from '../search/query.js';
import { AppError } from '../platform/errors.js';

/**
 * Maximum length of an SVG in a result, because users of a model pay for each character. Longer drawings are only
 * available by URL.
 */
const MAX_SVG_CHARACTERS = 100_000;
const MAX_RESULTS = 50;
const MAX_SIDE = 2048;

export interface ToolCatalog {
  search(query: string, limit: number): Promise<readonly FoundIcon[]>;
  /** Returns the categories, each with its number of entries, most entries first. */
  categories(): Promise<readonly { readonly value: string; readonly count: number }[]>;
  /** Returns an entry with its variants. Throws AppError `not_found` or `gone`. */
  variants(slug: string): Promise<ListedIcon>;
  /** Returns a drawing as SVG. Throws AppError `not_found` or `gone`, or `invalid_request` for an unknown variant. */
  drawing(slug: string, variant: string): Promise<string>;
  /** Returns the brand of a domain. Throws AppError `not_found` or `invalid_request`. */
  byDomain(domain: string): Promise<{ readonly slug: string; readonly title: string; readonly match: string }>;
  /** Public URL of the service, without a trailing slash. */
  readonly origin: string;
}

type FoundIcon = ReturnType<typeof foundIcon>;
type ListedIcon = ReturnType<typeof listedIcon>;

export function foundIcon({ slug, title, categories, domain, variants }: SearchPage['results'][number]) {
  return { slug, title, categories, domain, variants };
}

export function listedIcon({ slug, title, license, variants }: Entry) {
  return {
    ...{ slug, title, license: license.type },
    variants: variants.map(({ name, recolorable, width, height }) => ({
      ...{ name, recolorable },
      aspectRatio: Number((width / height).toFixed(3)),
    })),
  };
}

export interface ToolAnswer {
  readonly text: string;
  /** Result as JSON; missing for a result that is only text. */
  readonly structured?: Readonly<Record<string, unknown>>;
}

interface Tool<Arguments extends z.ZodObject> {
  readonly description: string;
  readonly arguments: Arguments;
  /** Usage bucket in which calls of the tool are counted; undefined if they are not counted. */
  readonly bucket: Bucket | undefined;
  run(given: z.output<Arguments>, catalog: ToolCatalog): Promise<ToolAnswer>;
}

const tool = <Arguments extends z.ZodObject>(fields: Tool<Arguments>): Tool<Arguments> => fields;
const text = (max: number, description: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'missing' : 'must be text') })
    .min(1, { error: 'empty' })
    .max(max, { error: `longer than ${max} characters` })
    .regex(/\S/, { error: 'empty' })
    .describe(description);
function integer(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });
const slug = text(100, 'Slug of the brand, as search_icons returns it, such as "github".');
const variant = text(64, 'Name of a variant, as list_variants returns it, such as "mono" or "dark".').default(
  'default',
);

const structured = (value: Readonly<Record<string, unknown>>): ToolAnswer => ({
  text: JSON.stringify(value),
  structured: value,
});

export const TOOLS = {
  search_icons: tool({
    description:
      'Finds brand logos by name, domain, category or kind (such as "databases"). Returns slugs for the other tools.',
    arguments: z.strictObject({
      query: text(100, 'Name of the brand, domain, category or kind.'),
      limit: integer(1, MAX_RESULTS).default(10),
    }),
    bucket: 'search',
    run: async ({ query, limit }, catalog) => structured({ results: await catalog.search(query, limit) }),
  }),
  get_icon: tool({
    description: 'Returns a logo as SVG.',
    arguments: z.strictObject({ slug, variant }),
    bucket: 'svg',
    async run(given, catalog) {
      const svg = await catalog.drawing(given.slug, given.variant);
      if (svg.length > MAX_SVG_CHARACTERS)
        throw new AppError(
          'unprocessable',
          `This SVG has ${svg.length} characters, which is too long. Use get_icon_url to get its URL.`,
        );
      return { text: svg };
    },
  }),
  list_variants: tool({
    description: 'Lists the variants of a brand, such as default, mono, dark, light and wordmark, and its license.',
    arguments: z.strictObject({ slug }),
    bucket: 'catalog',
    run: async (given, catalog) => structured({ ...(await catalog.variants(given.slug)) }),
  }),
  get_icon_url: tool({
    description:
      'Returns the URL of a logo, for example for an <img> element. In a page, append a publishable key of the ' +
      'account as "?key=blzp_…". Other clients send the API key in the X-API-Key header.',
    arguments: z.strictObject({
      slug,
      variant,
      format: oneOf(['svg', 'png', 'webp']).default('svg'),
      size: integer(8, MAX_SIDE).optional().describe('Longest side in px.'),
      on: oneOf(['light', 'dark']).optional().describe('Background of the page on which the logo is shown.'),
    }),
    bucket: undefined,
    async run({ slug: name, variant: chosen, format, size, on }, { origin }) {
      const query = new URLSearchParams({
        ...(chosen !== 'default' && { variant: chosen }),
        ...(size !== undefined && { size: String(size) }),
        ...(on !== undefined && { on }),
      }).toString();
      return { text: `${origin}/v1/${format}/${encodeURIComponent(name)}${query === '' ? '' : `?${query}`}` };
    },
  }),
  list_categories: tool({
    description: 'Lists the categories of the catalog and the number of brands in each.',
    arguments: z.strictObject({}),
    bucket: 'search',
    run: async (_, catalog) => structured({ categories: await catalog.categories() }),
  }),
  brand_by_domain: tool({
    description: 'Finds the brand that owns a domain, such as "github.com".',
    arguments: z.strictObject({ domain: text(2048, 'Full domain such as "github.com", or a URL.') }),
    bucket: 'domain',
    run: async ({ domain }, catalog) => structured({ ...(await catalog.byDomain(domain)) }),
  }),
} as const;

export type ToolName = keyof typeof TOOLS;

export function isToolName(name: unknown): name is ToolName {
  return typeof name === 'string' && Object.hasOwn(TOOLS, name);
}
