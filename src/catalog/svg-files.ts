// Meaning of file names in a folder of SVGs: `name.svg` and `name--variant.svg` for a brand, and sidecar files with
// facts.
import { z } from 'zod';
import { shortened } from '../platform/errors.js';
import { isPrintable } from '../platform/text/printable.js';
import { brandHex } from './drawing.js';
import { MAX_VARIANT_NAME, MAX_WRITTEN_NAME, VARIANT_NAME_PATTERN, variantNameOf, withoutEndDashes } from './names.js';

export const isSvgFile = (path: string): boolean => /\.svgz?$/i.test(path);

const name = z.string().refine(isPrintable, { error: 'has a control character' }).trim().min(1).max(200);

/** Returns the schema of a list that checks the length before the items. Zod's `max` would check all items first. */
const listOf = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .array(z.unknown())
    .max(max, { error: `more than ${max}` })
    .pipe(z.array(item));

/** Returns the schema of a sidecar, which has facts of one brand. The limits are maximum numbers of items. */
export const sidecarSchemaOf = (
  isDomain: (text: string) => boolean,
  {
    domains,
    aliases,
    categories,
    variants,
  }: Readonly<Record<'domains' | 'aliases' | 'categories' | 'variants', number>>,
) =>
  z.strictObject({
    title: name.optional(),
    hex: z
      .string()
      .refine((text) => brandHex(text) !== undefined, { error: 'not a color such as #1D9BF0' })
      .optional(),
    domains: listOf(z.string().refine(isDomain, { error: 'not a domain' }), domains).optional(),
    aliases: listOf(name, aliases).optional(),
    categories: listOf(name, categories).optional(),
    /** Variant → name of its file in the folder. */
    variants: z
      .record(z.string(), z.unknown())
      .refine((named) => Object.keys(named).length <= variants, { error: `more than ${variants}` })
      .pipe(
        z.record(
          z.string().regex(VARIANT_NAME_PATTERN, { error: 'not a variant name' }),
          z.string().max(MAX_WRITTEN_NAME, { error: 'too long' }).refine(isSvgFile, { error: 'not an SVG file' }),
        ),
      )
      .optional(),
  });

export type Sidecar = z.output<ReturnType<typeof sidecarSchemaOf>>;

export interface NamedFile {
  readonly kind: 'drawing' | 'sidecar' | 'sidecars';
  readonly slug: string;
  readonly variant: string;
}

/**
 * Parses a file name. Returns a problem if an SVG or JSON file has an invalid name. Returns undefined for other files.
 */
export function readFileName(base: string): NamedFile | { readonly problem: string } | undefined {
  const [, stem = '', extension = ''] = /^(.*)\.([^.]*)$/s.exec(base.toLowerCase()) ?? [];
  if (base.toLowerCase() === 'icons.json') return { kind: 'sidecars', slug: '', variant: '' };
  if (!isSvgFile(base) && extension !== 'json') return undefined;
  if (base.length > MAX_WRITTEN_NAME) return { problem: `the file name is longer than ${MAX_WRITTEN_NAME} characters` };
  const [key = '', ...rest] = stem.trim().split('--');
  const slug = slugOfFile(key);
  if (slug === '') return { problem: 'the file name has no letter or digit of a-z and 0-9' };
  if (extension === 'json') return { kind: 'sidecar', slug: slugOfFile(stem), variant: '' };
  const written = rest.join('--');
  if (written.length > MAX_VARIANT_NAME)
    return { problem: `the variant name is longer than ${MAX_VARIANT_NAME} characters` };
  const variant = rest.length === 0 ? 'default' : variantNameOf(written);
  if (variant === undefined) return { problem: 'the variant name has no letter or digit of a-z and 0-9' };
  return { kind: 'drawing', slug, variant };
}

/**
 * Returns the slug for a file name. Returns an empty text if the name is too long, or has no characters that can be
 * converted to a-z or 0-9.
 */
export function slugOfFile(text: string): string {
  if (text.length > MAX_WRITTEN_NAME) return '';
  return withoutEndDashes(
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .trim()
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, ''),
  );
}

/** Returns the first problem of a sidecar, with the name of the field. */
export function sidecarProblem({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'the file has an invalid value';
  const field = issue.path.map((part) => shortened(String(part))).join('.');
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return field === '' ? message : `${field}: ${message}`;
}
