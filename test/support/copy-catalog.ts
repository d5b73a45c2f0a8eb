// Copies of a catalog between stores, without sanitizing anything again.
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import type { Candidate } from '../../src/domain/catalog/candidate.js';
import type { Slug } from '../../src/domain/catalog/entry.js';
import type { CatalogStore } from '../../src/ports/catalog-store.js';

const BATCH = 500;

interface Copied {
  readonly from: CatalogStore;
  /** Of the same store's database. */
  readonly folder: string;
}

/** Everything that an import of the sources would have put: entries, drawings, candidates, redirects. */
export async function copyCatalog({ from, folder }: Copied, to: CatalogStore): Promise<void> {
  const [read, session] = [await from.beginImport(), await to.beginImport()];
  if (!session || !read) throw new Error('another import is under way');
  const drawings: { readonly etag: string; readonly svg: string }[] = [];
  for await (const { variants, setIcons = [] } of from.entries()) {
    const etags = [...variants.map(({ etag }) => etag), ...setIcons.flatMap(({ body }) => body ?? [])];
    for (const etag of new Set(etags)) drawings.push({ etag, svg: (await from.drawing(etag)) ?? '' });
    if (drawings.length >= BATCH) await session.putDrawings(drawings.splice(0));
  }
  await session.putDrawings(drawings);
  for (const source of await from.sources()) {
    await session.putSource(source);
    const candidates: Candidate[] = [];
    for await (const candidate of read.candidates(source.id)) {
      candidates.push(candidate);
      if (candidates.length >= BATCH) await session.putCandidates(source.id, candidates.splice(0));
    }
    await session.putCandidates(source.id, candidates);
  }
  await session.publish({ entries: from.entries(), redirects: redirectsIn(folder) }, new Date());
  await Promise.all([session.close(), read.close()]);
}

/** The port has no list of them. */
function redirectsIn(folder: string): readonly (readonly [Slug, Slug])[] {
  const db = openDatabase(folder);
  const rows = db
    .prepare('SELECT slug, target FROM catalog_redirect WHERE generation = (SELECT content FROM catalog_state)')
    .all() as { readonly slug: Slug; readonly target: Slug }[];
  db.close();
  return rows.map(({ slug, target }) => [slug, target]);
}
