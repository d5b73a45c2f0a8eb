// One import into SQLite: everything under a new generation's number, then one row is changed.
import type { Entry, Slug } from '../../../domain/catalog/entry.js';
import type { Candidate } from '../../../domain/catalog/candidate.js';
import { digestOf } from '../../../domain/catalog/build-entry.js';
import type { Asset, CatalogSource, ImportSession } from '../../../ports/catalog-store.js';
import { sweepCatalog } from './catalog-sweep.js';
import { readState } from './state.js';
import type { FileLock } from '../sqlite/file-lock.js';
import type { Database } from '../sqlite/guarded-database.js';
import { allRows, changes, type Row } from '../sqlite/rows.js';
import { writeInChunks } from '../sqlite/chunked-writes.js';
import { inTransaction } from '../sqlite/transaction.js';

const PAGE_ROWS = 500;
/** Entries gathered before they are written: a few transactions' worth. */
const ENTRY_CHUNK = 200;

export async function openImportSession(db: Database, lock: FileLock): Promise<ImportSession> {
  const state = readState(db);
  const before = state();
  const published = before?.content ?? 0;
  const next = published + 1;
  // What a crashed import left under this number would become part of this one.
  await sweepCatalog(db, { content: published, previous: before?.previous ?? 0 });

  const addAsset = db.prepare('INSERT INTO catalog_asset (etag, svg) VALUES (?, ?) ON CONFLICT (etag) DO NOTHING');
  const addSource = db.prepare(
    'INSERT INTO catalog_source (generation, id, given, body) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET given = excluded.given, body = excluded.body',
  );
  const removeSource = db.prepare('DELETE FROM catalog_source WHERE generation = ? AND id = ?');
  const addCandidate = db.prepare('INSERT INTO catalog_candidate (given, source, key, body) VALUES (?, ?, ?, ?)');
  const addUse = db.prepare(
    'INSERT INTO catalog_asset_use (etag, given, source) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const addEntry = db.prepare(
    'INSERT INTO catalog_entry (generation, slug, revision, updated_at, body) VALUES (?, ?, ?, ?, ?)',
  );
  const addRedirect = db.prepare('INSERT INTO catalog_redirect (generation, slug, target) VALUES (?, ?, ?)');
  const sourceRows = db.prepare('SELECT id, given, body FROM catalog_source WHERE generation = ? ORDER BY id');
  const candidatePage = db.prepare(
    `SELECT key, body FROM catalog_candidate WHERE given = ? AND source = ? AND key > ? ORDER BY key LIMIT ${PAGE_ROWS}`,
  );
  const revisionPage = db.prepare(
    `SELECT slug, revision, updated_at, body FROM catalog_entry WHERE generation = ? AND slug > ? ORDER BY slug LIMIT ${PAGE_ROWS}`,
  );
  const given = new Map<string, number>();
  for (const row of allRows(sourceRows, published)) {
    given.set(row.text('id'), row.number('given'));
    addSource.run(next, row.text('id'), row.number('given'), row.text('body'));
  }
  let isOpen = true;

  async function* inPages(read: (after: string) => readonly Row[], name: string): AsyncIterable<Row> {
    for (let after = ''; ;) {
      const rows = read(after);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_ROWS) return;
      after = last.text(name);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async function writeEntries(entries: AsyncIterable<Entry>): Promise<number> {
    let count = 0;
    let chunk: Entry[] = [];
    const flush = async () => {
      await writeInChunks(db, chunk, (entry) => {
        addEntry.run(next, entry.slug, entry.revision, entry.updatedAt, JSON.stringify(entry));
      });
      count += chunk.length;
      chunk = [];
    };
    for await (const entry of entries) {
      chunk.push(entry);
      if (chunk.length >= ENTRY_CHUNK) await flush();
    }
    await flush();
    return count;
  }

  function flip(entries: number, publishedAt: string): number {
    return inTransaction(db, () => {
      db.prepare(
        `INSERT INTO catalog_state (id, version, content, previous, entries, published_at) VALUES (1, 1, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET version = version + 1, content = excluded.content, previous = excluded.previous,
           entries = excluded.entries, published_at = excluded.published_at`,
      ).run(next, published, entries, publishedAt);
      return state()?.version ?? 1;
    });
  }

  return {
    async putAssets(assets: readonly Asset[]) {
      await writeInChunks(db, assets, ({ etag, svg }) => {
        addAsset.run(etag, svg);
      });
    },

    async putSource(source) {
      given.set(source.id, next);
      addSource.run(next, source.id, next, JSON.stringify(source));
    },

    async dropSource(id) {
      given.delete(id);
      return changes(removeSource, next, id) > 0;
    },

    async putCandidates(sourceId, candidates) {
      await writeInChunks(db, candidates, (candidate) => {
        addCandidate.run(next, sourceId, candidate.key, JSON.stringify(candidate));
        for (const { etag } of candidate.variants) addUse.run(etag, next, sourceId);
      });
    },

    async sources() {
      return allRows(sourceRows, next).map((row) => JSON.parse(row.text('body')) as CatalogSource);
    },

    async *candidates(sourceId) {
      const from = given.get(sourceId) ?? next;
      for await (const row of inPages((after) => allRows(candidatePage, from, sourceId, after), 'key')) {
        yield JSON.parse(row.text('body')) as Candidate;
      }
    },

    async *revisions() {
      for await (const row of inPages((after) => allRows(revisionPage, published, after), 'slug')) {
        const digest = digestOf(JSON.parse(row.text('body')) as Entry);
        yield {
          slug: row.text('slug') as Slug,
          revision: row.text('revision'),
          digest,
          updatedAt: row.text('updated_at'),
        };
      }
    },

    async publish({ entries, redirects }, now) {
      const count = await writeEntries(entries);
      await writeInChunks(db, redirects, ([from, to]) => {
        addRedirect.run(next, from, to);
      });
      const publishedAt = now.toISOString();
      const version = flip(count, publishedAt);
      // It is published by now, whatever becomes of the old rows: the next import sweeps them before it begins.
      await sweepCatalog(db, { content: next, previous: published }).catch(() => undefined);
      return { generation: version, entries: count, publishedAt };
    },

    async close() {
      if (isOpen) lock.release();
      isOpen = false;
    },
  };
}
