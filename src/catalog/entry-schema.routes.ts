// Schema and presenter of an entry: the catalog's data and the URLs of its pictures.
import { z } from 'zod';
import { slugField } from '../platform/http/openapi/slug.js';
import { PICTURE_FORMATS, type Entry } from './entry.js';

export { slugField } from '../platform/http/openapi/slug.js';
import { moment, objectOf, type Presented } from '../platform/http/openapi/times-and-counts.js';

export const brandColor = z
  .string()
  .regex(/^#[0-9A-F]{6}$/)
  .nullable()
  .meta({ description: 'Brand color.', example: '#181717' });

const urlExample = (format: string) => `https://icons.example.com/v1/${format}/github?v=0123456789ab`;

export const variantSchema = z
  .object({
    name: z.string().meta({ description: 'Name of the variant, for the parameter `variant`.', example: 'default' }),
    width: z.number().positive().meta({ description: 'Width of the viewBox.', example: 24 }),
    height: z.number().positive().meta({ description: 'Height of the viewBox.', example: 24 }),
    colors: z
      .array(z.string().regex(/^#[0-9a-f]{6}$/))
      .max(16)
      .meta({ description: 'Colors of the drawing, most used first.', example: ['#181717'] }),
    recolorable: z
      .boolean()
      .meta({ description: 'Whether the drawing has a single color, which the parameter `color` can replace.' }),
    on: z
      .array(z.enum(['light', 'dark']))
      .max(2)
      .meta({
        description: 'Page backgrounds on which the drawing is clearly visible.',
      }),
    ink: z
      .array(z.number())
      .length(4)
      .optional()
      .meta({
        description:
          'Visible area without the empty margins, as used by `trim=1`: left, top, width and height in viewBox ' +
          'units. Absent if there are no margins.',
        example: [2, 4, 20, 16],
      }),
    derived: z
      .literal(true)
      .optional()
      .meta({ description: 'Whether the import generated this variant from another drawing of the entry.' }),
    etag: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .meta({
        description:
          'Hash of the SVG drawing. This is not the `ETag` of responses, which also depends on the parameters.',
        example: '0123456789abcdef',
      }),
    urls: objectOf(
      PICTURE_FORMATS,
      z.url().meta({
        description: 'URL of the picture with the parameter `v`, so that it is cached for a year. Needs a key.',
      }),
    ).meta({
      description: 'URLs of the pictures, by format.',
      example: { svg: urlExample('svg'), png: urlExample('png'), webp: urlExample('webp') },
    }),
  })
  .meta({ id: 'Variant' });

const sourcePackage = z.object({
  package: z.string().meta({ description: 'Name of the package.' }),
  version: z.string().meta({ description: 'Imported version of the package.' }),
});

export const entrySchema = z
  .object({
    slug: slugField,
    title: z.string().meta({ description: 'Name of the brand.', example: 'GitHub' }),
    aliases: z.array(z.string()).meta({ description: 'Alternative names of the brand.', example: ['GH'] }),
    categories: z
      .array(z.string())
      .meta({ description: 'Categories in lowercase, sorted.', example: ['software', 'hosting'] }),
    hex: brandColor,
    domain: z.string().nullable().meta({ description: 'Main domain of the brand.', example: 'github.com' }),
    domains: z
      .array(z.string())
      .meta({ description: 'All domains of the brand, the main one first.', example: ['github.com', 'github.io'] }),
    website: z.string().nullable().meta({ description: 'Website of the brand.', example: 'https://github.com' }),
    source: z.string().nullable().meta({
      description: 'Where the drawing was taken from, usually a URL.',
      example: 'https://github.com/logos',
    }),
    guidelines: z
      .string()
      .nullable()
      .meta({ description: 'Brand guidelines, usually a URL.', example: 'https://brand.github.com' }),
    license: z
      .object({
        type: z
          .string()
          .meta({ description: 'SPDX identifier, or the license text as stated by the source.', example: 'CC0-1.0' }),
        url: z.string().nullable().meta({
          description: 'URL of the license text.',
          example: 'https://creativecommons.org/publicdomain/zero/1.0/',
        }),
        redistributable: z
          .boolean()
          .meta({ description: 'Whether the license allows everyone to redistribute the drawing.' }),
      })
      .meta({ description: 'License of the drawing. It does not cover the trademark.' }),
    variants: z.array(variantSchema).min(1).meta({ description: 'Variants; the first one is `default`.' }),
    provenance: z.array(sourcePackage).meta({
      description: 'Packages from which the entry was built.',
      example: [{ package: 'simple-icons', version: '16.37.0' }],
    }),
    retired: z
      .literal(true)
      .optional()
      .meta({
        description:
          'Present if newer versions of the packages no longer contain the entry. The entry is still available by slug, ' +
          'but not in lists and search.',
      }),
    own: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if this is an own brand, which only this account can access.' }),
    revision: z
      .string()
      .regex(/^[0-9a-f]{12}$/)
      .meta({ description: 'Value for the parameter `v`. It changes with the drawings.', example: '0123456789ab' }),
    updatedAt: moment.meta({ description: 'When `revision` last changed.' }),
  })
  .meta({ id: 'Entry' });

export type PresentedEntry = Presented<typeof entrySchema>;
export const ENTRY_FIELDS = Object.keys(entrySchema.shape) as [keyof PresentedEntry, ...(keyof PresentedEntry)[]];

/**
 * Presents an entry. `origin` is PUBLIC_URL without a trailing slash. URLs of pictures contain the revision, so clients
 * cache them for a year.
 */
export function presentEntry(entry: Entry, origin: string): PresentedEntry {
  const { slug, title, aliases, categories, hex, domain, domains, website, source, guidelines, license } = entry;
  const { provenance, retired, own, revision, updatedAt } = entry;
  return {
    ...{ slug, title, aliases, categories, hex, domain, domains, website, source, guidelines, license },
    ...{ provenance, ...(retired && { retired }), ...(own && { own }), revision, updatedAt },
    variants: entry.variants.map((variant) => {
      const { name, width, height, colors, recolorable, on, ink, derived, etag } = variant;
      const chosen = name === 'default' ? '' : `variant=${encodeURIComponent(name)}&`;
      const urlOf = (format: string) => `${origin}/v1/${format}/${slug}?${chosen}v=${revision}`;
      return {
        ...{ name, width, height, recolorable, etag },
        ...(derived && { derived }),
        ...(ink && { ink }),
        ...{ colors, on, urls: { svg: urlOf('svg'), png: urlOf('png'), webp: urlOf('webp') } },
      };
    }),
  };
}

/** Returns only the named fields, in the order of the schema. */
export function pickFields(entry: PresentedEntry, fields: readonly (keyof PresentedEntry)[]): Partial<PresentedEntry> {
  return Object.fromEntries(
    ENTRY_FIELDS.filter((field) => fields.includes(field)).map((field) => [field, entry[field]]),
  );
}
