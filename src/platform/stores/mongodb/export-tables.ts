// Each `ExportTable` for data that MongoDB stores in a separate collection: usage of accounts, visitor counters.
import { Binary, type Db, type Document } from 'mongodb';
import type { ExportTable, ExportRow, UsageRow, VisitorCounterRow } from '../export-tables.js';
import type { MongoConnection } from './connection.js';
import { orUnavailable } from './driver-error.js';

const VISITOR_COUNTERS = 'visitorCounters';

/** Revision (`rev`) of copied counts. Redis makes the next change, which gets revision 2. */
const FIRST = 1;

export function mongoExportTables({ db }: Pick<MongoConnection, 'db'>): readonly ExportTable[] {
  const usage = exportTable<UsageRow>(db, {
    name: 'days of usage',
    table: 'usage',
    fields: { used: 1 },
    more: ({ id }) => {
      const [accountId, day] = id.split(':');
      return { accountId, day, rev: FIRST };
    },
  });
  const counters = exportTable<VisitorCounterRow>(db, {
    name: 'visitor counters',
    table: VISITOR_COUNTERS,
    fields: { total: 1, day: 1, today: 1 },
    more: () => ({ epoch: FIRST, rev: FIRST, visitors: new Binary(Buffer.alloc(0)) }),
  });
  return [usage, counters] as readonly ExportTable[];
}

interface Definition<Row> {
  readonly name: string;
  readonly table: string;
  /** Projection of a row without its id. */
  readonly fields: Readonly<Record<Exclude<keyof Row & string, 'id'>, 1>>;
  /** Returns the fields that the stored document has in addition to the fields of the row. */
  readonly more: (row: Row) => Document;
}

function exportTable<Row extends ExportRow>(
  db: Db,
  { name, table, fields: projection, more }: Definition<Row>,
): ExportTable<Row> {
  const documents = db.collection<{ readonly _id: string }>(table);
  return {
    name,
    table,
    count: () => orUnavailable(() => documents.countDocuments()),
    read: (after, limit) =>
      orUnavailable(async () => {
        const found = await documents.find({ _id: { $gt: after } }, { projection, sort: { _id: 1 }, limit }).toArray();
        return found.map(({ _id: id, ...fields }) => ({ id, ...fields }) as unknown as Row);
      }),
    async write(rows) {
      const all = rows.map((row) => {
        const { id: _id, ...fields } = row;
        return { _id, ...fields, ...more(row) };
      });
      if (all.length > 0) await orUnavailable(() => documents.insertMany(all));
    },
  };
}
