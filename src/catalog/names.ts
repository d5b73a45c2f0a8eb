// Catalog names: comparable keys, slugs, variant names, categories and suffixes of drawings.
import { SLUG_PATTERN, type Slug } from './entry.js';

/**
 * Maximum length of a file or drawing name. Longer names are rejected before Unicode normalization, which takes
 * quadratic time for a run of combining marks.
 */
export const MAX_WRITTEN_NAME = 255;
export const MAX_VARIANT_NAME = 64;
/** Matches names that `variantNameOf` leaves unchanged. */
export const VARIANT_NAME_PATTERN = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9._])?$/;

/**
 * Returns the comparable form of a name. "Node.js", "nodejs" and "node-js" have the same form. "C", "C++" and "C#" have
 * different forms.
 */
export function nameKey(text: string): string {
  return spellSigns(plain(text), '').replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Returns the slug that a person would guess from the title. Returns undefined if the title has no characters that can
 * be converted to a-z or 0-9.
 */
export function slugOf(text: string): Slug | undefined {
  const spelled = spellSigns(plain(text), '-')
    .replace(/['’]/g, '')
    .replace(/\.js\b/g, 'js')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
  return isSlug(spelled) ? spelled : undefined;
}

/** Returns a title for an icon without a title: `arrow-left_circle` → `Arrow Left Circle`. */
export function titleOfKey(key: string): string {
  return key
    .split(/[-_]/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

export function isSlug(text: string): text is Slug {
  return SLUG_PATTERN.test(text);
}

/**
 * Converts the name that a drawing has in its source to a name that is safe in URLs and headers. Returns undefined if
 * the name is too long, or if no safe character remains.
 */
export function variantNameOf(text: string): string | undefined {
  if (text.length > MAX_WRITTEN_NAME) return undefined;
  const name = withoutEndDashes(
    plain(text)
      .replace(/[^a-z0-9._-]+/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, MAX_VARIANT_NAME),
  );
  return name === '' ? undefined : name;
}

/** Removes dashes from the end. A loop is used because `/-+$/` takes quadratic time for a text with many dashes. */
export function withoutEndDashes(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '-') end--;
  return text.slice(0, end);
}

/** Returns the category in lower kebab case, so that "E-commerce" and "e-Commerce" become the same category. */
export function categoryOf(text: string): string {
  return plain(text)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .trim();
}

function spellSigns(text: string, gap: string): string {
  return text
    .replace(/^\.(?=[a-z])/, 'dot')
    .replace(/\+\+/g, 'plusplus')
    .replace(/\+/g, `${gap}plus`)
    .replace(/#/g, 'sharp')
    .replace(/&/g, `${gap}and${gap}`);
}

/** Suffixes of icon keys. These suffixes name a drawing, and are not part of the brand's name. */
const DRAWING_SUFFIXES = ['icon', 'dark', 'light', 'mono', 'badge'] as const;
export type DrawingSuffix = (typeof DRAWING_SUFFIXES)[number];

/**
 * Splits off the suffixes that name a drawing: `oxc-icon-dark` is a drawing of `oxc`. `badge` is always split off. Any
 * other suffix is split off only if the source has an icon with the rest of the key.
 */
export function splitKey(
  key: string,
  keys: ReadonlySet<string>,
): { readonly base: string; readonly suffixes: readonly DrawingSuffix[] } {
  const suffixes: DrawingSuffix[] = [];
  let base = key;
  for (;;) {
    const suffix = DRAWING_SUFFIXES.find((name) => base.endsWith(`-${name}`));
    if (suffix === undefined) break;
    const rest = base.slice(0, -suffix.length - 1);
    if (suffix !== 'badge' && !keys.has(rest)) break;
    suffixes.unshift(suffix);
    base = rest;
  }
  return { base, suffixes };
}
