// Tables of the catalog. Rows carry the generation they belong to; one row says which generation readers see. Those of a
// kilobyte and more have a rowid: in an index, SQLite gives each a page of its own (sqlite.org/withoutrowid.html).
import type { Database } from '../sqlite/guarded-database.js';

/** Safe to run again. */
export function migrateCatalog(db: Database): void {
  db.exec(`
    -- version rises with whatever readers must notice; content is the generation of entries that they see.
    CREATE TABLE IF NOT EXISTS catalog_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL,
      content INTEGER NOT NULL,
      previous INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      published_at TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS catalog_entry (
      generation INTEGER NOT NULL,
      slug TEXT NOT NULL,
      revision TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (generation, slug)
    );
    CREATE TABLE IF NOT EXISTS catalog_redirect (
      generation INTEGER NOT NULL,
      slug TEXT NOT NULL,
      target TEXT NOT NULL,
      PRIMARY KEY (generation, slug)
    ) WITHOUT ROWID;
    -- given is the generation for which a source was last imported: its candidates are kept under that number.
    CREATE TABLE IF NOT EXISTS catalog_source (
      generation INTEGER NOT NULL,
      id TEXT NOT NULL,
      given INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (generation, id)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS catalog_candidate (
      given INTEGER NOT NULL,
      source TEXT NOT NULL,
      key TEXT NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (given, source, key)
    );
    CREATE TABLE IF NOT EXISTS catalog_asset (
      id INTEGER PRIMARY KEY,
      etag TEXT NOT NULL UNIQUE,
      svg TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS catalog_asset_use (
      etag TEXT NOT NULL,
      given INTEGER NOT NULL,
      source TEXT NOT NULL,
      PRIMARY KEY (etag, given, source)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS catalog_asset_use_by_source ON catalog_asset_use (given, source);
    CREATE TABLE IF NOT EXISTS catalog_withdrawal (
      slug TEXT PRIMARY KEY,
      reason TEXT NOT NULL,
      withdrawn_at TEXT NOT NULL
    ) WITHOUT ROWID;
  `);
}
