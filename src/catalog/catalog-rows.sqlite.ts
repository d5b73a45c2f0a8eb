// Rows of the catalog in SQLite.
import { setImmediate as nextTick } from 'node:timers/promises';
import type { CatalogRow, CatalogRows } from './catalog-rows.js';
import { writeInChunks, yieldToWriters } from '../platform/stores/sqlite/chunked-writes.js';
import type { Database } from '../platform/stores/sqlite/guarded-database.js';

/**
 * Rows in SQLite don't store the number of their import. In MongoDB, the number protects rows of a newer import from an
 * importer that was paused and has lost its lock. With SQLite, a paused process keeps its lock, because the operating
 * system manages the lock.
 */
export function embeddedCatalogRows(db: Database): CatalogRows {
  const listed = 'id IN (SELECT value FROM json_each(?))';
  const within = 'id > ? AND id < ? ORDER BY id LIMIT ?';
  const get = db.prepare(`SELECT id, text FROM catalogRows WHERE ${listed}`);
  const page = db.prepare(`SELECT id, text FROM catalogRows WHERE ${within}`);
  const ids = db.prepare(`SELECT id FROM catalogRows WHERE ${within}`);
  const add = db.prepare('INSERT INTO catalogRows (id, text) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const put = db.prepare(
    'INSERT INTO catalogRows (id, text) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
  );
  const remove = db.prepare(`DELETE FROM catalogRows WHERE ${listed}`);

  return {
    async get(found) {
      const rows = get.all(JSON.stringify(found)) as CatalogRow[];
      return new Map(rows.map(({ id, text }) => [id, text]));
    },

    async page({ after, before }, limit) {
      await nextTick();
      return page.all(after, before, limit) as CatalogRow[];
    },

    async ids({ after, before }, limit) {
      await nextTick();
      return (ids.all(after, before, limit) as Pick<CatalogRow, 'id'>[]).map(({ id }) => id);
    },

    add: (rows) => writeInChunks(db, rows, ({ id, text }) => void add.run(id, text)),
    put: async ({ id, text }) => void put.run(id, text),

    async remove(removed) {
      const { changes } = remove.run(JSON.stringify(removed));
      await yieldToWriters();
      return changes;
    },
  };
}
