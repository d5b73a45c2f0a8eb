// Import session in MongoDB: writes the next generation's documents, then publishes it by changing the state.
import type { Entry } from '../../../domain/catalog/entry.js';
import { etagsOf, type Candidate } from '../../../domain/catalog/candidate.js';
import { digestOf } from '../../../domain/catalog/build-entry.js';
import type { CatalogSource, ImportSession } from '../../../ports/catalog-store.js';
import { orUnavailable } from '../driver-error.js';
import { putDrawings } from './drawings.js';
import { candidatesOf, sweepCatalog } from './catalog-sweep.js';
import { assertFits, type CandidateDocument, type CatalogCollections, type SourceDocument } from './collections.js';
import type { ImportLease } from './import-lease.js';
import { inChunks, readPages } from './pages.js';
import { publishGeneration, rollBack } from './publication.js';
import { entryPages } from './entry-pages.js';

const PAGE_ROWS = 500;
const CHUNK_ROWS = 1000;

/** One import under way. */
interface ImportContext {
  readonly collections: CatalogCollections;
  readonly lease: ImportLease;
  /** By source id: the generation whose import read its candidates. */
  readonly given: Map<string, number>;
}

/** The lease is released by the session's `close`, or by the caller when this rejects. */
export async function openImportSession(collections: CatalogCollections, lease: ImportLease): Promise<ImportSession> {
  const { generation, before, assertHeld } = lease;
  if (!before.swept)
    await sweepCatalog(collections, { kept: [before.content, before.previous], below: generation, assertHeld });
  const given = await copySources(collections, before.content, generation);
  return importSession({ collections, lease, given });
}

/** Takes over the published sources; which generation's import read each. */
async function copySources({ sources }: CatalogCollections, from: number, to: number): Promise<Map<string, number>> {
  const published = await readSources({ sources }, from);
  if (published.length > 0)
    await sources.insertMany(
      published.map(({ _id: { id }, given, body }) => ({ _id: { generation: to, id }, given, body })),
    );
  return new Map(published.map(({ _id: { id }, given }) => [id, given]));
}

export async function readSources(
  { sources }: Pick<CatalogCollections, 'sources'>,
  generation: number,
): Promise<readonly SourceDocument[]> {
  const id = '';
  return sources
    .find({ _id: { $gte: { generation, id }, $lt: { generation: generation + 1, id } } }, { sort: { _id: 1 } })
    .toArray();
}

function importSession(context: ImportContext): ImportSession {
  const { collections, lease, given } = context;
  const { generation, before } = lease;
  const { sources, candidates, drawings } = collections;
  /** The right to import is checked before each step. */
  const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    lease.assertHeld();
    return orUnavailable(work);
  };
  return {
    putDrawings: (texts) => step(() => putDrawings(drawings, texts, generation)),

    putSource: (source) =>
      step(async () => {
        const body = JSON.stringify(source);
        assertFits(body, `The source ${source.id}`);
        await sources.replaceOne({ _id: { generation, id: source.id } }, { given: generation, body }, { upsert: true });
        given.set(source.id, generation);
      }),

    dropSource: (id) =>
      step(async () => {
        const { deletedCount } = await sources.deleteOne({ _id: { generation, id } });
        given.delete(id);
        return deletedCount > 0;
      }),

    async putCandidates(sourceId, items) {
      for (const chunk of inChunks(items, CHUNK_ROWS)) {
        const documents = chunk.map((candidate) => candidateDocument(generation, sourceId, candidate));
        await step(() => candidates.insertMany(documents, { ordered: false }));
      }
    },

    sources: () =>
      step(async () =>
        (await readSources(collections, generation)).map(({ body }) => JSON.parse(body) as CatalogSource),
      ),

    candidates: (sourceId) => readCandidates(context, sourceId),
    revisions: () => readRevisions(context),

    publish: (publication, now) =>
      step(async () => {
        const state = await publishGeneration(collections, lease, publication, now);
        // Published by now, even if the sweep of what is no longer used fails: the next import begins with it.
        await sweepAfter(context).catch(() => undefined);
        return state;
      }),

    rollBack: (now) => step(() => rollBack(collections, lease, now)),
    close: () => lease.release(),
  };

  async function sweepAfter({ collections: swept }: ImportContext): Promise<void> {
    const { assertHeld } = lease;
    await sweepCatalog(swept, { kept: [generation, before.content], below: generation + 1, assertHeld });
    await lease.markSwept();
  }
}

function candidateDocument(given: number, source: string, candidate: Candidate): CandidateDocument {
  const body = JSON.stringify(candidate);
  assertFits(body, `The icon ${candidate.key} of ${source}`);
  return { _id: { given, source, key: candidate.key }, etags: etagsOf(candidate), body };
}

async function* readCandidates({ collections, lease, given }: ImportContext, source: string): AsyncIterable<Candidate> {
  const { $gte, $lt } = candidatesOf(given.get(source) ?? lease.generation, source);
  const read = (after: CandidateDocument['_id'] | undefined) => {
    lease.assertHeld();
    const ids = after === undefined ? { $gte, $lt } : { $gt: after, $lt };
    return orUnavailable(() =>
      collections.candidates
        .find({ _id: ids }, { projection: { body: 1 }, sort: { _id: 1 }, limit: PAGE_ROWS })
        .toArray(),
    );
  };
  for await (const page of readPages({ read, pageRows: PAGE_ROWS }))
    for (const { body } of page) yield JSON.parse(body) as Candidate;
}

async function* readRevisions({ collections, lease }: ImportContext): ReturnType<ImportSession['revisions']> {
  for await (const page of entryPages(collections, lease.before.content, PAGE_ROWS)) {
    lease.assertHeld();
    for (const { body } of page) {
      const entry = JSON.parse(body) as Entry;
      yield { slug: entry.slug, revision: entry.revision, digest: digestOf(entry), updatedAt: entry.updatedAt };
    }
  }
}
