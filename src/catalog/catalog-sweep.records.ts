// Sweep of unused rows: rows of catalogs older than the previous one, and rows of imports that were never published.
import type { CatalogRows, IdRange } from './catalog-rows.js';
import {
  candidatesOf,
  drawingId,
  entriesOf,
  drawingGroupOf,
  PAGE_ROWS,
  pagesOf,
  rangeOf,
  redirectsOf,
  sourceRow,
  sourcesOf,
  usesOf,
} from './row-ids.records.js';

interface Sweep {
  /** Numbers of the imports whose rows stay: the published and the previous import. */
  readonly kept: readonly number[];
  /** Number of an import. Its rows, and the rows of later imports, are never removed. */
  readonly below: number;
  /** Called before each step. Throws if the import lock is lost, because the sweep must then end. */
  readonly assertHeld: () => void;
}

const DRAWINGS = rangeOf('drawing/');

/** Removes unused rows. The caller must hold the import lock, because rows of a running import look unused. */
export async function sweepCatalog(rows: CatalogRows, sweep: Sweep): Promise<void> {
  const kept = await keptGroups(rows, sweep.kept);
  for (const kind of ['candidate/', 'entry/', 'redirect/', 'source/', 'use/'])
    for (let { after, before } = rangeOf(kind); ;) {
      sweep.assertHeld();
      const [first] = await rows.ids({ after, before }, 1);
      if (first === undefined) break;
      const group = rangeOf(drawingGroupOf(first));
      if (!kept.has(group.after)) await removeUnless(rows, group, () => false, sweep);
      after = group.before;
    }
  const used = new Set<string>();
  for await (const page of pagesOf(rows, 'use/', sweep.assertHeld))
    for (const { text } of page) for (const etag of text.split(' ')) used.add(drawingId(etag));
  await removeUnless(rows, DRAWINGS, (id) => used.has(id), sweep);
}

/** Returns the id prefixes of the rows to keep: the rows of these imports, and the candidates of their sources. */
async function keptGroups(rows: CatalogRows, generations: readonly number[]): Promise<ReadonlySet<string>> {
  const kept = new Set<string>();
  for (const generation of generations) {
    kept.add(entriesOf(generation)).add(redirectsOf(generation)).add(sourcesOf(generation));
    for await (const page of pagesOf(rows, sourcesOf(generation)))
      for (const { given, source } of page.map(sourceRow))
        kept.add(candidatesOf(given, source.id)).add(usesOf(given, source.id));
  }
  return kept;
}

/** Removes the rows of a range for which `isUsed` returns false, in batches. */
async function removeUnless(
  rows: CatalogRows,
  { after: first, before }: IdRange,
  isUsed: (id: string) => boolean,
  { below, assertHeld }: Sweep,
): Promise<void> {
  for (let after = first; ;) {
    assertHeld();
    const ids = await rows.ids({ after, before }, PAGE_ROWS);
    const unused = ids.filter((id) => !isUsed(id));
    if (unused.length > 0) await rows.remove(unused, below);
    const last = ids.at(-1);
    if (last === undefined || ids.length < PAGE_ROWS) return;
    after = last;
  }
}
