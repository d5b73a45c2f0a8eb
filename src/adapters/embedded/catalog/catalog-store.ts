// Catalog in SQLite: one row names the published generation; an import writes the next one beside it.
import type { Entry, Lookup, Slug } from '../../../domain/catalog/entry.js';
import { AppError } from '../../../errors.js';
import type { CatalogSource, CatalogStore, Withdrawal } from '../../../ports/catalog-store.js';
import { readState, type StateRow } from './state.js';
import type { Database } from '../sqlite/guarded-database.js';
import { lockImport } from './import-lock.js';
import { readPages } from '../sqlite/pages.js';
import { allRows, changes, firstRow } from '../sqlite/rows.js';
import { inTransaction } from '../sqlite/transaction.js';

/** Rows that `entries` reads at once; other work runs between two reads. */
const PAGE_ROWS = 200;

/** The published generation's number. */
const CONTENT = '(SELECT content FROM catalog_state WHERE id = 1)';

/**
 * Slugs withdrawn, and the slugs of entries that have such a one as another name: a withdrawal follows its brand.
 * CROSS JOIN makes SQLite begin with the few that are withdrawn; it would begin with all redirects.
 */
function withdrawnIn(generation: string): string {
  return `SELECT slug, reason FROM catalog_withdrawal
    UNION ALL SELECT r.target, w.reason FROM catalog_withdrawal w
    CROSS JOIN catalog_redirect r ON r.generation = ${generation} AND r.slug = w.slug`;
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  return {
    findWithdrawal: db.prepare(`SELECT reason FROM (${withdrawnIn(CONTENT)}) WHERE slug = ?`),
    findEntry: db.prepare(`SELECT body FROM catalog_entry WHERE generation = ${CONTENT} AND slug = ?`),
    findRedirect: db.prepare(`SELECT target FROM catalog_redirect WHERE generation = ${CONTENT} AND slug = ?`),
    findDrawing: db.prepare('SELECT svg FROM catalog_asset WHERE etag = ?'),
    countWithdrawn: db.prepare(
      `SELECT count(DISTINCT slug) AS n FROM (${withdrawnIn(CONTENT)}) w
       WHERE EXISTS (SELECT 1 FROM catalog_entry WHERE generation = ${CONTENT} AND slug = w.slug)`,
    ),
    listSources: db.prepare(`SELECT body FROM catalog_source WHERE generation = ${CONTENT} ORDER BY id`),
    listRedirects: db.prepare(`SELECT slug, target FROM catalog_redirect WHERE generation = ${CONTENT} ORDER BY slug`),
    listWithdrawals: db.prepare(
      `SELECT w.slug, w.reason, w.withdrawn_at, coalesce(e.body, 'null') AS body FROM catalog_withdrawal w
       LEFT JOIN catalog_redirect r ON r.generation = ${CONTENT} AND r.slug = w.slug
       LEFT JOIN catalog_entry e ON e.generation = ${CONTENT} AND e.slug = coalesce(r.target, w.slug) ORDER BY w.slug`,
    ),
    page: db.prepare(
      `SELECT slug, body FROM catalog_entry
       WHERE generation = ?1 AND slug > ?2 AND slug NOT IN (SELECT slug FROM (${withdrawnIn('?1')}))
       ORDER BY slug LIMIT ${PAGE_ROWS}`,
    ),
    addWithdrawal: db.prepare(
      `INSERT INTO catalog_withdrawal (slug, reason, withdrawn_at) VALUES (?, ?, ?)
       ON CONFLICT (slug) DO UPDATE SET reason = excluded.reason`,
    ),
    removeWithdrawal: db.prepare(
      `DELETE FROM catalog_withdrawal WHERE slug = ?1 OR slug IN (
       SELECT slug FROM catalog_redirect WHERE generation = ${CONTENT} AND target = ?1)`,
    ),
    incrementVersion: db.prepare('UPDATE catalog_state SET version = version + 1 WHERE id = 1'),
  };
}

/** The tables must be there: `migrateCatalog`. */
export function createEmbeddedCatalogStore(db: Database): CatalogStore {
  const state = readState(db);
  const sql = prepareStatements(db);

  return {
    async state() {
      const row = state();
      if (row === undefined) return undefined;
      const withdrawn = firstRow(sql.countWithdrawn)?.number('n') ?? 0;
      return { generation: row.version, entries: row.entries - withdrawn, publishedAt: row.publishedAt };
    },

    find: async (slug) => lookUp(sql, slug),
    drawing: async (etag) => firstRow(sql.findDrawing, etag)?.text('svg'),
    entries: () => readEntries(sql, state),
    sources: async () => allRows(sql.listSources).map((row) => JSON.parse(row.text('body')) as CatalogSource),
    redirects: async () =>
      allRows(sql.listRedirects).map((row) => [row.text('slug') as Slug, row.text('target') as Slug] as const),

    withdrawals: async () =>
      allRows(sql.listWithdrawals).map((row): Withdrawal => ({
        slug: row.text('slug') as Slug,
        reason: row.text('reason'),
        withdrawnAt: row.text('withdrawn_at'),
        entry: JSON.parse(row.text('body')) as Entry | null,
      })),

    async withdraw(slug, reason, now) {
      return inTransaction(db, () => {
        if (firstRow(sql.findEntry, slug) === undefined) return false;
        sql.addWithdrawal.run(slug, reason, now.toISOString());
        sql.incrementVersion.run();
        return true;
      });
    },

    async restore(slug) {
      return inTransaction(db, () => {
        if (changes(sql.removeWithdrawal, slug) === 0) return false;
        sql.incrementVersion.run();
        return true;
      });
    },

    async beginImport() {
      const lock = lockImport(db);
      if (lock === undefined) return undefined;
      try {
        // Loaded when used: nearly all processes that open a catalog import nothing.
        const { openImportSession } = await import('./import-session.js');
        return await openImportSession(db, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    },
  };
}

function lookUp(sql: Statements, slug: Slug): Lookup {
  // Before the redirects: a later import may have made a withdrawn slug a redirect to the same drawing.
  const withdrawal = firstRow(sql.findWithdrawal, slug);
  if (withdrawal !== undefined) return { kind: 'withdrawn', slug, reason: withdrawal.text('reason') };
  const entry = firstRow(sql.findEntry, slug);
  if (entry !== undefined) return { kind: 'entry', entry: JSON.parse(entry.text('body')) as Entry };
  const redirect = firstRow(sql.findRedirect, slug);
  return redirect === undefined ? { kind: 'missing' } : { kind: 'moved', to: redirect.text('target') as Slug };
}

async function* readEntries(sql: Statements, state: () => StateRow | undefined): AsyncIterable<Entry> {
  const published = state();
  if (published === undefined) return;
  const { content } = published;
  const read = (after: string) => {
    const rows = allRows(sql.page, content, after);
    const current = state();
    // The next import but one deletes this generation's rows.
    if (current === undefined || (current.content !== content && current.previous !== content))
      throw new AppError('unavailable', 'The catalog was replaced twice while it was read.');
    return rows;
  };
  for await (const row of readPages({ read, key: 'slug', pageRows: PAGE_ROWS }))
    yield JSON.parse(row.text('body')) as Entry;
}
