// Sweep of rows that neither the published catalog nor the one before it uses: leftovers of a crashed import, and old
// generations.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, changes, firstRow } from '../sqlite/rows.js';
import { deleteInChunks, CHUNK_ROWS } from '../sqlite/chunked-writes.js';

/** Only under the import lock: rows of an import under way look unused. */
export async function sweepCatalog(
  db: Database,
  { content, previous }: { content: number; previous: number },
): Promise<void> {
  const remove = (sql: string) => {
    const statement = db.prepare(sql);
    return deleteInChunks(db, () => changes(statement, content, previous));
  };
  const some = `LIMIT ${CHUNK_ROWS}`;
  await remove(
    `DELETE FROM catalog_entry WHERE (generation, slug) IN (
     SELECT generation, slug FROM catalog_entry WHERE generation NOT IN (?, ?) ${some})`,
  );
  await remove(
    `DELETE FROM catalog_redirect WHERE (generation, slug) IN (
     SELECT generation, slug FROM catalog_redirect WHERE generation NOT IN (?, ?) ${some})`,
  );
  await remove('DELETE FROM catalog_source WHERE generation NOT IN (?, ?)');

  // The few sources whose rows no kept generation names; looked up once, because a drawing's uses are many.
  const kept = 'SELECT given, id FROM catalog_source';
  const dead = allRows(
    db.prepare(`SELECT DISTINCT given, source FROM catalog_candidate WHERE (given, source) NOT IN (${kept})`),
  );
  const someCandidates = db.prepare(
    `DELETE FROM catalog_candidate WHERE (given, source, key) IN (
     SELECT given, source, key FROM catalog_candidate WHERE given = ? AND source = ? ${some})`,
  );
  const someUses = db.prepare(
    `DELETE FROM catalog_asset_use WHERE (etag, given, source) IN (
     SELECT etag, given, source FROM catalog_asset_use WHERE given = ? AND source = ? ${some})`,
  );
  for (const row of dead) {
    const of = [row.number('given'), row.text('source')] as const;
    await deleteInChunks(db, () => changes(someUses, ...of));
    await deleteInChunks(db, () => changes(someCandidates, ...of));
  }
  await sweepDrawings(db);
}

/** Deletes the drawings that nothing uses, a range of ids at a time. */
async function sweepDrawings(db: Database): Promise<void> {
  const last = firstRow(db.prepare('SELECT coalesce(max(id), 0) AS id FROM catalog_asset'))?.number('id') ?? 0;
  const sweep = db.prepare(
    `DELETE FROM catalog_asset WHERE id > ? AND id <= ? AND NOT EXISTS (
     SELECT 1 FROM catalog_asset_use u WHERE u.etag = catalog_asset.etag)`,
  );
  for (let from = 0; from < last; from += CHUNK_ROWS) {
    sweep.run(from, from + CHUNK_ROWS);
    await nextTick();
  }
}
