// An entry as clients see it: what the catalog holds, plus the addresses of the pictures.
import { z } from 'zod';
import type { Entry } from '../../../domain/catalog/entry.js';
import { moment } from '../../scalars.js';

const variantSchema = z
  .object({
    name: z.string().meta({ example: 'default' }),
    width: z.number(),
    height: z.number(),
    colors: z.array(z.string()).meta({ example: ['#181717'] }),
    recolorable: z.boolean(),
    on: z.array(z.enum(['light', 'dark'])).meta({ description: 'Backgrounds on which it can be seen.' }),
    etag: z.string(),
    urls: z.object({ svg: z.url(), png: z.url(), webp: z.url() }),
  })
  .meta({ id: 'Variant' });

export const entrySchema = z
  .object({
    slug: z.string().meta({ example: 'github' }),
    title: z.string().meta({ example: 'GitHub' }),
    aliases: z.array(z.string()),
    categories: z.array(z.string()),
    hex: z.string().nullable().meta({ example: '#181717' }),
    domain: z.string().nullable().meta({ example: 'github.com' }),
    domains: z.array(z.string()),
    website: z.string().nullable(),
    source: z.string().nullable(),
    guidelines: z.string().nullable(),
    license: z.object({ type: z.string(), url: z.string().nullable(), redistributable: z.boolean() }),
    variants: z.array(variantSchema),
    provenance: z.array(z.object({ package: z.string(), version: z.string() })),
    revision: z.string(),
    updatedAt: moment,
  })
  .meta({ id: 'Entry' });

export type PresentedEntry = z.input<typeof entrySchema>;
export const ENTRY_FIELDS = Object.keys(entrySchema.shape) as [keyof PresentedEntry, ...(keyof PresentedEntry)[]];

/**
 * `origin` is the PUBLIC_URL without a slash at its end. The addresses carry the revision, so they may be cached for a
 * year.
 */
export function presentEntry(entry: Entry, origin: string): PresentedEntry {
  return {
    ...entry,
    aliases: [...entry.aliases],
    categories: [...entry.categories],
    domains: [...entry.domains],
    provenance: [...entry.provenance],
    variants: entry.variants.map((variant) => {
      const chosen = variant.name === 'default' ? '' : `variant=${encodeURIComponent(variant.name)}&`;
      const address = (format: string) => `${origin}/v1/${format}/${entry.slug}?${chosen}v=${entry.revision}`;
      return {
        ...variant,
        colors: [...variant.colors],
        on: [...variant.on],
        urls: { svg: address('svg'), png: address('png'), webp: address('webp') },
      };
    }),
  };
}

/** The named fields only, in the order of the schema. */
export function pickFields(entry: PresentedEntry, fields: readonly (keyof PresentedEntry)[]): Partial<PresentedEntry> {
  return Object.fromEntries(
    ENTRY_FIELDS.filter((field) => fields.includes(field)).map((field) => [field, entry[field]]),
  );
}
