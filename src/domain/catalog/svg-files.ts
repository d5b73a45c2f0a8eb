// Files of a folder of SVGs, by their names: `name.svg` and `name--variant.svg` by brand, and sidecars with facts.
import { z } from 'zod';
import { brandHex } from './drawing.js';
import { variantNameOf } from './names.js';

const name = z.string().trim().min(1).max(200);

/** Facts of one brand, with at most so many names of each kind. */
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
    domains: z
      .array(z.string().refine(isDomain, { error: 'not a domain' }))
      .max(domains, { error: `more than ${domains}` })
      .optional(),
    aliases: z
      .array(name)
      .max(aliases, { error: `more than ${aliases}` })
      .optional(),
    categories: z
      .array(name)
      .max(categories, { error: `more than ${categories}` })
      .optional(),
    /** File names in the folder, by variant. */
    variants: z
      .record(
        z.string().refine((text) => variantNameOf(text) === text, { error: 'not a variant name' }),
        z.string().regex(/\.svg$/i, { error: 'not an SVG file' }),
      )
      .refine((named) => Object.keys(named).length <= variants, { error: `more than ${variants}` })
      .optional(),
  });

export type Sidecar = z.output<ReturnType<typeof sidecarSchemaOf>>;

export interface NamedFile {
  readonly kind: 'drawing' | 'sidecar' | 'sidecars';
  readonly slug: string;
  readonly variant: string;
}

/** The meaning of a file's name; a reason for one without; undefined for other files. */
export function readFileName(base: string): NamedFile | { readonly problem: string } | undefined {
  const [, stem = '', extension = ''] = /^(.*)\.([^.]*)$/s.exec(base.toLowerCase()) ?? [];
  if (base.toLowerCase() === 'icons.json') return { kind: 'sidecars', slug: '', variant: '' };
  if (extension !== 'svg' && extension !== 'json') return undefined;
  const [key = '', ...rest] = stem.trim().split('--');
  const slug = slugOfFile(key);
  if (slug === '') return { problem: 'its name has no letter or digit of a-z and 0-9' };
  if (extension === 'json') return { kind: 'sidecar', slug: slugOfFile(stem), variant: '' };
  const variant = rest.length === 0 ? 'default' : variantNameOf(rest.join('--'));
  if (variant === undefined) return { problem: "its variant's name has no letter or digit of a-z and 0-9" };
  return { kind: 'drawing', slug, variant };
}

export function slugOfFile(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '');
}

/** The first problem, with its field. */
export function sidecarProblem({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join('.') ?? '';
  return field === '' ? (issue?.message ?? 'it does not fit') : `${field}: ${issue?.message ?? 'does not fit'}`;
}
