// Own brands of an account: read, and changed in the account's order; what is written becomes visible with the account.
import { randomBytes } from 'node:crypto';
import type { AccountId } from '../../domain/account/account.js';
import type { AuditFact } from '../../domain/account/audit-event.js';
import type { Slug } from '../../domain/catalog/entry.js';
import {
  editFact,
  withFacts,
  withoutUpload,
  withUpload,
  type EditTime,
  type UploadsByName,
} from '../../domain/own-brands/edit-brand.js';
import {
  uploadedVariants,
  type OwnBrand,
  type OwnBrandFacts,
  type Upload,
  type UploadedVariants,
} from '../../domain/own-brands/own-brand.js';
import type { OwnIndex } from '../../domain/own-brands/own-index.js';
import { randomBase62 } from '../../domain/text/base62.js';
import { DAY_MS, MINUTE_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { OwnBrandText } from '../../ports/own-brand-texts.js';
import type { AccountContext } from '../accounts/context.js';
import { consume } from '../accounts/rate-limiting.js';
import { OwnBrandsChangedError } from '../catalog/account-catalogs.js';
import {
  archiveBase,
  archivedBrands,
  failed,
  unpacked,
  type ArchivedBrand,
  type ArchiveOutcome,
  type FileResult,
} from './archive-edits.js';
import {
  createChange,
  indexOf,
  TEXT_ID_LENGTH,
  type BrandOwner,
  type ChangeBrands,
  type ChangeParts,
  type DecideEdit,
  type Edit,
} from './change-brands.js';
import type { DrawingUploads, SanitizedDrawing } from './drawing-uploads.js';

/** Throws AppError `precondition_failed` when the condition of the request does not hold. Undefined: there is no such brand. */
export type Precondition = (brand: OwnBrand | undefined) => void;

export interface BrandChange {
  readonly brand: OwnBrand;
  readonly isNew: boolean;
}

const CHANGES_A_MINUTE = 60;
const CHANGES_A_DAY = 5000;

export interface OwnBrandParts extends ChangeParts, Pick<AccountContext, 'accounts' | 'rateLimits'> {
  readonly uploads: DrawingUploads;
}

export type OwnBrands = ReturnType<typeof createOwnBrands>;

/** What changes throws AppError `rate_limited`, `busy`, `brand_limit`, and what `assertStillOwner` and the precondition throw. */
export function createOwnBrands(parts: OwnBrandParts) {
  const { accounts, rateLimits, catalogs } = parts;
  const change = createChange(parts);

  /** Counts it, also when it comes to nothing. */
  async function changeOf<Result>(owner: BrandOwner, edit: DecideEdit<Result>): Promise<Result> {
    await takeFromLimits(rateLimits, owner.accountId);
    return change(owner, edit);
  }

  return {
    /** As they are now. Throws AppError `invalid_token` when the account is gone. */
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

    /** Creates it, or replaces its facts; drawings stay. */
    put: (owner: BrandOwner, slug: Slug, given: OwnBrandFacts, precondition: Precondition): Promise<BrandChange> =>
      changeOf(owner, (index, time) => {
        const before = index.brand(slug);
        precondition(before);
        const brand = withFacts(before, { slug, facts: given }, time);
        return editOf(before, brand, { facts: [editFact(slug, before ? 'changed' : 'created')] });
      }),

    /** `facts`: those that it then has. Throws AppError `not_found`, and what `facts` throws. */
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

    /** Throws AppError `not_found`. */
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
  };
}

function drawingEdits(parts: OwnBrandParts, change: ChangeBrands) {
  const { uploads, rateLimits } = parts;
  return {
    /** Throws AppError `not_found`, `conflict`, and `unprocessable` with the sanitizer's reason. */
    async putDrawing(
      owner: BrandOwner,
      { slug, name, svg }: { readonly slug: Slug; readonly name: string; readonly svg: string },
      precondition: Precondition,
    ): Promise<BrandChange> {
      await takeFromLimits(rateLimits, owner.accountId);
      const [drawing] = await uploads.sanitize(owner.accountId, [{ name, svg }]);
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
          isNew: before.uploads[name] === undefined,
        });
      });
    },

    /** Throws AppError `not_found`, `conflict`. */
    async removeDrawing(
      owner: BrandOwner,
      { slug, name }: { readonly slug: Slug; readonly name: string },
      precondition: Precondition,
    ): Promise<void> {
      await takeFromLimits(rateLimits, owner.accountId);
      await change(owner, async (index, time) => {
        const before = existing(index, slug, precondition);
        if (before.uploads[name] === undefined) throw noSuchDrawing(slug, name);
        const all = new Map(await readUploads(parts, owner.accountId, before));
        all.delete(name);
        const brand = withoutUpload(before, { name, uploads: all }, time);
        return editOf(before, brand, { facts: [editFact(slug, 'drawing removed', name)] });
      });
    },
  };
}

function archiveEdits(parts: OwnBrandParts, change: ChangeBrands) {
  const { uploads, rateLimits } = parts;

  /** The brand as it becomes; a result for each of its files. */
  async function take(owner: BrandOwner, archived: ArchivedBrand, index: OwnIndex, time: EditTime) {
    const { slug, drawings } = archived;
    const before = index.brand(slug);
    const taken = new Map<string, TakenDrawing>();
    const results: FileResult[] = [];
    for (const [name, { file, sanitized }] of drawings) {
      if (sanitized?.ok === true) taken.set(name, sanitized);
      else results.push(failed(file, slug, rejectedDrawing(sanitized).message));
    }
    if (!taken.has('default') && before?.uploads.default === undefined) {
      const without = [...drawings].filter(([name]) => taken.has(name));
      const message = `there is no drawing ${slug}.svg that can be taken`;
      return { texts: [], results: [...results, ...without.map(([, { file }]) => failed(file, slug, message))] };
    }
    const base = archiveBase(archived, before, time);
    const { brand, texts } = await withDrawings(parts, owner.accountId, { brand: base, drawings: taken, time });
    const put = [...drawings].filter(([name]) => taken.has(name));
    const status = (name: string) => (before?.uploads[name] === undefined ? 201 : 200);
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
      const sanitized = await uploads.sanitize(
        owner.accountId,
        drawings.map(({ name, one }) => ({ name, svg: one.svg })),
      );
      for (const [at, { one }] of drawings.entries()) one.sanitized = sanitized[at];
      return change(owner, async (index, time) => {
        const edited = new Map<Slug, OwnBrand>();
        const texts: OwnBrandText[] = [];
        const results: FileResult[] = [...early];
        for (const archived of brands) {
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

const noSuchDrawing = (slug: Slug, name: string): AppError =>
  new AppError('not_found', `There is no drawing "${name}" of the own brand "${slug}" that was put.`);

export const noSuchBrand = (slug: Slug): AppError =>
  new AppError('not_found', `There is no own brand "${slug}". PUT /v1/brands/${slug} makes one.`);

function rejectedDrawing(drawing: Extract<SanitizedDrawing, { ok: false }> | undefined): AppError {
  const { reason = 'undrawable', message = 'nothing of it can be drawn' } = drawing ?? {};
  return new AppError('unprocessable', `This drawing cannot be taken: ${message} (${reason}).`);
}

function existing(index: OwnIndex, slug: Slug, precondition: Precondition): OwnBrand {
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

/** Of one brand; nothing when it stays the same object. */
function editOf(before: OwnBrand | undefined, brand: OwnBrand, parts: EditParts): Edit<BrandChange> {
  const { facts, texts = [], isNew = before === undefined } = parts;
  if (brand === before) return { brands: new Map(), texts: [], facts: [], result: { brand, isNew: false } };
  return { brands: new Map([[brand.slug, brand]]), texts, facts, result: { brand, isNew } };
}

type TakenDrawing = Extract<SanitizedDrawing, { ok: true }>;

interface Drawn {
  readonly brand: OwnBrand;
  /** By variant. */
  readonly drawings: ReadonlyMap<string, TakenDrawing>;
  readonly time: EditTime;
}

/** The brand with these drawings, and the texts to be stored; the same brand when it has equal ones. */
async function withDrawings(
  parts: Pick<ChangeParts, 'ownBrandTexts'>,
  accountId: AccountId,
  { brand: before, drawings, time }: Drawn,
): Promise<{ readonly brand: OwnBrand; readonly texts: readonly OwnBrandText[] }> {
  const contentOf = (name: string, { candidates }: TakenDrawing): string =>
    candidates.find((candidate) => candidate.name === name)?.etag ?? '';
  const changed = [...drawings].filter(([name, one]) => before.uploads[name]?.content !== contentOf(name, one));
  if (changed.length === 0) return { brand: before, texts: [] };
  const uploads = new Map<string, UploadedVariants>(await readUploads(parts, accountId, before));
  const texts: OwnBrandText[] = [];
  let brand = before;
  for (const [name, drawing] of changed.sort(([a], [b]) => Number(b === 'default') - Number(a === 'default'))) {
    const own = uploadedVariants(name, drawing.candidates, randomBytes(16).toString('hex'));
    if (!own) throw rejectedDrawing(undefined);
    uploads.set(name, own.variants);
    const drawn = [...own.ids].flatMap(([etag, id]) => {
      const text = drawing.texts.get(etag);
      return text === undefined ? [] : [{ id, text }];
    });
    const id = randomBase62(TEXT_ID_LENGTH);
    const upload: Upload = { id, texts: drawn.map((text) => text.id), content: contentOf(name, drawing) };
    texts.push(...drawn, { id, text: JSON.stringify(own.variants) });
    brand = withUpload(brand, { name, upload, uploads }, time);
  }
  return { brand, texts };
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

async function takeFromLimits(rateLimits: AccountContext['rateLimits'], accountId: AccountId): Promise<void> {
  const rules = [
    { limit: CHANGES_A_MINUTE, windowMs: MINUTE_MS },
    { limit: CHANGES_A_DAY, windowMs: DAY_MS },
  ];
  const message = `Own brands are changed at most ${CHANGES_A_MINUTE} times a minute, and ${CHANGES_A_DAY} times a day.`;
  await consume(rateLimits, [{ key: `own-brands:${accountId}`, rules }], message);
}
