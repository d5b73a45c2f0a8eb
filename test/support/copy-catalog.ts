// Copies of a catalog between stores, whole or in part, without sanitizing anything again.
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { assetsOf, type Candidate } from '../../src/domain/catalog/candidate.js';
import type { Entry, Slug } from '../../src/domain/catalog/entry.js';
import type { CatalogStore } from '../../src/ports/catalog-store.js';

const BATCH = 500;

interface Copied {
  readonly from: CatalogStore;
  /** Of the same store's database. */
  readonly folder: string;
  /** All, unless it says otherwise. */
  readonly isKept?: (slug: Slug, at: number) => boolean;
}

/** Everything that an import of the sources would have put: entries, drawings, candidates, redirects. */
export async function copyCatalog({ from, folder, isKept }: Copied, to: CatalogStore): Promise<void> {
  const [read, session] = [await from.beginImport(), await to.beginImport()];
  if (!session || !read) throw new Error('another import is under way');
  const slugs = new Set<string>();
  const etags = new Set<string>();
  const assets: { readonly etag: string; readonly svg: string }[] = [];
  let at = 0;
  for await (const { slug, variants } of from.entries()) {
    if (isKept && !isKept(slug, at++)) continue;
    slugs.add(slug);
    for (const { etag } of variants) {
      etags.add(etag);
      assets.push({ etag, svg: (await from.asset(etag)) ?? '' });
    }
    if (assets.length >= BATCH) await session.putAssets(assets.splice(0));
  }
  await session.putAssets(assets);
  for (const source of await from.sources()) {
    await session.putSource(source);
    const candidates: Candidate[] = [];
    for await (const candidate of read.candidates(source.id)) {
      if (isKept && !assetsOf(candidate).some((etag) => etags.has(etag))) continue;
      candidates.push(candidate);
      if (candidates.length >= BATCH) await session.putCandidates(source.id, candidates.splice(0));
    }
    await session.putCandidates(source.id, candidates);
  }
  const redirects = redirectsIn(folder).filter(([, target]) => slugs.has(target));
  await session.publish({ entries: kept(from.entries(), slugs), redirects }, new Date());
  await Promise.all([session.close(), read.close()]);
}

async function* kept(entries: AsyncIterable<Entry>, slugs: ReadonlySet<string>): AsyncIterable<Entry> {
  for await (const entry of entries) if (slugs.has(entry.slug)) yield entry;
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
