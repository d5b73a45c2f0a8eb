// Pages of an account's own brands: each holds those whose slugs hash to it, so that a change writes one page anew.
import { hash } from 'node:crypto';
import { AppError } from '../platform/errors.js';
import type { Slug } from '../catalog/entry.js';
import type { OwnBrand } from './own-brand.js';

/** Mean number of brands on a page, beyond which there are twice as many pages: some 100 KB of JSON. */
const MEAN_BRANDS = 100;

/** Length of all pages of an account, UTF-16 units of their JSON: 5,000 brands with 2,400 each, where a usual one has a thousand. */
export const MAX_ACCOUNT_CHARS = 12_000_000;

/** Number of pages for so many brands, where there are `current` of them: it never shrinks but to none. */
export function pageCount(brands: number, current: number): number {
  if (brands === 0) return 0;
  let pages = Math.max(1, current);
  while (brands > pages * MEAN_BRANDS) pages *= 2;
  return pages;
}

/** The page that has the brand of this slug. */
export function pageOf(slug: Slug, pages: number): number {
  return pages <= 1 ? 0 : Number.parseInt(hash('sha256', slug).slice(0, 8), 16) % pages;
}

/**
 * In place of ids of pages: all brands were removed. Until then, their pictures were answered at addresses of public ones, so the
 * account isn't one that never had any.
 */
export const ALL_REMOVED = '-';

/** Ids of pages, as the account has them. */
export function pageIds(pages: string): readonly string[] {
  return pages === '' || pages === ALL_REMOVED ? [] : pages.split(' ');
}

/** Each page's brands, by slug. */
export function paged(brands: Iterable<OwnBrand>, pages: number): readonly (readonly OwnBrand[])[] {
  const lists = Array.from({ length: pages }, (): OwnBrand[] => []);
  for (const brand of brands) lists[pageOf(brand.slug, pages)]?.push(brand);
  for (const list of lists) list.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return lists;
}

/** `chars`: of all pages of an account. Throws AppError `brand_limit`; what is too long already may become shorter. */
export function assertLength(chars: number, before: number): void {
  if (chars <= MAX_ACCOUNT_CHARS || chars <= before) return;
  throw new AppError(
    'brand_limit',
    `All own brands together have room for ${MAX_ACCOUNT_CHARS} characters of names, addresses and other facts; these are ${chars}.`,
  );
}
