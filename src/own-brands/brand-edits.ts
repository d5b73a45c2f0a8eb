// Edits of one own brand: their preconditions, and their results.
import type { AuditFact } from '../accounts/audit-event.js';
import type { Slug } from '../catalog/entry.js';
import type { OwnBrand } from './own-brand.js';
import type { OwnIndex } from './own-index.js';
import { AppError } from '../platform/errors.js';
import type { OwnBrandText } from './own-brand-texts.js';
import type { Edit } from './change-brands.js';

/**
 * Throws AppError `precondition_failed` if a precondition of the request, such as `If-Match`, is false. `brand` is
 * undefined if the brand doesn't exist.
 */
export type Precondition = (brand: OwnBrand | undefined) => void;

export interface BrandChange {
  readonly brand: OwnBrand;
  readonly isNew: boolean;
}

export const noSuchBrand = (slug: Slug): AppError =>
  new AppError('not_found', `There is no own brand "${slug}". Create it with PUT /v1/brands/${slug}.`);

export function existing(index: OwnIndex, slug: Slug, precondition: Precondition): OwnBrand {
  const brand = index.brand(slug);
  precondition(brand);
  if (!brand) throw noSuchBrand(slug);
  return brand;
}

interface EditParts {
  readonly facts: readonly AuditFact[];
  readonly texts?: readonly OwnBrandText[];
  readonly isNew?: boolean;
}

/** Returns the edit that stores one brand. The edit is empty if `brand` and `before` are the same object. */
export function editOf(before: OwnBrand | undefined, brand: OwnBrand, parts: EditParts): Edit<BrandChange> {
  const { facts, texts = [], isNew = before === undefined } = parts;
  if (brand === before) return { brands: new Map(), texts: [], facts: [], result: { brand, isNew: false } };
  return { brands: new Map([[brand.slug, brand]]), texts, facts, result: { brand, isNew } };
}
