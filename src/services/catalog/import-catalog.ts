// Reads sources, sanitises their drawings, and publishes the merged catalog in one step.
import type { Candidate } from '../../domain/catalog/candidate.js';
import { brandHex, glyphPaint, repaint, variantOf, type CleanDrawing } from '../../domain/catalog/drawing.js';
import type { Variant } from '../../domain/catalog/entry.js';
import { variantNameOf } from '../../domain/catalog/names.js';
import { decideLicense, type CatalogPolicy } from '../../domain/catalog/import-policy.js';
import { AppError } from '../../errors.js';
import type { IconSource, OfferedSource, RemovedSource, SourceIcon } from '../../ports/catalog-sources.js';
import type { Asset, CatalogState, CatalogStore, ImportSession } from '../../ports/catalog-store.js';
import type { SanitizeOutcome, Sanitizer } from '../../ports/sanitizer.js';
import { mergeCatalog } from './publish.js';
import type { ImportProgress } from './import-progress.js';
import { isUsableKey, orSkip, type SkippedIcon } from './import-skips.js';

export type { ImportProgress } from './import-progress.js';

export interface ImportSummary {
  /** Icons taken from the sources. */
  readonly imported: number;
  /** Icons that share an entry with others of their brand, those of earlier imports included. */
  readonly merged: number;
  readonly entries: number;
  readonly variants: number;
  readonly redirects: number;
  readonly skipped: readonly SkippedIcon[];
  readonly state: CatalogState;
  readonly tookMs: number;
}

export interface ImportOptions {
  /** Opened one after the other, so that only one has to be in memory. */
  readonly sources: Iterable<OfferedSource | RemovedSource> | AsyncIterable<OfferedSource | RemovedSource>;
  readonly store: CatalogStore;
  readonly sanitizer: Sanitizer;
  readonly policy: CatalogPolicy;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly now?: () => Date;
}

/** Drawings that go to a thread in one message. */
const BATCH_DRAWINGS = 64;
/** Batches under way at once: enough that no thread waits, few enough to stay small. */
const MAX_BATCHES = 6;

/**
 * Rejects with AppError: `unavailable` while another import is under way, `invalid_request` when a source to be removed
 * is not there.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportSummary> {
  const { sources, store, policy, now = () => new Date(), onProgress = () => undefined } = options;
  const startedMs = performance.now();
  const session = await store.beginImport();
  if (session === undefined) throw new AppError('unavailable', 'Another import is under way.');
  try {
    const skipped: SkippedIcon[] = [];
    let imported = 0;
    for await (const source of sources) {
      if ('unreadable' in source)
        skipped.push({
          source: source.unreadable,
          key: source.unreadable,
          reason: 'unreadable',
          message: source.message,
        });
      else if ('removed' in source) await dropSource(session, source.removed);
      else imported += await importSource(source, { ...options, session, skipped, onProgress, now });
    }
    const merged = await mergeCatalog({
      session,
      policy,
      now: now(),
      onProgress,
      onSkip: (icon) => skipped.push(icon),
    });
    return { imported, ...merged, skipped, tookMs: Math.round(performance.now() - startedMs) };
  } finally {
    await session.close();
  }
}

async function dropSource(session: ImportSession, id: string): Promise<void> {
  if (await session.dropSource(id)) return;
  const ids = (await session.sources()).map((source) => source.id);
  throw new AppError(
    'invalid_request',
    `There is no source "${id}" in the catalog; there ${ids.length === 1 ? 'is' : 'are'}: ${ids.join(', ') || 'none'}.`,
  );
}

interface SourceImport extends ImportOptions {
  readonly session: ImportSession;
  readonly skipped: SkippedIcon[];
  readonly onProgress: (progress: ImportProgress) => void;
  readonly now: () => Date;
}

async function importSource(source: IconSource, run: SourceImport): Promise<number> {
  const { session, skipped, policy, onProgress } = run;
  const { id, kind, prefix, version } = source;
  await session.putSource({ id, package: source.package, version, kind, prefix, importedAt: run.now().toISOString() });
  const keys = new Set<string>();
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  let imported = 0;
  let batch: SourceIcon[] = [];
  const skip = (key: string, reason: string, message: string) => skipped.push({ source: id, key, reason, message });

  const finish = async (icons: readonly SourceIcon[]) => {
    const { candidates, assets } = await sanitizeIcons(icons, { source, run, skip });
    await session.putAssets(assets);
    await session.putCandidates(id, candidates);
    imported += candidates.length;
  };
  const send = async () => {
    const icons = batch;
    batch = [];
    const work: Promise<void> = finish(icons)
      .catch((error: unknown) => (failure ??= error))
      .then(() => void underWay.delete(work));
    underWay.add(work);
    if (underWay.size >= MAX_BATCHES) await Promise.race(underWay);
    if (failure !== undefined) throw new Error(`${id} could not be imported`, { cause: failure });
  };

  let done = 0;
  let drawings = 0;
  for await (const item of source.items()) {
    done += 1;
    if (item.kind === 'skipped') skip(item.key, item.reason, item.message);
    else if (!isUsableKey(item.icon.key))
      skip(item.icon.key, 'bad-name', 'its key is empty, too long, or has control characters');
    else if (keys.has(item.icon.key)) skip(item.icon.key, 'duplicate', 'the source has this key twice');
    else {
      const { icon: given } = item;
      const icon = orSkip(
        () => {
          const decision = decideLicense(policy, given.license);
          if (decision.allowed) return withSafeNames(given, skip);
          skipped.push(withoutLicense(id, given.key, decision));
          return undefined;
        },
        (message) => skip(given.key, 'failed', message),
      );
      if (icon !== undefined) {
        keys.add(icon.key);
        if (icon.drawings.length > 0) batch.push(icon);
        drawings += icon.drawings.length;
      }
    }
    if (drawings >= BATCH_DRAWINGS) {
      drawings = 0;
      await send();
      onProgress({ phase: 'read', source: id, done, total: source.size });
    }
  }
  await send();
  await Promise.all(underWay);
  if (failure !== undefined) throw new Error(`${id} could not be imported`, { cause: failure });
  onProgress({ phase: 'read', source: id, done: source.size, total: source.size });
  return imported;
}

function withoutLicense(
  source: string,
  key: string,
  { type, because }: { type: string; because: string },
): SkippedIcon {
  return { source, key, reason: 'license', message: `${type}: ${because}`, license: { type, because } };
}

/** Variant names become parts of addresses and headers, so none is taken as its source wrote it. */
function withSafeNames(icon: SourceIcon, skip: IconBatch['skip']): SourceIcon {
  const drawings = new Map<string, SourceIcon['drawings'][number]>();
  for (const { name: given, svg } of icon.drawings) {
    const name = variantNameOf(given);
    if (name === undefined)
      skip(`${icon.key}/${given}`, 'bad-name', `the variant's name has no letter or digit of a-z and 0-9`);
    else if (drawings.has(name)) skip(`${icon.key}/${given}`, 'duplicate', `there is a variant ${name} already`);
    else drawings.set(name, { name, svg });
  }
  return { ...icon, drawings: [...drawings.values()] };
}

interface IconBatch {
  readonly source: IconSource;
  readonly run: SourceImport;
  readonly skip: (key: string, reason: string, message: string) => void;
}

async function sanitizeIcons(
  icons: readonly SourceIcon[],
  { source, run, skip }: IconBatch,
): Promise<{ candidates: Candidate[]; assets: Asset[] }> {
  const outcomes = await run.sanitizer.sanitize(icons.flatMap(({ drawings }) => drawings.map(({ svg }) => svg)));
  const candidates: Candidate[] = [];
  const assets = new Map<string, string>();
  let at = 0;
  for (const icon of icons) {
    const own = outcomes.slice(at, at + icon.drawings.length);
    at += icon.drawings.length;
    orSkip(
      () => {
        const variants = variantsOf(icon, own, { source, keep: ({ etag }, svg) => assets.set(etag, svg), skip });
        const decision = decideLicense(run.policy, icon.license);
        if (variants.length > 0 && decision.allowed)
          candidates.push({ ...factsOf(icon), license: decision.license, variants });
      },
      (message) => skip(icon.key, 'failed', message),
    );
  }
  return { candidates, assets: [...assets].map(([etag, svg]) => ({ etag, svg })) };
}

function factsOf({
  key,
  title,
  titleGuessed,
  aliases,
  categories,
  hex,
  website,
  origin,
  guidelines,
}: SourceIcon): Omit<Candidate, 'license' | 'variants'> {
  return {
    key,
    title,
    titleGuessed,
    aliases,
    categories,
    hex: hex === null ? null : (brandHex(hex) ?? null),
    website,
    origin,
    guidelines,
  };
}

interface Keeping {
  readonly source: IconSource;
  readonly keep: (variant: Variant, svg: string) => void;
  readonly skip: IconBatch['skip'];
}

/** Adds a black `mono` to what can be had in one color, and paints glyphs in the brand's. */
function variantsOf(
  icon: SourceIcon,
  outcomes: readonly SanitizeOutcome[],
  { source, keep, skip }: Keeping,
): Variant[] {
  const variants: Variant[] = [];
  const add = (name: string, drawing: CleanDrawing) => {
    if (variants.some((known) => known.name === name)) return;
    const variant = variantOf(name, drawing);
    keep(variant, drawing.svg);
    variants.push(variant);
  };
  const hex = icon.hex === null ? undefined : brandHex(icon.hex);
  const clean = new Map<string, CleanDrawing>();
  icon.drawings.forEach(({ name }, index) => {
    const outcome = outcomes[index];
    if (outcome?.ok === true) clean.set(name, outcome);
    else
      skip(
        icon.drawings.length === 1 ? icon.key : `${icon.key}/${name}`,
        outcome?.reason ?? 'undrawable',
        outcome?.message ?? 'no answer from the sanitiser',
      );
  });
  for (const [name, drawing] of clean) {
    if (name === 'mono' && drawing.recolorable) add(name, repaint(drawing, '#000000'));
    else if (source.kind === 'glyphs' && drawing.recolorable && hex !== undefined)
      add(name, repaint(drawing, glyphPaint(hex)));
    else add(name, drawing);
  }
  const glyph = clean.get('default');
  if (source.kind !== 'set' && glyph?.recolorable === true && !clean.has('mono'))
    add('mono', repaint(glyph, '#000000'));
  return variants;
}
