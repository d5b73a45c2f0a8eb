// Uploads all own brands of an archive in one change of the account.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { tierAt } from '../accounts/tier.js';
import type { RejectedDrawing } from '../platform/drawing-rejections.js';
import type { Slug } from '../catalog/entry.js';
import { rejectionDetail, rejectionText } from '../catalog/rejection-text.js';
import { hasRoomFor, uploadOf, type EditTime } from './edit-brand.js';
import { MAX_UPLOADS, type OwnBrand } from './own-brand.js';
import type { OwnIndex } from './own-index.js';
import { AppError } from '../platform/errors.js';
import type { OwnBrandText } from './own-brand-texts.js';
import type { AccountContext } from '../accounts/context.js';
import { failed, unpacked, type UnpackingMemory, type FileResult } from './archive.js';
import { archiveBase, archivedBrands, type ArchivedBrand, type DescribedBrand } from './archived-brands.js';
import { assertRoom, indexOf, type BrandOwner, type ChangeBrands, type DrawingParts } from './change-brands.js';
import { takeFromLimits } from './change-limits.js';
import type { Precondition } from './brand-edits.js';
import { DRAWINGS_AT_ONCE, NOT_DRAWN, type SanitizedDrawing } from './drawing-uploads.js';
import { defaultFirst, withDrawings, type TakenDrawing } from './drawing-edits.js';

/**
 * Number of drawings of an archive that may crash or hang the sanitizer's rasterizer. After that, the remaining
 * drawings are skipped, because each such drawing can block a process for a minute.
 */
const MAX_CRASHED = 5;
const LEFT_OUT: SanitizedDrawing = {
  ...({ ok: false, reason: 'crashed' } as const),
  message: `not processed, because ${MAX_CRASHED} other files of the archive crash or hang the rasterizer`,
};
const BRANDS_PER_TURN = 10;

export interface ArchiveParts extends DrawingParts, Pick<AccountContext, 'accounts' | 'now'> {
  readonly unpackingMemory: UnpackingMemory;
}

/** A drawing of the archive: its file, and the sanitizer's outcome. */
interface ArchivedUpload {
  readonly file: string;
  readonly sanitized: SanitizedDrawing | undefined;
}

interface SanitizedBrand extends DescribedBrand {
  /** Variant → drawing for this variant. */
  readonly drawings: ReadonlyMap<string, ArchivedUpload>;
}

export interface ArchiveOutcome {
  /** False if nothing was changed, because `atomic` was set and a file was rejected. */
  readonly applied: boolean;
  readonly results: readonly FileResult[];
}

function rejectedFile(path: string, slug: Slug, rejected: RejectedDrawing = NOT_DRAWN): FileResult {
  const result = failed(path, slug, rejectionText(rejected));
  return { ...result, details: [rejectionDetail(result.file, rejected)] };
}

export function archiveEdits(parts: ArchiveParts, change: ChangeBrands) {
  const { rateLimits } = parts;

  /**
   * Applies the files of one brand. Returns the changed brand (undefined if nothing changes), the texts to store for it
   * (new drawings and variants), and one result per file.
   */
  async function take(owner: BrandOwner, archived: SanitizedBrand, index: OwnIndex, time: EditTime) {
    const { slug, drawings } = archived;
    const before = index.brand(slug);
    const taken = new Map<string, TakenDrawing>();
    const results: FileResult[] = [];
    for (const [name, { file, sanitized }] of defaultFirst(drawings)) {
      if (sanitized?.ok !== true) results.push(rejectedFile(file, slug, sanitized));
      else if (!hasRoomFor(name, { ...before?.uploads, ...Object.fromEntries(taken) }))
        results.push(failed(file, slug, `a brand has at most ${MAX_UPLOADS} drawings`));
      else taken.set(name, sanitized);
    }
    if (!taken.has('default') && before?.uploads.default === undefined) {
      const without = [...drawings].filter(([name]) => taken.has(name));
      const message = `there is no accepted drawing ${slug}.svg`;
      return { texts: [], results: [...results, ...without.map(([, { file }]) => failed(file, slug, message))] };
    }
    const base = archiveBase(archived, before, time);
    const { brand, texts } = await withDrawings(parts, owner.accountId, { brand: base, drawings: taken, time });
    const put = [...drawings].filter(([name]) => taken.has(name));
    const status = (name: string) => (before && uploadOf(before, name) ? 200 : 201);
    results.push(...put.map(([name, { file }]): FileResult => ({ file, slug, status: status(name) })));
    return { brand: brand === before ? undefined : brand, texts, results };
  }

  return {
    /**
     * Uploads an archive. With `atomic`, a rejected file prevents all changes. An error that `precondition` throws for
     * a brand always prevents all changes. Throws the errors of `unpacked` and `archivedBrands`.
     */
    async putArchive(
      owner: BrandOwner,
      { archive, atomic }: { readonly archive: Buffer; readonly atomic: boolean },
      precondition: Precondition,
    ): Promise<ArchiveOutcome> {
      await takeFromLimits(rateLimits, owner.accountId);
      const { brands, early } = await sanitizedBrands(parts, owner, archive);
      return change(owner, async (index, time) => {
        const edited = new Map<Slug, OwnBrand>();
        const texts: OwnBrandText[] = [];
        const results: FileResult[] = [...early];
        for (const [at, archived] of brands.entries()) {
          if (at % BRANDS_PER_TURN === 0) await nextTurn();
          precondition(index.brand(archived.slug));
          const taken = await take(owner, archived, index, time);
          results.push(...taken.results);
          texts.push(...taken.texts);
          if (taken.brand) edited.set(archived.slug, taken.brand);
        }
        const applied = !(atomic && results.some(({ status }) => status === 422));
        const result = { applied, results };
        if (!applied || edited.size === 0) return { brands: new Map(), texts: [], facts: [], result };
        const detail = { ownBrand: String(edited.size), change: 'archive' };
        const fact = { type: 'user_updated', detail, subjects: [...edited.keys()] } as const;
        return { brands: edited, texts, facts: [fact], result };
      });
    },
  };
}

/**
 * Sanitizes the drawings. This is a separate function, so that the unpacked files can be garbage-collected before the
 * change waits for the account's lock.
 */
async function sanitizedBrands(parts: ArchiveParts, owner: BrandOwner, archive: Buffer) {
  let giveBack = (): void => undefined;
  try {
    const files = await unpacked(archive, (bytes) => {
      giveBack = parts.unpackingMemory.take(bytes);
    });
    const { brands, problems } = await archivedBrands(files.filter((file) => 'bytes' in file));
    await assertRoomForBrands(parts, owner, brands);
    const early = [...files.filter((file) => 'status' in file), ...problems];
    return { brands: await sanitizeAll(parts, owner, brands), early };
  } finally {
    giveBack();
  }
}

/**
 * Throws AppError `brand_limit` if the new brands would exceed the plan's limit. Called before the drawings are
 * sanitized, because sanitizing takes the most time.
 */
async function assertRoomForBrands(
  { accounts, catalogs, plans, now }: ArchiveParts,
  { accountId }: BrandOwner,
  brands: readonly ArchivedBrand[],
): Promise<void> {
  const account = await accounts.find(accountId);
  if (!account) throw new AppError('invalid_token');
  const index = await indexOf(catalogs, account);
  const added = brands.filter(({ slug }) => !index.brand(slug)).length;
  assertRoom(index.brands().length + added, account.ownBrands, plans[tierAt(account, new Date(now()))].ownBrands);
}

/**
 * Sanitizes the drawings in batches, because each drawing may have a megabyte. After MAX_CRASHED crashes or hangs,
 * skips the remaining drawings.
 */
async function sanitizeAll(
  { uploads }: DrawingParts,
  { accountId }: BrandOwner,
  brands: readonly ArchivedBrand[],
): Promise<readonly SanitizedBrand[]> {
  const drawings = brands.flatMap((brand) => [...brand.drawings].map(([name, one]) => ({ brand, name, one })));
  const sanitizedBy = new Map(brands.map(({ slug }) => [slug, new Map<string, ArchivedUpload>()] as const));
  let crashed = 0;
  for (let at = 0; at < drawings.length; at += DRAWINGS_AT_ONCE) {
    const some = drawings.slice(at, at + DRAWINGS_AT_ONCE);
    const sanitized: readonly SanitizedDrawing[] =
      crashed < MAX_CRASHED
        ? await uploads.sanitize(
            accountId,
            some.map(({ name, one }) => ({ name, bytes: one.bytes })),
          )
        : some.map(() => LEFT_OUT);
    for (const [index, { brand, name, one }] of some.entries())
      sanitizedBy.get(brand.slug)?.set(name, { file: one.file, sanitized: sanitized[index] });
    crashed += sanitized.filter((one) => !one.ok && one.reason === 'crashed').length;
  }
  return brands.map(({ slug, facts, folders }) => ({
    ...{ slug, facts, folders },
    drawings: sanitizedBy.get(slug) ?? new Map<string, ArchivedUpload>(),
  }));
}
