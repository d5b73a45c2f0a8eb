// Edits of the drawings of one own brand.
import { randomBytes } from 'node:crypto';
import type { AccountId } from '../accounts/account.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';
import type { Slug } from '../catalog/entry.js';
import { rejectionDetail, rejectionText } from '../catalog/rejection-text.js';
import { editFact, uploadOf, withoutUpload, withUpload, type EditTime, type UploadsByName } from './edit-brand.js';
import { uploadedVariants, type OwnBrand, type OwnUpload, type UploadedVariants } from './own-brand.js';
import { randomBase62 } from '../platform/text/base62.js';
import { AppError } from '../platform/errors.js';
import type { OwnBrandText } from './own-brand-texts.js';
import { OwnBrandsChangedError } from '../catalog/account-catalogs.js';
import { editOf, existing, type BrandChange, type Precondition } from './brand-edits.js';
import {
  TEXT_ID_LENGTH,
  type BrandOwner,
  type ChangeBrands,
  type ChangeParts,
  type DrawingParts,
} from './change-brands.js';
import { takeFromLimits } from './change-limits.js';
import { NOT_DRAWN, type SanitizedDrawing } from './drawing-uploads.js';

export function drawingEdits(parts: DrawingParts, change: ChangeBrands) {
  const { uploads, rateLimits } = parts;
  return {
    /**
     * Adds or replaces a drawing of a brand. Throws AppError `not_found`, `conflict`, and `unprocessable` with the
     * sanitizer's reason.
     */
    async putDrawing(
      owner: BrandOwner,
      { slug, name, bytes }: { readonly slug: Slug; readonly name: string; readonly bytes: Buffer },
      precondition: Precondition,
    ): Promise<BrandChange> {
      await takeFromLimits(rateLimits, owner.accountId);
      const [drawing] = await uploads.sanitize(owner.accountId, [{ name, bytes }]);
      if (drawing?.ok !== true) throw rejectedDrawing(drawing);
      return change(owner, async (index, time) => {
        const before = existing(index, slug, precondition);
        const put = await withDrawings(parts, owner.accountId, {
          brand: before,
          drawings: new Map([[name, drawing]]),
          time,
        });
        return editOf(before, put.brand, {
          texts: put.texts,
          facts: [editFact(slug, 'drawing put', name)],
          isNew: !uploadOf(before, name),
        });
      });
    },

    /** Removes a drawing of a brand. Throws AppError `not_found` or `conflict`. */
    async removeDrawing(
      owner: BrandOwner,
      { slug, name }: { readonly slug: Slug; readonly name: string },
      precondition: Precondition,
    ): Promise<void> {
      await takeFromLimits(rateLimits, owner.accountId);
      await change(owner, async (index, time) => {
        const before = existing(index, slug, precondition);
        if (!uploadOf(before, name)) throw noSuchDrawing(slug, name);
        const all = new Map(await readUploads(parts, owner.accountId, before));
        all.delete(name);
        const brand = withoutUpload(before, { name, uploads: all }, time);
        return editOf(before, brand, { facts: [editFact(slug, 'drawing removed', name)] });
      });
    },
  };
}

const noSuchDrawing = (slug: Slug, name: string): AppError =>
  new AppError('not_found', `The own brand "${slug}" has no uploaded drawing "${name}".`);

export function rejectedDrawing(drawing: RejectedDrawing = NOT_DRAWN): AppError {
  return new AppError('unprocessable', rejectionText(drawing), { details: [rejectionDetail('body', drawing)] });
}

export type TakenDrawing = Extract<SanitizedDrawing, { ok: true }>;

interface Drawn {
  readonly brand: OwnBrand;
  /** Variant → drawing for this variant. */
  readonly drawings: ReadonlyMap<string, TakenDrawing>;
  readonly time: EditTime;
}

/**
 * Returns the brand with these drawings added, and the texts to store for it (new drawings and variants). Returns the
 * object `brand` itself if the brand already has equal drawings.
 */
export async function withDrawings(
  parts: Pick<ChangeParts, 'ownBrandTexts'>,
  accountId: AccountId,
  { brand: before, drawings, time }: Drawn,
): Promise<{ readonly brand: OwnBrand; readonly texts: readonly OwnBrandText[] }> {
  const contentOf = (name: string, { candidates }: TakenDrawing): string =>
    candidates.find((candidate) => candidate.name === name)?.etag ?? '';
  const changed = [...drawings].filter(([name, one]) => uploadOf(before, name)?.content !== contentOf(name, one));
  if (changed.length === 0) return { brand: before, texts: [] };
  const uploads = new Map<string, UploadedVariants>(await readUploads(parts, accountId, before));
  const texts: OwnBrandText[] = [];
  let brand = before;
  for (const [name, drawing] of defaultFirst(changed)) {
    const own = uploadedVariants(name, drawing.candidates, randomBytes(16).toString('hex'));
    if (!own) throw rejectedDrawing(undefined);
    uploads.set(name, own.variants);
    const drawn = [...own.ids].flatMap(([etag, id]) => {
      const text = drawing.texts.get(etag);
      return text === undefined ? [] : [{ id, text }];
    });
    const id = randomBase62(TEXT_ID_LENGTH);
    const upload: OwnUpload = { id, texts: drawn.map((text) => text.id), content: contentOf(name, drawing) };
    texts.push(...drawn, { id, text: JSON.stringify(own.variants) });
    brand = withUpload(brand, { name, upload, uploads }, time);
  }
  return { brand, texts };
}

/**
 * Sorts the drawings so that `default` is first, because a brand must have a default before it accepts other drawings.
 */
export function defaultFirst<Drawing>(drawings: Iterable<readonly [string, Drawing]>): (readonly [string, Drawing])[] {
  return [...drawings].sort(([a], [b]) => Number(b === 'default') - Number(a === 'default'));
}

async function readUploads(
  { ownBrandTexts }: Pick<ChangeParts, 'ownBrandTexts'>,
  accountId: AccountId,
  { uploads }: OwnBrand,
): Promise<UploadsByName> {
  const named = Object.entries(uploads);
  if (named.length === 0) return new Map();
  const texts = await ownBrandTexts.get(
    accountId,
    named.map(([, { id }]) => id),
  );
  return new Map(
    named.map(([name, { id }]) => {
      const text = texts.get(id);
      if (text === undefined) throw new OwnBrandsChangedError();
      return [name, JSON.parse(text) as UploadedVariants];
    }),
  );
}
