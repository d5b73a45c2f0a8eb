// Own brands of an account, in the form in which they are stored.
import type { Slug } from '../../src/catalog/entry.js';
import { pageCount, paged } from '../../src/own-brands/brand-pages.js';
import { NO_FACTS, type OwnBrand } from '../../src/own-brands/own-brand.js';
import { variantNamed } from './entries.js';

const AT = '2026-01-01T00:00:00.000Z';

export function someBrand(slug: string, facts: Partial<OwnBrand> = {}): OwnBrand {
  return {
    ...{
      slug: slug as Slug,
      ...NO_FACTS,
      title: slug,
      uploads: {},
      variants: [variantNamed('default'), variantNamed('mono')],
    },
    ...{ createdAt: AT, updatedAt: AT, version: 1, ...facts },
  };
}

/** Returns the brands as they are stored: id → JSON of a part of the list. The ids start with `mark`. */
export function pageTexts(brands: readonly OwnBrand[], mark = 'p'): ReadonlyMap<string, string> {
  return new Map(paged(brands, pageCount(brands.length, 1)).map((page, at) => [`${mark}${at}`, JSON.stringify(page)]));
}
