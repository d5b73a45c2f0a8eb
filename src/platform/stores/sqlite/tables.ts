// Tables of records in SQLite. Each table has the columns `id` and `record` (JSON with dates in ms), and generated
// columns for the fields that queries use.
import { readRecord, type RecordOf } from '../stored-record.js';
import type { LogEntry, Tables, Query, RecordSchema, TableDefinition, TablePart, Versioned, Where } from '../tables.js';
import { deleteInChunks } from './chunked-writes.js';
import { clauses } from './conditions.js';
import type { Database, Statement } from './guarded-database.js';
import { duplicateOf } from './sqlite-error.js';
import { inTransaction } from './transaction.js';

interface Row {
  readonly id: string;
  readonly record: string;
}

interface StoredRecord {
  readonly id: string;
}

/**
 * Maximum number of rows that one transaction deletes. It is small, because the rows are often on different pages of the
 * file, and each changed page must be written.
 */
const REMOVED_ROWS = 50;

export function embeddedTables(db: Database): Tables {
  return (definition) => {
    const parts = { db, definition, prepared: preparedStatements(db) };
    return { ...tableReads(parts), ...tableWrites(parts) };
  };
}

interface Parts<Schema extends RecordSchema> {
  readonly db: Database;
  readonly definition: TableDefinition<Schema>;
  readonly prepared: (sql: string) => Statement;
}

function preparedStatements(db: Database): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
}

function tableReads<Schema extends RecordSchema>({ definition: { name, schema }, prepared }: Parts<Schema>) {
  type Stored = RecordOf<Schema> & StoredRecord;

  function select(columns: string, query: Query): Row[] {
    const { text, values } = clauses(query);
    return prepared(`SELECT ${columns} FROM "${name}"${text}`).all(...values) as Row[];
  }

  const find = async (query: Query): Promise<Stored[]> =>
    select('id, record', query).map((row) => parsed(schema, row, name) as Stored);

  return {
    get: async (id: string) => (await find({ where: { id } }))[0],
    find,
    ids: async (query: Query) => select('id', query).map(({ id }) => id),

    async part<Part extends RecordSchema>(part: TablePart<Part>, where: Where) {
      const [row] = select(`id, "${part.name}" AS record`, { where, limit: 1 });
      return row && parsed(part.schema, row, name);
    },

    async count(where: Where, max = Number.MAX_SAFE_INTEGER) {
      const { text, values } = clauses({ where, limit: max });
      const statement = prepared(`SELECT count(*) AS count FROM (SELECT 1 FROM "${name}"${text})`);
      return (statement.get(...values) as { readonly count: number }).count;
    },
  };
}

function tableWrites<Schema extends RecordSchema>({ db, definition, prepared }: Parts<Schema>) {
  type Stored = RecordOf<Schema> & StoredRecord;
  const { name, log, unversionedField, derived } = definition;
  const merged = `json_set(?1, '$.${unversionedField}', json_patch(record -> '$.${unversionedField}', ?1 -> '$.${unversionedField}'))`;

  function insertInto(table: string, record: StoredRecord, fields = {}): void {
    prepared(`INSERT INTO "${table}" (id, record) VALUES (?, ?)`).run(record.id, json({ ...record, ...fields }));
  }

  function insertMissing(record: Stored): boolean {
    const insert = prepared(`INSERT INTO "${name}" (id, record) VALUES (?, ?) ON CONFLICT (id) DO NOTHING`);
    return insert.run(record.id, json({ ...record, ...derived?.(record) })).changes === 1;
  }

  function compareAndSet(record: Stored & Versioned): boolean {
    const update = prepared(
      `UPDATE "${name}" SET record = ${unversionedField === undefined ? '?1' : merged} WHERE id = ?2 AND version = ?3`,
    );
    return update.run(json({ ...record, ...derived?.(record) }), record.id, record.version - 1).changes === 1;
  }

  function append(entries: readonly LogEntry[]): void {
    if (log !== undefined) for (const entry of entries) insertInto(log, entry);
  }

  /**
   * Runs `write` in a transaction and returns its result. If another record has the same value in a unique field of
   * this table, returns the name of that field.
   */
  function written<Result>(write: () => Result): Result | { readonly taken: string } {
    try {
      return inTransaction(db, write);
    } catch (error) {
      const duplicate = duplicateOf(error);
      if (duplicate?.startsWith(`${name}.`) !== true) throw error;
      return { taken: duplicate.slice(name.length + 1) };
    }
  }

  return {
    insert: async (records: readonly Stored[], entries: readonly LogEntry[] = []) =>
      written(() => {
        for (const record of records) insertInto(name, record, derived?.(record));
        append(entries);
        return 'inserted' as const;
      }),

    replace: async (record: Stored & Versioned, entries: readonly LogEntry[] = []) =>
      written(() => {
        if (!compareAndSet(record)) return 'stale' as const;
        append(entries);
        return 'replaced' as const;
      }),

    putAll: async (records: readonly (Stored & Versioned)[]) =>
      inTransaction(db, () => {
        const put = records.filter((one) => (one.version === 1 ? insertMissing(one) : compareAndSet(one)));
        return put.length === records.length;
      }),

    remove(where: Where) {
      const { text, values } = clauses({ where, limit: REMOVED_ROWS });
      const statement = prepared(`DELETE FROM "${name}" WHERE id IN (SELECT id FROM "${name}"${text})`);
      return deleteInChunks(db, () => statement.run(...values).changes, REMOVED_ROWS);
    },
  };
}

function parsed<Schema extends RecordSchema>(schema: Schema, { id, record }: Row, table: string): RecordOf<Schema> {
  const name = `the record ${id} of ${table}`;
  let fields: object;
  try {
    fields = JSON.parse(record) as object;
  } catch {
    throw new Error(`${name} cannot be read: it is not JSON`);
  }
  return readRecord(schema, { ...fields, id }, name);
}

/** Returns the record's JSON without the id, which has its own column. */
function json(record: StoredRecord): string {
  return JSON.stringify({ ...record, id: undefined }, asMilliseconds);
}

/**
 * Replaces dates by ms. Used as a replacer of JSON.stringify, which passes a Date as text in `value`, but as a Date in
 * `this[name]`.
 */
function asMilliseconds(this: unknown, name: string, value: unknown): unknown {
  const raw = (this as Readonly<Record<string, unknown>>)[name];
  return raw instanceof Date ? raw.getTime() : value;
}
