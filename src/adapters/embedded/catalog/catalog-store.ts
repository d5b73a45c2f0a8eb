// The catalog in SQLite. Readers see the generation that one row names; an import writes the next one beside it.
import type { Entry, Lookup, Slug } from '../../../domain/catalog/entry.js';
import { AppError } from '../../../errors.js';
import type { CatalogSource, CatalogStore, Withdrawal } from '../../../ports/catalog-store.js';
import { openImportSession } from './import-session.js';
import { readState } from './state.js';
import type { Database } from '../sqlite/guarded-database.js';
import { lockImport } from './import-lock.js';
import { allRows, changes, firstRow } from '../sqlite/rows.js';
import { inTransaction } from '../sqlite/transaction.js';

/** Rows that `entries` reads at once, between which other work gets its turn. */
const PAGE_ROWS = 200;

/** Slugs withdrawn, and the slugs of entries that have such a one as another name: a withdrawal follows its brand. */
function withdrawnIn(generation: string): string {
  return `SELECT slug, reason FROM catalog_withdrawal
    UNION ALL SELECT r.target, w.reason FROM catalog_withdrawal w JOIN catalog_redirect r ON r.generation = ${generation} AND r.slug = w.slug`;
}

/** The tables must be there: `migrateCatalog`. */
export function createEmbeddedCatalogStore(db: Database): CatalogStore {
  const state = readState(db);
  const content = '(SELECT content FROM catalog_state WHERE id = 1)';
  const findWithdrawal = db.prepare(`SELECT reason FROM (${withdrawnIn(content)}) WHERE slug = ?`);
  const findEntry = db.prepare(`SELECT body FROM catalog_entry WHERE generation = ${content} AND slug = ?`);
  const findRedirect = db.prepare(`SELECT target FROM catalog_redirect WHERE generation = ${content} AND slug = ?`);
  const findAsset = db.prepare('SELECT svg FROM catalog_asset WHERE etag = ?');
  const countWithdrawn = db.prepare(
    `SELECT count(DISTINCT slug) AS n FROM (${withdrawnIn(content)}) w WHERE EXISTS (SELECT 1 FROM catalog_entry WHERE generation = ${content} AND slug = w.slug)`,
  );
  const listSources = db.prepare(`SELECT body FROM catalog_source WHERE generation = ${content} ORDER BY id`);
  const listWithdrawals = db.prepare(
    `SELECT w.slug, w.reason, w.withdrawn_at, coalesce(e.body, 'null') AS body FROM catalog_withdrawal w
     LEFT JOIN catalog_redirect r ON r.generation = ${content} AND r.slug = w.slug
     LEFT JOIN catalog_entry e ON e.generation = ${content} AND e.slug = coalesce(r.target, w.slug) ORDER BY w.slug`,
  );
  const page = db.prepare(
    `SELECT slug, body FROM catalog_entry
     WHERE generation = ?1 AND slug > ?2 AND slug NOT IN (SELECT slug FROM (${withdrawnIn('?1')})) ORDER BY slug LIMIT ${PAGE_ROWS}`,
  );
  const addWithdrawal = db.prepare(
    'INSERT INTO catalog_withdrawal (slug, reason, withdrawn_at) VALUES (?, ?, ?) ON CONFLICT (slug) DO UPDATE SET reason = excluded.reason',
  );
  const removeWithdrawal = db.prepare(
    `DELETE FROM catalog_withdrawal WHERE slug = ?1 OR slug IN (SELECT slug FROM catalog_redirect WHERE generation = ${content} AND target = ?1)`,
  );
  const raiseVersion = db.prepare('UPDATE catalog_state SET version = version + 1 WHERE id = 1');

  function lookUp(slug: Slug): Lookup {
    // First of all: an import may since have made a withdrawn slug a redirect to the same drawing under another name.
    const withdrawal = firstRow(findWithdrawal, slug);
    if (withdrawal !== undefined) return { kind: 'withdrawn', slug, reason: withdrawal.text('reason') };
    const entry = firstRow(findEntry, slug);
    if (entry !== undefined) return { kind: 'entry', entry: JSON.parse(entry.text('body')) as Entry };
    const redirect = firstRow(findRedirect, slug);
    return redirect === undefined ? { kind: 'missing' } : { kind: 'moved', to: redirect.text('target') as Slug };
  }

  return {
    async state() {
      const row = state();
      if (row === undefined) return undefined;
      const withdrawn = firstRow(countWithdrawn)?.number('n') ?? 0;
      return { generation: row.version, entries: row.entries - withdrawn, publishedAt: row.publishedAt };
    },

    async find(slug) {
      return lookUp(slug);
    },

    async asset(etag) {
      return firstRow(findAsset, etag)?.text('svg');
    },

    async *entries() {
      const begun = state();
      if (begun === undefined) return;
      for (let after = ''; ;) {
        const rows = allRows(page, begun.content, after);
        const now = state();
        if (now === undefined || (now.content !== begun.content && now.previous !== begun.content)) {
          throw new AppError('unavailable', 'The catalog was replaced twice while it was read.');
        }
        for (const row of rows) yield JSON.parse(row.text('body')) as Entry;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE_ROWS) return;
        after = last.text('slug');
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    },

    async sources() {
      return allRows(listSources).map((row) => JSON.parse(row.text('body')) as CatalogSource);
    },

    async withdrawals() {
      return allRows(listWithdrawals).map((row): Withdrawal => ({
        slug: row.text('slug') as Slug,
        reason: row.text('reason'),
        withdrawnAt: row.text('withdrawn_at'),
        entry: JSON.parse(row.text('body')) as Entry | null,
      }));
    },

    async withdraw(slug, reason, now) {
      return inTransaction(db, () => {
        if (firstRow(findEntry, slug) === undefined) return false;
        addWithdrawal.run(slug, reason, now.toISOString());
        raiseVersion.run();
        return true;
      });
    },

    async restore(slug) {
      return inTransaction(db, () => {
        if (changes(removeWithdrawal, slug) === 0) return false;
        raiseVersion.run();
        return true;
      });
    },

    async beginImport() {
      const lock = lockImport(db);
      if (lock === undefined) return undefined;
      try {
        return await openImportSession(db, lock);
      } catch (error) {
        lock.release();
        throw error;
      }
    },
  };
}
