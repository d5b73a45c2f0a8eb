// Catalog import. It reads the sources, sanitizes their drawings, and publishes the merged catalog in one step.
import { nameKey } from '../names.js';
import { decideLicense, policyDigest, type CatalogPolicy } from './import-policy.js';
import { AppError } from '../../platform/errors.js';
import type { IconSource, ImportedSource, MergedSources, PreparedSources } from './catalog-sources.js';
import type { Candidate } from './candidate.js';
import type { SetIcon } from '../set-icon.js';
import type { CatalogSource, CatalogStore, ImportSession } from '../catalog-store.js';
import type { Sanitizer } from '../sanitizer.js';
import { mergeCatalog, publishMerged, type MergeResult } from './publish.js';
import type { ImportProgress } from './import-progress.js';
import { earlierDrawings, type EarlierDrawings } from './earlier-drawings.js';
import { importableIcon, withoutLicense } from './importable-icons.js';
import type { Skip, SkippedIcon } from './import-skips.js';
import { reusingOutcomes } from './known-drawings.js';
import { sanitizeIcons, type LicensedIcon } from './sanitize-icons.js';

export interface ImportSummary extends MergeResult {
  /** Number of icons that the sources provided. */
  readonly imported: number;
  readonly skipped: readonly SkippedIcon[];
  readonly tookMs: number;
}

export interface ImportOptions {
  /** Sources to import. They are opened one after the other, so that only one source is in memory. */
  readonly sources: Iterable<ImportedSource> | AsyncIterable<ImportedSource>;
  readonly store: CatalogStore;
  readonly sanitizer: Sanitizer;
  readonly policy: CatalogPolicy;
  /** If true, removes icons that newer packages have dropped. Otherwise they stay as `retired` entries. */
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly now?: () => Date;
}

/** Number of drawings in one message to a sanitizing process. */
const BATCH_DRAWINGS = 64;
/** Maximum number of batches that run at once. Six are enough to keep all processes busy, and need little memory. */
const MAX_BATCHES = 6;

/**
 * Imports the sources. Rejects with AppError `unavailable` while another import runs. Rejects with `invalid_request` if
 * a source to remove does not exist.
 */
export async function importCatalog(options: ImportOptions): Promise<ImportSummary> {
  const { sources, store, policy, now = () => new Date(), onProgress = () => undefined } = options;
  const { prune = false, dryRun = false } = options;
  const startedMs = performance.now();
  const session = await store.beginImport();
  if (session === undefined) {
    onProgress({ phase: 'elsewhere' });
    throw new AppError('unavailable', 'Another import is running. Wait until it has finished.');
  }
  try {
    const skipped: SkippedIcon[] = [];
    const known = await mergedBefore(options);
    const { imported, reported } = await readSources(sources, { ...options, prune, session, skipped, onProgress, now });
    const onSkip = (icon: SkippedIcon): unknown => skipped.push(icon);
    const merge = { session, policy, now: now(), reported, dryRun, onProgress, onSkip };
    const merged = known === undefined ? await mergeCatalog(merge) : await publishMerged(known, merge);
    return { imported, ...merged, skipped, tookMs: Math.round(performance.now() - startedMs) };
  } finally {
    await session.close();
  }
}

/**
 * Returns the merged entries of a bundled catalog, which save half of the time of an import. Returns undefined if there
 * are other sources, or if the entries were merged by another policy. Also returns undefined if a catalog is already
 * published, because its entries may be newer.
 */
async function mergedBefore({ sources, policy, store }: ImportOptions): Promise<MergedSources | undefined> {
  const [only, ...others] = Array.isArray(sources) ? (sources as readonly ImportedSource[]) : [];
  if (only === undefined || others.length > 0 || !('prepared' in only)) return undefined;
  const isSame = only.merged?.policyDigest === policyDigest(policy) && (await store.state()) === undefined;
  return isSame ? only.merged : undefined;
}

/** State that all sources of one import share. */
interface Run {
  readonly session: ImportSession;
  readonly sanitizer: Sanitizer;
  readonly policy: CatalogPolicy;
  readonly prune: boolean;
  readonly skipped: SkippedIcon[];
  /**
   * Keys and titles of the glyphs (one-color icons) imported so far, each normalized by `nameKey`. The import derives
   * no one-color drawing for a brand with a glyph. Brands with overrides for light or dark pages are omitted, because
   * the overrides may need the derived drawing.
   */
  readonly glyphs: Set<string>;
  readonly now: () => Date;
}

/**
 * Reads the sources. This is a separate function, so that its cached drawings are freed before the merge, which needs
 * the most memory.
 */
async function readSources(
  sources: ImportOptions['sources'],
  { onProgress, sanitizer, ...rest }: Omit<Run, 'glyphs'> & Required<Pick<ImportOptions, 'onProgress'>>,
): Promise<{ readonly imported: number; readonly reported: ReadonlySet<string> }> {
  const run: Run = { ...rest, sanitizer: reusingOutcomes(sanitizer), glyphs: new Set() };
  const reported = new Set<string>();
  // If `sources` is not an array, the size of a source is known only when it is opened.
  const known = Array.isArray(sources) ? (sources as readonly ImportedSource[]) : [];
  const sizeOfAll = known.reduce((sum, source) => sum + ('size' in source ? source.size : 0), 0);
  let imported = 0;
  let before = 0;
  for await (const source of sources) {
    if ('unreadable' in source) {
      const { unreadable: path, message } = source;
      run.skipped.push({ source: path, key: path, reason: 'unreadable', message });
    } else if ('removed' in source) await dropSource(run.session, source.removed);
    else if ('retired' in source) await retireSource(source.retired, run);
    else {
      const { size } = source;
      const isPrepared = 'prepared' in source;
      const name = isPrepared ? 'the bundled catalog' : source.id;
      const onRead = (read: number): void => {
        const done = before + Math.min(read, size);
        onProgress({ phase: 'read', source: name, done, total: Math.max(sizeOfAll, before + size) });
      };
      imported += await (isPrepared ? putPrepared(source, run, onRead) : importSource(source, run, onRead));
      before += size;
      if (!isPrepared && source.kind !== 'set' && !name.startsWith('package:')) reported.add(name);
    }
  }
  return { imported, reported };
}

async function dropSource(session: ImportSession, id: string): Promise<void> {
  if (await session.dropSource(id)) return;
  const ids = (await session.sources()).map((source) => source.id);
  throw new AppError(
    'invalid_request',
    `There is no source "${id}" in the catalog. Sources: ${ids.join(', ') || 'none'}.`,
  );
}

/**
 * Marks a source as retired. Its entries stay available under their slugs, but lists and searches omit them. If `prune`
 * is true, removes the source instead. Throws AppError `invalid_request` if there is no such source.
 */
async function retireSource(id: string, { session, prune }: Run): Promise<void> {
  const source = (await session.sources()).find((one) => one.id === id);
  if (prune || source === undefined) return dropSource(session, id);
  const kept: Candidate[] = [];
  for await (const candidate of session.candidates(id))
    kept.push(candidate.hidden ? candidate : { ...candidate, retired: candidate.retired ?? source.version });
  await session.putSource(source);
  await session.putCandidates(id, kept);
}

/**
 * Imports prepared sources, and returns the number of icons. Omits icons with licenses that the operator's policy does
 * not allow.
 */
async function putPrepared(sources: PreparedSources, run: Run, onRead: (done: number) => void): Promise<number> {
  const { session, policy, skipped } = run;
  const earlier = new Map<string, readonly Candidate[]>();
  for (const source of sources.prepared) {
    earlier.set(source.id, retiredCandidates(await publishedCandidates(source.id, session), run));
    await session.putSource(source);
  }
  const offered = new Set<string>();
  for (const some of sources.drawings()) await session.putDrawings(some);
  let [imported, done] = [0, 0];
  for (const [source, some] of sources.candidates()) {
    for (const { key } of some) offered.add(`${source} ${key}`);
    const allowed = some.flatMap((candidate) => {
      const decision = decideLicense(policy, candidate.license);
      if (decision.allowed) return { ...candidate, license: decision.license };
      skipped.push(withoutLicense(source, candidate.key, decision));
      return [];
    });
    await session.putCandidates(source, allowed);
    imported += allowed.filter(({ hidden }) => hidden === undefined).length;
    onRead((done += some.length));
  }
  for (const [source, some] of earlier)
    await session.putCandidates(
      source,
      some.filter(({ key }) => !offered.has(`${source} ${key}`)),
    );
  return imported;
}

/**
 * Imports a source, and returns the number of imported icons. `onRead` is called with the number of icons read so far.
 */
async function importSource(source: IconSource, run: Run, onRead: (done: number) => void): Promise<number> {
  const { session, sanitizer, glyphs, policy } = run;
  const painted = new Set(Object.keys(policy.overrides.pages).map(nameKey));
  const { id, kind, prefix, version, iconSet, notice, isOverride } = source;
  const record: CatalogSource = {
    ...{ id, package: source.package, version, kind, prefix, importedAt: run.now().toISOString() },
    ...(iconSet && { iconSet }),
    ...(notice && { notice }),
    ...(isOverride === true && { isOverride }),
  };
  const before = await publishedCandidates(id, session);
  const earlier = earlierDrawings(before.candidates);
  await session.putSource(record);
  const skip = skipOf(id, run, earlier);
  const hidden: SetIcon[] = [];
  let imported = 0;
  const batches = createBatchRunner(id, async (icons) => {
    const { candidates, drawings } = await sanitizeIcons(icons, { source, sanitizer, skip, glyphs });
    if (kind === 'glyphs')
      for (const { key, title } of candidates)
        if (!painted.has(nameKey(key))) glyphs.add(nameKey(key)).add(nameKey(title));
    await session.putDrawings(drawings);
    await session.putCandidates(id, earlier.addTo(candidates, icons));
    for (const candidate of candidates) {
      if (candidate.hidden === undefined) imported += 1;
      else if (candidate.setIcon) hidden.push(candidate.setIcon);
    }
  });

  const keys = new Set<string>();
  const offered = new Set<string>();
  let batch: LicensedIcon[] = [];
  let done = 0;
  let drawings = 0;
  for await (const item of source.items()) {
    done += 1;
    offered.add(item.kind === 'skipped' ? item.key : item.icon.key);
    const icon = importableIcon(item, keys, { id, policy, skipped: run.skipped, skip });
    if (icon !== undefined) {
      keys.add(icon.key);
      if (icon.drawings.length > 0) batch.push(icon);
      drawings += icon.drawings.length;
    }
    if (drawings >= BATCH_DRAWINGS) {
      await batches.start(batch);
      [batch, drawings] = [[], 0];
      onRead(done);
    }
  }
  await batches.start(batch);
  await batches.end();
  // Retires only icons that the source no longer contains. An icon that the source still contains is not retired, even
  // if it is skipped because of its new license.
  await session.putCandidates(
    id,
    retiredCandidates(before, run).filter(({ key }) => !offered.has(key)),
  );
  if (iconSet && hidden.length > 0) await session.putSource({ ...record, iconSet: { ...iconSet, hidden } });
  onRead(source.size);
  return imported;
}

function skipOf(source: string, { skipped }: Run, earlier: EarlierDrawings): Skip {
  return (key, reason, message, drawing) => {
    const { element, line } = drawing?.rejected ?? {};
    skipped.push({
      ...{ source, key, reason, message },
      ...(element !== undefined && { element }),
      ...(line !== undefined && { line }),
      ...(drawing && earlier.reject(drawing.icon, drawing.variant) && { kept: true }),
    });
  };
}

interface PublishedSource {
  readonly id: string;
  readonly version: string;
  /** Published candidates, except hidden ones. */
  readonly candidates: readonly Candidate[];
}

async function publishedCandidates(id: string, session: ImportSession): Promise<PublishedSource> {
  const source = (await session.sources()).find((one) => one.id === id);
  const candidates: Candidate[] = [];
  if (source) for await (const one of session.candidates(id)) if (one.hidden === undefined) candidates.push(one);
  return { id, version: source?.version ?? '', candidates };
}

/**
 * Returns the published candidates of a package, each with the last package version that contained it. The caller omits
 * candidates that the new version still contains. Returns an empty list if `prune` is true, or if the source is not a
 * package.
 */
function retiredCandidates({ id, version, candidates }: PublishedSource, { prune }: Run): readonly Candidate[] {
  if (prune || !id.startsWith('package:')) return [];
  return candidates.map((candidate) => ({ ...candidate, retired: candidate.retired ?? version }));
}

/** Runs at most `MAX_BATCHES` batches at once. Both methods reject if a batch has failed. */
function createBatchRunner(sourceId: string, work: (icons: readonly LicensedIcon[]) => Promise<void>) {
  /**
   * Batches that are running or have failed. Failed batches stay in the set, because `Promise.race` and `Promise.all`
   * must reject with their errors.
   */
  const underWay = new Set<Promise<unknown>>();
  const failed = (error: unknown): never => {
    const message = `${sourceId} could not be imported: ${error instanceof Error ? error.message : 'unknown'}`;
    throw error instanceof AppError
      ? new AppError(error.code, message, { cause: error })
      : new Error(message, { cause: error });
  };
  return {
    /** Resolves when the next batch may start. */
    async start(icons: readonly LicensedIcon[]): Promise<void> {
      const running: Promise<unknown> = work(icons).then(() => underWay.delete(running), failed);
      // The error is thrown later, by `Promise.race` or `Promise.all`. This handler prevents an unhandled rejection
      // until then.
      running.catch(() => undefined);
      underWay.add(running);
      if (underWay.size >= MAX_BATCHES) await Promise.race(underWay);
    },
    end: (): Promise<unknown> => Promise.all(underWay),
  };
}
