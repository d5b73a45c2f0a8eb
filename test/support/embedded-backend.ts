// Embedded stores (SQLite) for tests. A new data folder gets a copy of an imported database.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { utcDay } from '../../src/platform/utc-day.js';
import { catalogFolder, type CatalogPart } from './sample-catalog.js';
import { testStores } from './stores.js';
import type { TestBackend } from './test-backend.js';

export async function openEmbeddedBackend(
  dataDir: string,
  { now, catalog }: { readonly now: () => number; readonly catalog: CatalogPart | 'none' },
): Promise<TestBackend> {
  if (catalog !== 'none') cpSync(await catalogFolder(catalog), dataDir, { recursive: true });
  const db = openDatabase(dataDir);
  const stores = await testStores({ db, dataDir, now });
  const count = db.prepare(
    `SELECT (SELECT count(*) FROM accounts)
      + (SELECT count(*) FROM audit WHERE id BETWEEN ?1 || ':' AND ?1 || ':~') AS records`,
  );
  const mailing = db.prepare(
    'SELECT 1 FROM passwordResetRequests UNION ALL SELECT 1 FROM accounts WHERE mailAt IS NOT NULL',
  );
  const setUsed = db.prepare('INSERT OR REPLACE INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)');
  return {
    variables: { DATA_DIR: dataDir },
    stores,
    records: async (id) => (count.get(id) as { readonly records: number }).records,
    isMailing: async () => mailing.get() !== undefined,
    setUsed: async (id, bucket, used) => void setUsed.run(id, utcDay(now()), bucket, used),
    stored: async () =>
      Buffer.concat(['blazon.sqlite', 'blazon.sqlite-wal'].map((file) => readFileSync(join(dataDir, file)))),
    async block() {
      const other = openDatabase(dataDir);
      other.exec('BEGIN IMMEDIATE');
      return () => {
        // Ends the transaction first. While a statement of the connection exists, `close` would keep the transaction
        // open.
        other.exec('ROLLBACK');
        other.close();
      };
    },
    async close() {
      await stores.close();
      db.close();
    },
  };
}
