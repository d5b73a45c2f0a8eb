// Own brands of an account: reads them, and changes them one change at a time.
import type { AccountId } from '../accounts/account.js';
import type { Slug } from '../catalog/entry.js';
import { editFact, withFacts } from './edit-brand.js';
import type { OwnBrand, OwnBrandFacts } from './own-brand.js';
import type { OwnIndex } from './own-index.js';
import { AppError } from '../platform/errors.js';
import { OwnBrandsChangedError } from '../catalog/account-catalogs.js';
import { archiveEdits, type ArchiveParts } from './archive-edits.js';
import { editOf, existing, type BrandChange, type Precondition } from './brand-edits.js';
import { createChange, indexOf, type BrandOwner, type DecideEdit } from './change-brands.js';
import { takeFromLimits } from './change-limits.js';
import { drawingEdits } from './drawing-edits.js';
import { drawingPreviews } from './drawing-previews.js';

export type OwnBrands = ReturnType<typeof createOwnBrands>;

/**
 * Creates the service. Methods that change something throw AppError `rate_limited`, `busy` and `brand_limit`, the
 * errors of `assertStillOwner`, and the errors that `precondition` throws.
 */
export function createOwnBrands(parts: ArchiveParts) {
  const { accounts, rateLimits, catalogs } = parts;
  const change = createChange(parts);

  async function changeOf<Result>(owner: BrandOwner, edit: DecideEdit<Result>): Promise<Result> {
    await takeFromLimits(rateLimits, owner.accountId);
    return change(owner, edit);
  }

  return {
    /** Returns the current own brands. Throws AppError `invalid_token` when the account no longer exists. */
    async read(id: AccountId): Promise<OwnIndex> {
      for (let tries = 0; ; tries++) {
        const account = await accounts.find(id);
        if (!account || account.deleting) throw new AppError('invalid_token');
        try {
          return await indexOf(catalogs, account);
        } catch (error) {
          if (!(error instanceof OwnBrandsChangedError) || tries > 5) throw error;
        }
      }
    },

    /** Creates a brand, or replaces its facts. Its drawings stay. */
    put: (owner: BrandOwner, slug: Slug, given: OwnBrandFacts, precondition: Precondition): Promise<BrandChange> =>
      changeOf(owner, (index, time) => {
        const before = index.brand(slug);
        precondition(before);
        const brand = withFacts(before, { slug, facts: given }, time);
        return editOf(before, brand, { facts: [editFact(slug, before ? 'changed' : 'created')] });
      }),

    /**
     * Changes the facts of a brand. `facts` returns the new facts. Throws AppError `not_found`, and the errors of
     * `facts`.
     */
    patch: (
      owner: BrandOwner,
      slug: Slug,
      facts: (brand: OwnBrand) => OwnBrandFacts,
      precondition: Precondition,
    ): Promise<BrandChange> =>
      changeOf(owner, (index, time) => {
        const before = existing(index, slug, precondition);
        const brand = withFacts(before, { slug, facts: facts(before) }, time);
        return editOf(before, brand, { facts: [editFact(slug, 'changed')] });
      }),

    /** Removes a brand. Throws AppError `not_found`. */
    remove: (owner: BrandOwner, slug: Slug, precondition: Precondition): Promise<void> =>
      changeOf(owner, (index) => {
        existing(index, slug, precondition);
        return {
          brands: new Map([[slug, undefined]]),
          texts: [],
          facts: [editFact(slug, 'removed')],
          result: undefined,
        };
      }),

    ...drawingEdits(parts, change),
    ...archiveEdits(parts, change),
    ...drawingPreviews(parts),
  };
}
