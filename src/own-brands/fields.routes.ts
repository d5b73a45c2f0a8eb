// Fields of own brands in requests and responses.
import { z } from 'zod';
import { brandHex } from '../catalog/drawing.js';
import { categoryOf, VARIANT_NAME_PATTERN } from '../catalog/names.js';
import {
  entryOfBrand,
  LICENSE,
  MAX_ALIASES,
  MAX_CATEGORIES,
  MAX_DOMAINS,
  type OwnBrand,
  type OwnBrandFacts,
} from './own-brand.js';
import { PRINTABLE_PATTERN } from '../platform/text/printable.js';
import { parseAnyHost } from '../platform/web/host-name.js';
import { parseUrl } from '../platform/web/parse-url.js';
import { text } from '../accounts/fields.routes.js';
import { entrySchema, presentEntry, variantSchema } from '../catalog/entry-schema.routes.js';
import { moment, type Presented } from '../platform/http/openapi/times-and-counts.js';

const MAX_NAME = 200;
const MAX_URL = 2048;
const MAX_LINKS = 10;

const name = text
  .regex(PRINTABLE_PATTERN, { error: 'has a control character' })
  .transform((value) => value.trim())
  .refine((value) => value !== '', { error: 'is empty' })
  .refine((value) => value.length <= MAX_NAME, { error: `longer than ${MAX_NAME} characters` });

const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(item, { error: 'must be a list' })
    .max(max, { error: `more than ${max} items` })
    .transform((items) => [...new Set(items)]);

const url = text
  .max(MAX_URL, { error: `longer than ${MAX_URL} characters`, abort: true })
  .refine(
    (value) => /^https?:\/\/[^\s/]/i.test(value) && parseAnyHost(value) !== undefined && parseUrl(value) !== undefined,
    {
      error: 'not a URL such as https://intranet.example.com/brand',
    },
  );

export const linkName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, { error: 'not a link name such as website' });

export const factFields = {
  title: name.meta({
    description: 'Name of the brand.',
    allowed: `1 to ${MAX_NAME} characters without control characters`,
    example: 'Intranet',
    override: { minLength: 1, maxLength: MAX_NAME, pattern: PRINTABLE_PATTERN.source },
  }),
  hex: text
    .transform((value, { issues }) => {
      const hex = brandHex(value);
      if (hex !== undefined) return hex;
      issues.push({ code: 'custom', message: 'not a color such as #1D9BF0', input: value });
      return z.NEVER;
    })
    .nullable()
    .meta({
      description: 'Brand color. If null or omitted, the first color of the drawing is used.',
      allowed: 'three or six hex digits, with or without "#", or null',
      example: '#1D9BF0',
    }),
  domains: listOf(
    text.transform((value, { issues }) => {
      const host = parseAnyHost(value);
      if (host !== undefined) return host;
      issues.push({ code: 'custom', message: 'not a host such as nas.local, jira or 10.0.0.7', input: value });
      return z.NEVER;
    }),
    MAX_DOMAINS,
  ).meta({
    description: 'Hosts of the brand, the main one first. Names and IP addresses of private networks are allowed.',
    allowed: `up to ${MAX_DOMAINS} hosts`,
    example: ['intranet.corp', 'jira', '10.0.0.7'],
  }),
  aliases: listOf(name, MAX_ALIASES).meta({
    description: 'Alternative names of the brand.',
    allowed: `up to ${MAX_ALIASES} names`,
    example: ['Wiki'],
  }),
  categories: listOf(
    name.transform(categoryOf).refine((value) => value !== '', { error: 'has no letter or digit' }),
    MAX_CATEGORIES,
  )
    .transform((categories) => [...categories].sort())
    .meta({
      description: 'Categories. They are converted to lowercase.',
      allowed: `up to ${MAX_CATEGORIES} categories`,
      example: ['internal'],
    }),
  guidelines: url.nullable().meta({
    description: 'Brand guidelines.',
    allowed: 'a URL, or null',
    example: 'https://intranet.example.com/brand',
  }),
  links: z
    .record(linkName, url, {
      error: 'must be an object with URLs',
    })
    .refine((links) => Object.keys(links).length <= MAX_LINKS, { error: `more than ${MAX_LINKS} links` })
    .meta({
      description:
        'Links of the brand, by name. `website` and `source` are shown in the fields of the entry with these names.',
      allowed: `an object with up to ${MAX_LINKS} URLs`,
      example: { website: 'https://intranet.example.com' },
    }),
};

const { title, hex, domains, aliases, categories, guidelines, links } = factFields;

export const factsBody = z.strictObject({
  title,
  hex: hex.optional(),
  domains: domains.optional(),
  aliases: aliases.optional(),
  categories: categories.optional(),
  guidelines: guidelines.optional(),
  links: links.optional(),
});

export function factsOfBody(body: z.output<typeof factsBody>): OwnBrandFacts {
  const { title, hex = null, domains = [], aliases = [], categories = [], guidelines = null, links = {} } = body;
  return { title, hex, domains, aliases, categories, guidelines, links };
}

export const variantParameter = z
  .string()
  .regex(VARIANT_NAME_PATTERN, { error: 'not a variant name' })
  .meta({
    description: 'Name of the variant. Upload `default` first.',
    allowed:
      'at most 64 characters: letters a-z, digits, ".", "_" and "-", starting with a letter or digit, not ending ' +
      'with "-"',
    example: 'default',
  });

export const brandSchema = entrySchema
  .omit({ retired: true, revision: true })
  .extend({
    own: z.literal(true),
    hex: entrySchema.shape.hex.meta({
      description: 'Brand color as set by the account; if null, the first color of the drawing is used.',
    }),
    variants: z
      .array(variantSchema)
      .meta({ description: 'Variants; the first one is `default`. Empty until a drawing is uploaded.' }),
    links: z.record(z.string(), z.string()).meta({
      description: 'Links of the brand, by name.',
      example: { website: 'https://intranet.example.com' },
    }),
    revision: entrySchema.shape.revision
      .nullable()
      .meta({ description: 'Value for the parameter `v`. It changes with the drawings. Null without a drawing.' }),
    createdAt: moment.meta({ description: 'When the brand was created.' }),
    updatedAt: moment.meta({ description: 'When the brand last changed.' }),
    version: z
      .int()
      .min(1)
      .meta({ description: 'Increases with each change. In quotes, it is the `ETag`.', example: 3 }),
  })
  .meta({ id: 'OwnBrand', description: 'An own brand, which only this account can access.' });

export type PresentedBrand = Presented<typeof brandSchema>;

export function presentBrand(brand: OwnBrand, origin: string): PresentedBrand {
  const entry = entryOfBrand(brand);
  const { slug, title, hex, domains, aliases, categories, guidelines, links, createdAt, updatedAt, version } = brand;
  return {
    ...{ slug, title, aliases, categories, hex, domain: domains[0] ?? null, domains, guidelines, links },
    ...{ website: links.website ?? null, source: links.source ?? null, license: LICENSE, provenance: [], own: true },
    variants: entry ? presentEntry(entry, origin).variants : [],
    ...{ revision: entry?.revision ?? null, createdAt, updatedAt, version },
  };
}
