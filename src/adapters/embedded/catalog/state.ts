// Catalog state: the one row that names the published generation.
import type { Database } from '../sqlite/guarded-database.js';
import { firstRow } from '../sqlite/rows.js';

export interface StateRow {
  readonly version: number;
  readonly content: number;
  readonly previous: number;
  readonly entries: number;
  readonly publishedAt: string;
}

export function readState(db: Database): () => StateRow | undefined {
  const statement = db.prepare(
    'SELECT version, content, previous, entries, published_at FROM catalog_state WHERE id = 1',
  );
  return () => {
    const row = firstRow(statement);
    return (
      row && {
        version: row.number('version'),
        content: row.number('content'),
        previous: row.number('previous'),
        entries: row.number('entries'),
        publishedAt: row.text('published_at'),
      }
    );
  };
}
