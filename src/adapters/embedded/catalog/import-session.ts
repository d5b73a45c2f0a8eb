// Import session in SQLite: writes the next generation's rows, then publishes it by changing one row.
import type { Entry, Slug } from '../../../domain/catalog/entry.js';
import { etagsOf, type Candidate } from '../../../domain/catalog/candidate.js';
import { digestOf } from '../../../domain/catalog/build-entry.js';
import type { CatalogSource, ImportSession, Publication, StoredDrawing } from '../../../ports/catalog-store.js';
import { sweepCatalog } from './catalog-sweep.js';
import { readState, type StateRow } from './state.js';
import type { FileLock } from '../sqlite/file-lock.js';
import type { Database } from '../sqlite/guarded-database.js';
import { readPages } from '../sqlite/pages.js';
import { allRows, changes, firstRow } from '../sqlite/rows.js';
import { writeInChunks } from '../sqlite/chunked-writes.js';
import { inTransaction } from '../sqlite/transaction.js';

const PAGE_ROWS = 500;
/** Entries gathered before they are written: a few transactions' worth. */
const ENTRY_CHUNK = 200;

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  return {
    addDrawing: db.prepare('INSERT INTO catalog_asset (etag, svg) VALUES (?, ?) ON CONFLICT (etag) DO NOTHING'),
    addSource: db.prepare(
      `INSERT INTO catalog_source (generation, id, given, body) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET given = excluded.given, body = excluded.body`,
    ),
    removeSource: db.prepare('DELETE FROM catalog_source WHERE generation = ? AND id = ?'),
    addCandidate: db.prepare('INSERT INTO catalog_candidate (given, source, key, body) VALUES (?, ?, ?, ?)'),
    addUse: db.prepare('INSERT INTO catalog_asset_use (etag, given, source) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'),
    addEntry: db.prepare(
      'INSERT INTO catalog_entry (generation, slug, revision, updated_at, body) VALUES (?, ?, ?, ?, ?)',
    ),
    addRedirect: db.prepare('INSERT INTO catalog_redirect (generation, slug, target) VALUES (?, ?, ?)'),
    sources: db.prepare('SELECT id, given, body FROM catalog_source WHERE generation = ? ORDER BY id'),
    candidatePage: db.prepare(
      `SELECT key, body FROM catalog_candidate
       WHERE given = ? AND source = ? AND key > ? ORDER BY key LIMIT ${PAGE_ROWS}`,
    ),
    revisionPage: db.prepare(
      `SELECT slug, revision, updated_at, body FROM catalog_entry
       WHERE generation = ? AND slug > ? ORDER BY slug LIMIT ${PAGE_ROWS}`,
    ),
    countEntries: db.prepare('SELECT count(*) AS n FROM catalog_entry WHERE generation = ?'),
    removeWithdrawals: db.prepare('DELETE FROM catalog_withdrawal'),
    addWithdrawal: db.prepare('INSERT INTO catalog_withdrawal (slug, reason, withdrawn_at) VALUES (?, ?, ?)'),
    setState: db.prepare(
      `INSERT INTO catalog_state (id, version, content, previous, entries, published_at) VALUES (1, 1, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET version = version + 1, content = excluded.content, previous = excluded.previous,
         entries = excluded.entries, published_at = excluded.published_at`,
    ),
  };
}

/** One import under way: the generations it reads and writes. */
interface ImportContext {
  readonly db: Database;
  readonly sql: Statements;
  readonly state: () => StateRow | undefined;
  /** The generation that readers have; 0 before the first import. */
  readonly published: number;
  readonly next: number;
  /** By source id: the generation whose import read its candidates. */
  readonly given: Map<string, number>;
}

export async function openImportSession(db: Database, lock: FileLock): Promise<ImportSession> {
  const state = readState(db);
  const before = state();
  const published = before?.content ?? 0;
  const next = Math.max(published, before?.previous ?? 0) + 1;
  // Rows that a crashed import left under this number would become part of this one.
  await sweepCatalog(db, { content: published, previous: before?.previous ?? 0 });
  const sql = prepareStatements(db);
  const given = copySources(sql, published, next);
  return importSession({ db, sql, state, published, next, given }, lock);
}

/** Takes over the published sources; which generation's import read each. */
function copySources(sql: Statements, published: number, next: number): Map<string, number> {
  const given = new Map<string, number>();
  for (const row of allRows(sql.sources, published)) {
    given.set(row.text('id'), row.number('given'));
    sql.addSource.run(next, row.text('id'), row.number('given'), row.text('body'));
  }
  return given;
}

function importSession(context: ImportContext, lock: FileLock): ImportSession {
  const { db, sql, published, next, given } = context;
  let isOpen = true;
  return {
    async putDrawings(drawings: readonly StoredDrawing[]) {
      await writeInChunks(db, drawings, ({ etag, svg }) => {
        sql.addDrawing.run(etag, svg);
      });
    },

    async putSource(source) {
      given.set(source.id, next);
      sql.addSource.run(next, source.id, next, JSON.stringify(source));
    },

    async dropSource(id) {
      given.delete(id);
      return changes(sql.removeSource, next, id) > 0;
    },

    async putCandidates(sourceId, candidates) {
      await writeInChunks(db, candidates, (candidate) => {
        sql.addCandidate.run(next, sourceId, candidate.key, JSON.stringify(candidate));
        for (const etag of etagsOf(candidate)) sql.addUse.run(etag, next, sourceId);
      });
    },

    async sources() {
      return allRows(sql.sources, next).map((row) => JSON.parse(row.text('body')) as CatalogSource);
    },

    candidates: (sourceId) => readCandidates(sql, given.get(sourceId) ?? next, sourceId),
    revisions: () => readRevisions(sql, published),

    async publish({ entries, redirects, withdrawals }, now) {
      const count = await writeEntries(context, entries);
      await writeInChunks(db, redirects, ([from, to]) => {
        sql.addRedirect.run(next, from, to);
      });
      const publishedAt = now.toISOString();
      const generation = switchGeneration(context, { entries: count, publishedAt, withdrawals });
      // Published by now, even if the sweep of the old rows fails: the next import repeats it before it begins.
      await sweepCatalog(db, { content: next, previous: published }).catch(() => undefined);
      return { generation, entries: count, publishedAt };
    },

    async rollBack(now) {
      const before = context.state();
      const entries = firstRow(sql.countEntries, before?.previous ?? 0)?.number('n') ?? 0;
      if (before === undefined || entries === 0) return false;
      sql.setState.run(before.previous, before.content, entries, now.toISOString());
      return true;
    },

    async close() {
      if (isOpen) lock.release();
      isOpen = false;
    },
  };
}

async function* readCandidates(sql: Statements, given: number, sourceId: string): AsyncIterable<Candidate> {
  const read = (after: string) => allRows(sql.candidatePage, given, sourceId, after);
  for await (const row of readPages({ read, key: 'key', pageRows: PAGE_ROWS }))
    yield JSON.parse(row.text('body')) as Candidate;
}

async function* readRevisions(sql: Statements, published: number): ReturnType<ImportSession['revisions']> {
  const read = (after: string) => allRows(sql.revisionPage, published, after);
  for await (const row of readPages({ read, key: 'slug', pageRows: PAGE_ROWS })) {
    yield {
      slug: row.text('slug') as Slug,
      revision: row.text('revision'),
      digest: digestOf(JSON.parse(row.text('body')) as Entry),
      updatedAt: row.text('updated_at'),
    };
  }
}

/** The number of entries. */
async function writeEntries({ db, sql, next }: ImportContext, entries: AsyncIterable<Entry>): Promise<number> {
  let count = 0;
  let chunk: Entry[] = [];
  const flush = async () => {
    await writeInChunks(db, chunk, (entry) => {
      sql.addEntry.run(next, entry.slug, entry.revision, entry.updatedAt, JSON.stringify(entry));
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

interface Switch {
  readonly withdrawals: Publication['withdrawals'];
  readonly entries: number;
  readonly publishedAt: string;
}

/** Publishes the next generation to all readers; the catalog's version from now on. */
function switchGeneration(
  { db, sql, state, published, next }: ImportContext,
  { entries, publishedAt, withdrawals }: Switch,
): number {
  return inTransaction(db, () => {
    if (withdrawals) sql.removeWithdrawals.run();
    for (const { slug, reason, withdrawnAt } of withdrawals ?? []) sql.addWithdrawal.run(slug, reason, withdrawnAt);
    sql.setState.run(next, published, entries, publishedAt);
    return state()?.version ?? 1;
  });
}
