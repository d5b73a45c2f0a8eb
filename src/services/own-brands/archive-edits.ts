// Edit of all own brands that an archive has, in one change.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Slug } from '../../domain/catalog/entry.js';
import { hasRoomFor, uploadOf, type EditTime } from '../../domain/own-brands/edit-brand.js';
import { MAX_UPLOADS, type OwnBrand } from '../../domain/own-brands/own-brand.js';
import type { OwnIndex } from '../../domain/own-brands/own-index.js';
import { decodeText } from '../../domain/text/decode.js';
import type { OwnBrandText } from '../../ports/own-brand-texts.js';
import {
  archiveBase,
  archivedBrands,
  failed,
  unpacked,
  type ArchivedBrand,
  type ArchiveOutcome,
  type FileResult,
} from './archive.js';
import type { BrandOwner, ChangeBrands, DrawingParts } from './change-brands.js';
import { takeFromLimits } from './change-limits.js';
import type { UploadedDrawing } from './drawing-uploads.js';
import { defaultFirst, rejectedDrawing, withDrawings, type TakenDrawing } from './drawing-edits.js';

/** A drawing has a megabyte at most. */
const DRAWINGS_PER_TURN = 4;
const BRANDS_PER_TURN = 10;

export function archiveEdits(parts: DrawingParts, change: ChangeBrands) {
  const { uploads, rateLimits } = parts;

  /** The brand as it becomes; a result for each of its files. */
  async function take(owner: BrandOwner, archived: ArchivedBrand, index: OwnIndex, time: EditTime) {
    const { slug, drawings } = archived;
    const before = index.brand(slug);
    const taken = new Map<string, TakenDrawing>();
    const results: FileResult[] = [];
    for (const [name, { file, sanitized }] of defaultFirst(drawings)) {
      if (sanitized?.ok !== true) results.push(failed(file, slug, rejectedDrawing(sanitized).message));
      else if (!hasRoomFor(name, { ...before?.uploads, ...Object.fromEntries(taken) }))
        results.push(failed(file, slug, `a brand has at most ${MAX_UPLOADS} drawings`));
      else taken.set(name, sanitized);
    }
    if (!taken.has('default') && before?.uploads.default === undefined) {
      const without = [...drawings].filter(([name]) => taken.has(name));
      const message = `there is no drawing ${slug}.svg that can be taken`;
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
    /** `atomic`: nothing is changed when a file cannot be taken. Throws what `unpacked` throws. */
    async putArchive(owner: BrandOwner, archive: Uint8Array, atomic: boolean): Promise<ArchiveOutcome> {
      await takeFromLimits(rateLimits, owner.accountId);
      const files = await unpacked(archive);
      const { brands, problems } = archivedBrands(files.filter((file) => 'bytes' in file));
      const early = [...files.filter((file) => 'status' in file), ...problems];
      const drawings = brands.flatMap((brand) => [...brand.drawings].map(([name, one]) => ({ name, one })));
      const uploaded: UploadedDrawing[] = [];
      for (const [at, { name, one }] of drawings.entries()) {
        if (at % DRAWINGS_PER_TURN === 0) await nextTurn();
        uploaded.push({ name, svg: decodeText(one.bytes) });
      }
      const sanitized = await uploads.sanitize(owner.accountId, uploaded);
      for (const [at, { one }] of drawings.entries()) one.sanitized = sanitized[at];
      return change(owner, async (index, time) => {
        const edited = new Map<Slug, OwnBrand>();
        const texts: OwnBrandText[] = [];
        const results: FileResult[] = [...early];
        for (const [at, archived] of brands.entries()) {
          if (at % BRANDS_PER_TURN === 0) await nextTurn();
          const taken = await take(owner, archived, index, time);
          results.push(...taken.results);
          texts.push(...taken.texts);
          if (taken.brand) edited.set(archived.slug, taken.brand);
        }
        const applied = !(atomic && results.some(({ status }) => status === 422));
        const result = { applied, results };
        if (!applied || edited.size === 0) return { brands: new Map(), texts: [], facts: [], result };
        const fact = { type: 'user_updated', detail: { ownBrand: String(edited.size), change: 'archive' } } as const;
        return { brands: edited, texts, facts: [fact], result };
      });
    },
  };
}
