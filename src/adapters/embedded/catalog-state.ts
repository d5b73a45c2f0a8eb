// The one row that says which generation of the catalog readers see.
import type { DatabaseSyncInstance } from '@photostructure/sqlite';

export interface StateRow {
  readonly version: number;
  readonly content: number;
  readonly previous: number;
  readonly entries: number;
  readonly publishedAt: string;
}

export function readState(db: DatabaseSyncInstance): () => StateRow | undefined {
  const statement = db.prepare('SELECT version, content, previous, entries, published_at FROM catalog_state WHERE id = 1');
  return () => {
    const row = statement.get();
    return (
      row && {
        version: Number(row['version']),
        content: Number(row['content']),
        previous: Number(row['previous']),
        entries: Number(row['entries']),
        publishedAt: String(row['published_at']),
      }
    );
  };
}
