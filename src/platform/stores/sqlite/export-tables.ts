// One `ExportTable` for each kind of data that has its own SQLite table: usage of accounts, visitor counters.
import type { ExportTable, UsageRow, VisitorCounterRow } from '../export-tables.js';
import type { Database } from './guarded-database.js';
import { inTransaction } from './transaction.js';

interface Counted {
  readonly count: number;
}

export function embeddedExportTables(db: Database): readonly ExportTable[] {
  return [usageTable(db), counterTable(db)] as readonly ExportTable[];
}

function usageTable(db: Database): ExportTable<UsageRow> {
  const page = db.prepare(
    `SELECT account_id || ':' || day AS id, json_group_object(bucket, used) AS used FROM usage
     WHERE (account_id, day) > (?, ?) GROUP BY account_id, day ORDER BY account_id, day LIMIT ?`,
  );
  const add = db.prepare('INSERT INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)');
  const count = db.prepare('SELECT count(*) AS count FROM (SELECT 1 FROM usage GROUP BY account_id, day)');
  return {
    name: 'days of usage',
    table: 'usage',
    count: async () => (count.get() as Counted).count,
    async read(after, limit) {
      const rows = page.all(...accountAndDay(after), limit) as { readonly id: string; readonly used: string }[];
      return rows.map(({ id, used }) => ({ id, used: JSON.parse(used) as UsageRow['used'] }));
    },
    async write(rows) {
      inTransaction(db, () => {
        for (const { id, used } of rows)
          for (const [bucket, value] of Object.entries(used)) add.run(...accountAndDay(id), bucket, value);
      });
    },
  };
}

function accountAndDay(id: string): readonly [account: string, day: string] {
  const colon = id.indexOf(':');
  return colon < 0 ? ['', ''] : [id.slice(0, colon), id.slice(colon + 1)];
}

function counterTable(db: Database): ExportTable<VisitorCounterRow> {
  const page = db.prepare(
    'SELECT name AS id, total, day, today FROM visitor_counters WHERE name > ? ORDER BY name LIMIT ?',
  );
  const add = db.prepare(
    `INSERT INTO visitor_counters (name, epoch, total, day, today, visitors) VALUES (?, 1, ?, ?, ?, x'')`,
  );
  const count = db.prepare('SELECT count(*) AS count FROM visitor_counters');
  return {
    name: 'visitor counters',
    table: 'visitor_counters',
    count: async () => (count.get() as Counted).count,
    read: async (after, limit) =>
      (page.all(after, limit) as VisitorCounterRow[]).map(({ id, total, day, today }) => ({ id, total, day, today })),
    async write(rows) {
      inTransaction(db, () => {
        for (const { id, total, day, today } of rows) add.run(id, total, day, today);
      });
    },
  };
}
