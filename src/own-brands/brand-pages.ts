// Pages of an account's own brands. The hash of the slug determines a brand's page, so that a change rewrites only one page.
import { hash } from 'node:crypto';
import { AppError } from '../platform/errors.js';
import type { Slug } from '../catalog/entry.js';
import type { OwnBrand } from './own-brand.js';

/** Mean number of brands on a page above which the number of pages doubles. This is 100 KB of JSON. */
const MEAN_BRANDS = 100;

/**
 * Most UTF-16 units of JSON for all pages of an account. This is enough for 5,000 brands with 2,400 units each; a typical brand
 * has 1,000.
 */
export const MAX_ACCOUNT_CHARS = 12_000_000;

/**
 * Returns the number of pages for this many brands. `current` is the present number of pages. The number only shrinks when no
 * brand is left.
 */
export function pageCount(brands: number, current: number): number {
  if (brands === 0) return 0;
  let pages = Math.max(1, current);
  while (brands > pages * MEAN_BRANDS) pages *= 2;
  return pages;
}

/** Returns the number of the page for this slug. */
export function pageOf(slug: Slug, pages: number): number {
  return pages <= 1 ? 0 : Number.parseInt(hash('sha256', slug).slice(0, 8), 16) % pages;
}

/**
 * Value instead of page ids after all brands were removed. Their pictures had the same URLs as public ones, so the account
 * differs from an account that never had own brands.
 */
export const ALL_REMOVED = '-';

/** Returns the ids of the pages in an account. */
export function pageIds(pages: string): readonly string[] {
  return pages === '' || pages === ALL_REMOVED ? [] : pages.split(' ');
}

/** Returns the brands of each page, by slug. */
export function paged(brands: Iterable<OwnBrand>, pages: number): readonly (readonly OwnBrand[])[] {
  const lists = Array.from({ length: pages }, (): OwnBrand[] => []);
  for (const brand of brands) lists[pageOf(brand.slug, pages)]?.push(brand);
  for (const list of lists) list.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return lists;
}

/**
 * Throws AppError `brand_limit`. `chars` is the length of all pages of an account. Pages that are already too long may become
 * shorter.
 */
export function assertLength(chars: number, before: number): void {
  if (chars <= MAX_ACCOUNT_CHARS || chars <= before) return;
  throw new AppError(
    'brand_limit',
    `The names, URLs and other metadata of all own brands can have at most ${MAX_ACCOUNT_CHARS} characters in ` +
      `total. They would have ${chars}.`,
  );
}
