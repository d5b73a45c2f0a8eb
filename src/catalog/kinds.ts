// Kinds of brands ("social media", "databases"). A kind has a category, everyday names, and its best-known brands.
import { z } from 'zod';
import type { RecordOf } from '../platform/stores/stored-record.js';
import { SLUG_PATTERN } from './entry.js';
import { categoryOf } from './names.js';

const category = z.string().refine((text) => text !== '' && text === categoryOf(text), {
  error: 'not lowercase kebab-case',
});

/**
 * Returns the schema of a list that is written as one string, because hundreds of words are easier to read that way.
 */
const listOf = <Item extends z.ZodType<string, string>>(item: Item, separator: string) =>
  z
    .string()
    .transform((text) => text.split(separator).map((each) => each.trim()))
    .pipe(z.array(item));

export const kindsSchema = z.strictObject({
  /** Sources' categories that carry no information about a brand. */
  meaningless: z.array(category),
  kinds: z.array(
    z.strictObject({
      /** Category that brands of this kind get. */
      category,
      /**
       * Everyday names of the kind, separated by commas. A search text matches a name even if plurals and spaces
       * differ.
       */
      names: listOf(z.string().min(1), ','),
      /** Other categories that belong entirely to this kind. */
      includes: listOf(category, ' ').default([]),
      /** Slugs of brands, best known first. Slugs that the catalog lacks are ignored. */
      brands: listOf(z.string().regex(SLUG_PATTERN, { error: 'not a slug' }), ' '),
    }),
  ),
});

export type Kinds = RecordOf<typeof kindsSchema>;
export type Kind = Kinds['kinds'][number];

export function categoriesByBrand({ kinds }: Kinds): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const kind of kinds)
    for (const brand of kind.brands) found.set(brand, [...(found.get(brand) ?? []), kind.category]);
  return Object.fromEntries(found);
}
