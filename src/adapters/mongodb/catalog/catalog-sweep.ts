// Sweep of documents that neither the published catalog nor the one before it uses: old generations, and what an import
// left that was not published.
import type { Collection, Filter } from 'mongodb';
import type { CandidateDocument, CatalogCollections } from './collections.js';
import { readPages } from './pages.js';

const PAGE_ROWS = 1000;

export interface Sweep {
  /** Generations that readers have. */
  readonly kept: readonly number[];
  /**
   * The first generation that is not swept. Nothing of a later import is touched, so that a sweep that was paused while
   * its lease lapsed does no harm when it goes on.
   */
  readonly below: number;
  /** Called before each step; ends the sweep by throwing. */
  readonly assertHeld: () => void;
}

export async function sweepCatalog(collections: CatalogCollections, sweep: Sweep): Promise<void> {
  const { slugs, sources } = collections;
  for (const [from, to] of gapsBetween(sweep)) {
    const slug = '';
    await deleteRange(slugs, { $gte: { generation: from, slug }, $lt: { generation: to, slug } }, sweep);
    const id = '';
    await deleteRange(sources, { $gte: { generation: from, id }, $lt: { generation: to, id } }, sweep);
  }
  await sweepCandidates(collections, sweep);
  await sweepDrawings(collections, sweep);
}

/** Ranges of the generations that are not kept: from the first to before the second. */
function gapsBetween({ kept, below }: Sweep): readonly (readonly [from: number, to: number])[] {
  const borders = kept.filter((generation) => generation < below).sort((a, b) => a - b);
  return [-1, ...borders].map((generation, at) => [generation + 1, borders[at] ?? below] as const);
}

interface Range<Id> {
  readonly $gte: Id;
  readonly $lt: Id;
}

/** A page at a time, so that no operation takes long. */
async function deleteRange<Id extends object, Document extends { readonly _id: Id }>(
  collection: Collection<Document>,
  range: Range<Id>,
  { assertHeld }: Sweep,
): Promise<void> {
  const within = (ids: object) => ({ _id: ids }) as Filter<Document>;
  for (;;) {
    assertHeld();
    const page = await collection
      .find(within(range), { projection: { _id: 1 }, sort: { _id: 1 }, limit: PAGE_ROWS })
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return;
    await collection.deleteMany(within({ $gte: range.$gte, $lte: last._id }));
    if (page.length < PAGE_ROWS) return;
  }
}

/** Candidates of sources that no document names any more. */
async function sweepCandidates({ sources, candidates }: CatalogCollections, sweep: Sweep): Promise<void> {
  const named = new Set<string>();
  for await (const { _id, given } of sources.find({}, { projection: { given: 1 } })) named.add(`${given} ${_id.id}`);
  for (let from: CandidateDocument['_id'] = { given: 0, source: '', key: '' }; ;) {
    const first = await candidates.findOne(
      { _id: { $gte: from, $lt: { given: sweep.below, source: '', key: '' } } },
      { projection: { _id: 1 }, sort: { _id: 1 } },
    );
    if (first === null) return;
    const { given, source } = first._id;
    const range = candidatesOf(given, source);
    if (!named.has(`${given} ${source}`)) await deleteRange(candidates, range, sweep);
    from = range.$lt;
  }
}

/** The ids of one source's candidates. */
export function candidatesOf(given: number, source: string): Range<CandidateDocument['_id']> {
  // The next string there is.
  return { $gte: { given, source, key: '' }, $lt: { given, source: `${source}\0`, key: '' } };
}

/** Drawings that no candidate uses. */
async function sweepDrawings(
  { drawings, candidates }: CatalogCollections,
  { below, assertHeld }: Sweep,
): Promise<void> {
  const swept = { generation: { $lt: below } };
  const read = (after: string | undefined) =>
    drawings
      .find(after === undefined ? {} : { _id: { $gt: after } }, {
        projection: { _id: 1 },
        sort: { _id: 1 },
        limit: PAGE_ROWS,
      })
      .toArray();
  for await (const page of readPages({ read, pageRows: PAGE_ROWS })) {
    assertHeld();
    const etags = page.map(({ _id }) => _id);
    const used = new Set<string>();
    for await (const candidate of candidates.find({ etags: { $in: etags } }, { projection: { _id: 0, etags: 1 } }))
      for (const etag of candidate.etags) used.add(etag);
    const unused = etags.filter((etag) => !used.has(etag));
    // An import that has put one of them since then has raised its generation.
    if (unused.length > 0) await drawings.deleteMany({ ...swept, _id: { $in: unused } });
  }
}
