// Copy of a catalog from one store to another, and comparison of both catalogs. The copy is an import without the
// sanitizer.
import { etagsOf, type Candidate } from '../catalog/import/candidate.js';
import type { Entry } from '../catalog/entry.js';
import { AppError } from '../platform/errors.js';
import type { CatalogStore, ImportSession } from '../catalog/catalog-store.js';
import { comparisonOf, rowsDigest, type Comparison, type OnProgress } from './copy-tables.js';

/**
 * Number of candidates that are copied at once. A candidate is an icon of one source, before it is merged with others.
 */
const BATCH = 200;

/**
 * Replaces the catalog of `to` with the catalog of `from` in one step. Rejects with AppError `unavailable` while an
 * import runs.
 */
export async function copyCatalog(from: CatalogStore, to: CatalogStore, onProgress: OnProgress): Promise<void> {
  const state = await from.state();
  if (state === undefined) return;
  const [read, session] = [await begin(from), await begin(to)];
  try {
    const kept = new Set((await from.sources()).map(({ id }) => id));
    for (const { id } of await session.sources()) if (!kept.has(id)) await session.dropSource(id);
    await copyCandidates({ from, read, session }, onProgress);
    const withdrawals = await from.withdrawals();
    const redirects = await from.redirects();
    await session.publish({ entries: allEntries(from), redirects, withdrawals }, new Date(state.publishedAt));
  } finally {
    await session.close();
    await read.close();
  }
}

async function begin(store: CatalogStore): Promise<ImportSession> {
  const session = await store.beginImport();
  if (!session) throw new AppError('unavailable', 'A catalog import is running. Try again when it has finished.');
  return session;
}

interface Copying {
  readonly from: CatalogStore;
  readonly read: ImportSession;
  readonly session: ImportSession;
}

async function copyCandidates({ from, read, session }: Copying, onProgress: OnProgress): Promise<void> {
  let done = 0;
  const sources = await from.sources();
  const copy = async (sourceId: string, candidates: readonly Candidate[]): Promise<void> => {
    const etags = [...new Set(candidates.flatMap(etagsOf))];
    const texts = await Promise.all(etags.map(async (etag) => ({ etag, svg: await from.drawing(etag) })));
    await session.putDrawings(texts.flatMap(({ etag, svg }) => (svg === undefined ? [] : [{ etag, svg }])));
    await session.putCandidates(sourceId, candidates);
    done += candidates.length;
    onProgress({ what: 'catalog icons', done, total: done });
  };
  for (const source of sources) {
    await session.putSource(source);
    let batch: Candidate[] = [];
    for await (const candidate of read.candidates(source.id)) {
      batch.push(candidate);
      if (batch.length < BATCH) continue;
      await copy(source.id, batch);
      batch = [];
    }
    await copy(source.id, batch);
  }
}

async function* allEntries(store: CatalogStore): AsyncIterable<Entry> {
  yield* store.entries();
  const hidden = new Map((await store.withdrawals()).flatMap(({ entry }) => (entry ? [[entry.slug, entry]] : [])));
  yield* hidden.values();
}

/** Compares the entries with their drawings, the redirects, the sources, and the withdrawn entries of both catalogs. */
export async function compareCatalogs(from: CatalogStore, to: CatalogStore): Promise<readonly Comparison[]> {
  const kinds: readonly (readonly [string, (store: CatalogStore) => AsyncIterable<readonly unknown[]>])[] = [
    ['entries', (store) => pages(store.entries())],
    ['drawings', drawingsOf],
    ['redirects', (store) => sorted(store.redirects())],
    ['sources', (store) => sorted(store.sources())],
    ['withdrawals', (store) => sorted(store.withdrawals())],
  ];
  const comparisons: Comparison[] = [];
  for (const [name, rowsOf] of kinds)
    comparisons.push(comparisonOf(name, await rowsDigest(rowsOf(from)), await rowsDigest(rowsOf(to))));
  return comparisons;
}

async function* pages(rows: AsyncIterable<unknown>): AsyncIterable<readonly unknown[]> {
  for await (const row of rows) yield [row];
}

async function* sorted(rows: Promise<readonly unknown[]>): AsyncIterable<readonly unknown[]> {
  yield await rows;
}

async function* drawingsOf(store: CatalogStore): AsyncIterable<readonly unknown[]> {
  for await (const { variants, setIcons = [] } of store.entries()) {
    const etags = [...variants.map(({ etag }) => etag), ...setIcons.flatMap(({ body }) => body ?? [])];
    for (const etag of etags) yield [[etag, (await store.drawing(etag)) ?? null]];
  }
}
