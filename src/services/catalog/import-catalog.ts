// Catalog import: sources are read, their drawings sanitized, and the merged catalog published in one step.
import type { Candidate } from '../../domain/catalog/candidate.js';
import { nameKey, variantNameOf } from '../../domain/catalog/names.js';
import { decideLicense, type CatalogPolicy } from '../../domain/catalog/import-policy.js';
import { AppError } from '../../errors.js';
import type { IconSource, OfferedSource, RemovedSource, SourceIcon, SourceItem } from '../../ports/catalog-sources.js';
import type { SetIcon } from '../../domain/catalog/set-icon.js';
import type { CatalogSource, CatalogState, CatalogStore, ImportSession } from '../../ports/catalog-store.js';
import type { Sanitizer } from '../../ports/sanitizer.js';
import type { Doubt } from '../../domain/catalog/consistency.js';
import type { Placement } from '../../domain/catalog/placements.js';
import { mergeCatalog } from './publish.js';
import type { ImportProgress } from './import-progress.js';
import { isUsableKey, orSkip, type Skip, type SkippedIcon } from './import-skips.js';
import { reusingOutcomes } from './known-drawings.js';
import { sanitizeIcons } from './sanitize-icons.js';

export type { ImportProgress } from './import-progress.js';

export interface ImportSummary {
  /** Icons taken from the sources. */
  readonly imported: number;
  /** Icons that share an entry with others of their brand, those of earlier imports included. */
  readonly merged: number;
  readonly entries: number;
  readonly variants: number;
  readonly redirects: number;
  readonly doubts: readonly Doubt[];
  /** What became of each drawing of the operator's own sources. */
  readonly placements: readonly Placement[];
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

/** Drawings that a sanitizing process gets in one message. */
const BATCH_DRAWINGS = 64;
/** Batches under way at once: enough that no process is idle, few enough for little memory. */
const MAX_BATCHES = 6;

/**
 * Rejects with AppError: `unavailable` while another import is under way, `invalid_request` when a source to be removed
 * is not there.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportSummary> {
  const { sources, store, policy, now = () => new Date(), onProgress = () => undefined } = options;
  const startedMs = performance.now();
  const session = await store.beginImport();
  if (session === undefined) {
    onProgress({ phase: 'elsewhere' });
    throw new AppError('unavailable', 'Another import is under way.');
  }
  try {
    const skipped: SkippedIcon[] = [];
    const { imported, reported } = await readSources(sources, { ...options, session, skipped, onProgress, now });
    const merged = await mergeCatalog({
      session,
      policy,
      now: now(),
      reported,
      onProgress,
      onSkip: (icon) => skipped.push(icon),
    });
    return { imported, ...merged, skipped, tookMs: Math.round(performance.now() - startedMs) };
  } finally {
    await session.close();
  }
}

type ReadOptions = Omit<SourceImport, 'glyphs' | 'reported' | 'onRead'> & {
  readonly onProgress: (progress: ImportProgress) => void;
};

/** Of its own, so that what it keeps of the drawings is free before the merge, which takes the most memory. */
async function readSources(
  sources: ImportOptions['sources'],
  options: ReadOptions,
): Promise<{ readonly imported: number; readonly reported: ReadonlySet<string> }> {
  const { session, skipped } = options;
  const reported = new Set<string>();
  const run = { ...options, sanitizer: reusingOutcomes(options.sanitizer), glyphs: createGlyphNames(), reported };
  const sizeOfAll = Array.isArray(sources) ? totalSize(sources as readonly (OfferedSource | RemovedSource)[]) : 0;
  let imported = 0;
  let before = 0;
  for await (const source of sources) {
    if ('unreadable' in source) skipped.push(unreadable(source));
    else if ('removed' in source) await dropSource(session, source.removed);
    else {
      const { id, size } = source;
      const onRead = (done: number) =>
        options.onProgress({
          ...{ phase: 'read', source: id },
          ...{ done: before + Math.min(done, size), total: Math.max(sizeOfAll, before + size) },
        });
      imported += await importSource(source, { ...run, onRead });
      before += size;
    }
  }
  return { imported, reported };
}

/** Icons; sources that are opened one after the other are not known yet. */
function totalSize(sources: readonly (OfferedSource | RemovedSource)[]): number {
  return sources.reduce((sum, source) => sum + ('size' in source ? source.size : 0), 0);
}

function unreadable({ unreadable: path, message }: Extract<OfferedSource, { unreadable: string }>): SkippedIcon {
  return { source: path, key: path, reason: 'unreadable', message };
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
  readonly glyphs: GlyphNames;
  /** Ids of sources whose drawings the summary follows. */
  readonly reported: Set<string>;
  /** Called with the number of the source's icons that were read. */
  readonly onRead: (done: number) => void;
  readonly now: () => Date;
}

type GlyphNames = ReturnType<typeof createGlyphNames>;

/** Names of the glyphs of this import, which need no drawing in one color beside them. */
function createGlyphNames() {
  const names = new Set<string>();
  return {
    add(candidates: readonly Candidate[]): void {
      for (const { key, title } of candidates) names.add(nameKey(key)).add(nameKey(title));
    },
    has: (key: string, title: string): boolean =>
      names.has(nameKey(key)) || names.has(nameKey(key.replace(/-(?:icon|badge)$/, ''))) || names.has(nameKey(title)),
  };
}

/** The number of icons imported. */
async function importSource(source: IconSource, run: SourceImport): Promise<number> {
  const { session, skipped, policy, sanitizer, glyphs, onRead } = run;
  const { id, kind, prefix, version, iconSet } = source;
  const record: CatalogSource = {
    ...{ id, package: source.package, version, kind, prefix, importedAt: run.now().toISOString() },
    ...(iconSet && { iconSet }),
    ...(source.isOverride === true && { isOverride: true }),
  };
  await session.putSource(record);
  if (kind !== 'set' && !id.startsWith('package:')) run.reported.add(id);
  const hidden: SetIcon[] = [];
  const skip: Skip = (key, reason, message) => skipped.push({ source: id, key, reason, message });
  let imported = 0;
  const batches = createBatchRunner(id, async (icons) => {
    const { candidates, assets } = await sanitizeIcons(icons, {
      source,
      sanitizer,
      policy,
      skip,
      hasGlyph: glyphs.has,
    });
    if (kind === 'glyphs') glyphs.add(candidates);
    await session.putAssets(assets);
    await session.putCandidates(id, candidates);
    for (const candidate of candidates) {
      if (candidate.hidden === undefined) imported += 1;
      else if (candidate.setIcon) hidden.push(candidate.setIcon);
    }
  });

  const keys = new Set<string>();
  let batch: SourceIcon[] = [];
  let done = 0;
  let drawings = 0;
  for await (const item of source.items()) {
    done += 1;
    const icon = importableIcon(item, keys, { source, run, skip });
    if (icon !== undefined) {
      keys.add(icon.key);
      if (icon.drawings.length > 0) batch.push(icon);
      drawings += icon.drawings.length;
    }
    if (drawings >= BATCH_DRAWINGS) {
      drawings = 0;
      await batches.start(batch);
      batch = [];
      onRead(done);
    }
  }
  await batches.start(batch);
  await batches.end();
  if (iconSet && hidden.length > 0) await session.putSource({ ...record, iconSet: { ...iconSet, hidden } });
  onRead(source.size);
  return imported;
}

/** Runs at most `MAX_BATCHES` batches at once. Both methods reject when a batch has failed. */
function createBatchRunner(sourceId: string, work: (icons: readonly SourceIcon[]) => Promise<void>) {
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  const assertNoFailure = (): void => {
    if (failure === undefined) return;
    const message = `${sourceId} could not be imported: ${failure instanceof Error ? failure.message : 'unknown'}`;
    throw failure instanceof AppError
      ? new AppError(failure.code, message, { cause: failure })
      : new Error(message, { cause: failure });
  };
  return {
    /** Resolves when another batch may be started. */
    async start(icons: readonly SourceIcon[]): Promise<void> {
      const running: Promise<void> = work(icons)
        .catch((error: unknown) => (failure ??= error))
        .then(() => void underWay.delete(running));
      underWay.add(running);
      if (underWay.size >= MAX_BATCHES) await Promise.race(underWay);
      assertNoFailure();
    },
    async end(): Promise<void> {
      await Promise.all(underWay);
      assertNoFailure();
    },
  };
}

/** Undefined when it is skipped. `keys`: of the source's icons so far. */
function importableIcon(
  item: SourceItem,
  keys: ReadonlySet<string>,
  { source, run, skip }: IconCheck,
): SourceIcon | undefined {
  if (item.kind === 'skipped') {
    skip(item.key, item.reason, item.message);
    return undefined;
  }
  const { icon } = item;
  if (!isUsableKey(icon.key)) {
    skip(icon.key, 'bad-name', 'its key is empty, too long, or has control characters');
    return undefined;
  }
  if (keys.has(icon.key)) {
    skip(icon.key, 'duplicate', 'the source has this key twice');
    return undefined;
  }
  return orSkip(
    () => {
      const decision = decideLicense(run.policy, icon.license);
      if (decision.allowed && icon.hidden) skip(icon.key, 'hidden', 'the set has withdrawn it');
      if (decision.allowed) return withSafeNames(icon, skip);
      run.skipped.push(withoutLicense(source.id, icon.key, decision));
      return undefined;
    },
    (message) => skip(icon.key, 'failed', message),
  );
}

function withoutLicense(
  source: string,
  key: string,
  { type, because }: { type: string; because: string },
): SkippedIcon {
  return { source, key, reason: 'license', message: `${type}: ${because}`, license: { type, because } };
}

/** Variant names become parts of addresses and headers, so none is taken as its source wrote it. */
function withSafeNames(icon: SourceIcon, skip: Skip): SourceIcon {
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

interface IconCheck {
  readonly source: IconSource;
  readonly run: SourceImport;
  readonly skip: Skip;
}
