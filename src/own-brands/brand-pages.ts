// Records (pages) that store an account's own brands. Each page contains several brands as JSON. The hash of a brand's
// slug determines its page, so that a change rewrites only one page.
import { hash } from 'node:crypto';
import { AppError } from '../platform/errors.js';
import type { Slug } from '../catalog/entry.js';
import type { OwnBrand } from './own-brand.js';

/** Mean number of brands per page above which the number of pages doubles. 100 brands are about 100 KB of JSON. */
const MEAN_BRANDS = 100;

/**
 * Maximum length of all own brands of an account as JSON, UTF-16 units. It is enough for 5,000 brands of 2,400 units. A
 * typical brand has 1,000 units.
 */
export const MAX_ACCOUNT_CHARS = 12_000_000;

/**
 * Returns the number of pages for this number of brands. `current`: present number of pages, which decreases only when
 * the last brand is removed.
 */
export function pageCount(brands: number, current: number): number {
  if (brands === 0) return 0;
  let pages = Math.max(1, current);
  while (brands > pages * MEAN_BRANDS) pages *= 2;
  return pages;
}

/** Returns the index of the page that contains this slug. */
export function pageOf(slug: Slug, pages: number): number {
  return pages <= 1 ? 0 : Number.parseInt(hash('sha256', slug).slice(0, 8), 16) % pages;
}

/**
 * Replaces the list of page ids after all own brands were removed. With an empty list, the service would also compare
 * dates of pictures, not only ETags. By date, a cached picture of a removed brand would seem newer than the public
 * brand's picture with the same URL.
 */
export const ALL_REMOVED = '-';

/**
 * Returns the page ids in `pages`. In an account's record, this text contains the ids separated by spaces, or
 * ALL_REMOVED, or it is empty.
 */
export function pageIds(pages: string): readonly string[] {
  return pages === '' || pages === ALL_REMOVED ? [] : pages.split(' ');
}

/** Distributes the brands over this number of pages. Each page is sorted by slug. */
export function paged(brands: Iterable<OwnBrand>, pages: number): readonly (readonly OwnBrand[])[] {
  const lists = Array.from({ length: pages }, (): OwnBrand[] => []);
  for (const brand of brands) lists[pageOf(brand.slug, pages)]?.push(brand);
  for (const list of lists) list.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return lists;
}

/**
 * Throws AppError `brand_limit` if the change makes the own brands too long. `chars` and `before`: length of all pages
 * after and before the change. Changes that make them shorter are always allowed.
 */
export function assertLength(chars: number, before: number): void {
  if (chars <= MAX_ACCOUNT_CHARS || chars <= before) return;
  throw new AppError(
    'brand_limit',
    `The names, URLs and other metadata of all own brands can have at most ${MAX_ACCOUNT_CHARS} characters in ` +
      `total. They would have ${chars}.`,
  );
}
