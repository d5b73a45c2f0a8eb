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
    name: z.string().meta({ description: 'For the parameter `variant`.', example: 'default' }),
    width: z.number().positive().meta({ description: 'Width of the viewBox.', example: 24 }),
    height: z.number().positive().meta({ description: 'Height of the viewBox.', example: 24 }),
    colors: z
      .array(z.string().regex(/^#[0-9a-f]{6}$/))
      .max(16)
      .meta({ description: 'Paints of the drawing, most used first.', example: ['#181717'] }),
    recolorable: z.boolean().meta({ description: 'Has one paint only, so that `color` can replace it.' }),
    on: z
      .array(z.enum(['light', 'dark']))
      .max(2)
      .meta({
        description: 'Backgrounds on which it is recognized: most of its outline stands out, and no part is lost.',
      }),
    ink: z
      .array(z.number())
      .length(4)
      .optional()
      .meta({
        description:
          'Left, top, width and height of what `trim=1` leaves, from the corner of the viewBox; all without it.',
        example: [2, 4, 20, 16],
      }),
    derived: z.literal(true).optional().meta({ description: 'Made of another drawing of the entry at import.' }),
    etag: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .meta({
        description:
          'Hash of the drawing (its SVG). Not the `ETag` of an answer, which also depends on the parameters.',
        example: '0123456789abcdef',
      }),
    urls: objectOf(
      PICTURE_FORMATS,
      z.url().meta({ description: 'Address of the picture with `v`, which is cached for a year. Needs a key.' }),
    ).meta({
      description: 'Addresses of its pictures, by format.',
      example: { svg: urlExample('svg'), png: urlExample('png'), webp: urlExample('webp') },
    }),
  })
  .meta({ id: 'Variant' });

const sourcePackage = z.object({
  package: z.string().meta({ description: 'Name of the package.' }),
  version: z.string().meta({ description: 'Version that was imported.' }),
});

export const entrySchema = z
  .object({
    slug: slugField,
    title: z.string().meta({ description: 'Name of the brand.', example: 'GitHub' }),
    aliases: z.array(z.string()).meta({ description: 'Other names, as people write them.', example: ['GH'] }),
    categories: z.array(z.string()).meta({ description: 'Lower case, sorted.', example: ['software', 'hosting'] }),
    hex: brandColor,
    domain: z.string().nullable().meta({ description: 'Main domain of the brand.', example: 'github.com' }),
    domains: z
      .array(z.string())
      .meta({ description: 'All domains of the brand, the main one first.', example: ['github.com', 'github.io'] }),
    website: z.string().nullable().meta({ description: 'Web site of the brand.', example: 'https://github.com' }),
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
        type: z.string().meta({ description: "SPDX identifier, or the source's own words.", example: 'CC0-1.0' }),
        url: z
          .string()
          .nullable()
          .meta({ description: 'Text of the license.', example: 'https://creativecommons.org/publicdomain/zero/1.0/' }),
        redistributable: z.boolean().meta({ description: 'The license lets everyone pass the drawing on.' }),
      })
      .meta({ description: 'License of the drawing, not of the trademark.' }),
    variants: z.array(variantSchema).min(1).meta({ description: 'The first is `default`.' }),
    provenance: z.array(sourcePackage).meta({
      description: 'Packages that the entry was made of.',
      example: [{ package: 'simple-icons', version: '16.37.0' }],
    }),
    retired: z.literal(true).optional().meta({
      description:
        'Newer versions of its packages have dropped it: it stays available under its slug, and is in no list and no search.',
    }),
    own: z.literal(true).optional().meta({ description: "One of the account's own brands; nobody else has it." }),
    revision: z
      .string()
      .regex(/^[0-9a-f]{12}$/)
      .meta({ description: 'For the parameter `v`; changes with the drawings.', example: '0123456789ab' }),
    updatedAt: moment.meta({ description: 'When `revision` last changed.' }),
  })
  .meta({ id: 'Entry' });

export type PresentedEntry = Presented<typeof entrySchema>;
export const ENTRY_FIELDS = Object.keys(entrySchema.shape) as [keyof PresentedEntry, ...(keyof PresentedEntry)[]];

/**
 * Presents an entry. `origin` is PUBLIC_URL without a trailing slash. URLs of pictures contain the revision, so clients cache
 * them for a year.
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
