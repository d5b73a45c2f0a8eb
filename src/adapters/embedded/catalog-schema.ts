// Schema of the catalog, a step of the migrations: it takes over the tables of each kind that there were before.

export const CATALOG_STEP = `
  -- What opening the database created, in the columns that are read here.
  CREATE TABLE IF NOT EXISTS catalog_state (version, content, previous, entries, published_at);
  CREATE TABLE IF NOT EXISTS catalog_entry (generation, slug, body);
  CREATE TABLE IF NOT EXISTS catalog_redirect (generation, slug, target);
  CREATE TABLE IF NOT EXISTS catalog_source (generation, id, given, body);
  CREATE TABLE IF NOT EXISTS catalog_candidate (given, source, key, body);
  CREATE TABLE IF NOT EXISTS catalog_asset (etag, svg);
  CREATE TABLE IF NOT EXISTS catalog_asset_use (etag, given, source);
  CREATE TABLE IF NOT EXISTS catalog_withdrawal (slug, reason, withdrawn_at);

  CREATE TABLE catalogState (
    id TEXT PRIMARY KEY,
    version ANY AS (record ->> '$.version'),
    head ANY AS (json_object('generation', record -> '$.generation', 'entries', record -> '$.entries',
      'withdrawn', record -> '$.withdrawn', 'publishedAt', record -> '$.publishedAt')),
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO catalogState (id, record) SELECT 'catalog', json_object('generation', version, 'content', content,
    'previous', previous, 'lastImport', content + 1, 'swept', json('false'), 'entries', entries, 'withdrawn', hidden.n,
    'publishedAt', published_at, 'withdrawals', json(hidden.list), 'import', NULL, 'version', 1)
    FROM catalog_state s, (
      SELECT count(DISTINCT e.slug) AS n, json_group_array(json_object(
        'slug', w.slug, 'reason', w.reason, 'withdrawnAt', w.withdrawn_at, 'hides', e.slug)) AS list
      FROM catalog_withdrawal w
      LEFT JOIN catalog_redirect r ON r.generation = (SELECT content FROM catalog_state) AND r.slug = w.slug
      LEFT JOIN catalog_entry e ON e.generation = (SELECT content FROM catalog_state) AND e.slug = coalesce(r.target, w.slug)
    ) hidden;

  -- With a rowid: in an index, SQLite gives a row of a kilobyte and more a page of its own (sqlite.org/withoutrowid.html).
  CREATE TABLE catalogRows (
    id TEXT PRIMARY KEY,
    text TEXT NOT NULL
  ) STRICT;
  INSERT INTO catalogRows SELECT 'drawing/' || etag, svg FROM catalog_asset;
  INSERT INTO catalogRows SELECT 'candidate/' || given || '/' || replace(replace(source, '%', '%25'), '/', '%2F') || '/'
    || key, body FROM catalog_candidate;
  INSERT INTO catalogRows SELECT 'use/' || given || '/' || replace(replace(source, '%', '%25'), '/', '%2F') || '/all',
    group_concat(etag, ' ') FROM catalog_asset_use GROUP BY given, source;
  INSERT INTO catalogRows SELECT 'entry/' || generation || '/' || slug, body FROM catalog_entry;
  INSERT INTO catalogRows SELECT 'redirect/' || generation || '/' || slug, target FROM catalog_redirect;
  INSERT INTO catalogRows SELECT 'source/' || generation || '/' || id,
    json_object('given', given, 'source', json(body)) FROM catalog_source;
  DROP TABLE catalog_state;
  DROP TABLE catalog_entry;
  DROP TABLE catalog_redirect;
  DROP TABLE catalog_source;
  DROP TABLE catalog_candidate;
  DROP TABLE catalog_asset;
  DROP TABLE catalog_asset_use;
  DROP TABLE catalog_withdrawal;

  CREATE TABLE IF NOT EXISTS write_probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
  `;
