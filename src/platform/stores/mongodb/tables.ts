// Tables of records in MongoDB, one document per record.
import type { ClientSession, Collection, Document, Filter, UpdateFilter } from 'mongodb';
import { readRecord, type RecordOf } from '../stored-record.js';
import type {
  Condition,
  Insertion,
  LogEntry,
  Tables,
  Query,
  RecordSchema,
  Replacement,
  TableDefinition,
  TablePart,
  Versioned,
  Where,
} from '../tables.js';
import type { AuditOutbox } from './audit-outbox.js';
import type { MongoConnection } from './connection.js';
import { deleteInChunks } from './deletion.js';
import { duplicateOf, inTime, isDuplicatesOnly, retryableWriteOptions, timeLimits } from './driver-error.js';
import { inSnapshot } from './snapshot.js';

type StoredDocument = Document & { readonly _id: string };
interface StoredRecord {
  readonly id: string;
}

interface Mongo extends Pick<MongoConnection, 'db' | 'client'> {
  /**
   * Session with a snapshot. Records are read as they were at the session's first read. Counts and writes don't use the
   * session.
   */
  readonly session?: ClientSession;
}

/**
 * Creates the tables. `log`: outbox of log entries. It is required for a table whose records are written together with
 * log entries (field `log` of the definition).
 */
export function mongoTables({ db, client, session }: Mongo, log?: AuditOutbox): Tables {
  return (definition) => {
    if (definition.log !== undefined && !log)
      throw new Error(`the table ${definition.name} needs a log, but no log was given`);
    const collection = db.collection<StoredDocument>(definition.name, { ignoreUndefined: true });
    const parts = { client, definition, collection, session, log: definition.log === undefined ? undefined : log };
    return { ...tableReads(parts), ...tableWrites(parts) };
  };
}

interface Parts<Schema extends RecordSchema> {
  readonly client: Mongo['client'];
  readonly collection: Collection<StoredDocument>;
  readonly definition: TableDefinition<Schema>;
  readonly log: AuditOutbox | undefined;
  readonly session: ClientSession | undefined;
}

function tableReads<Schema extends RecordSchema>({ collection, session, definition: { name, schema } }: Parts<Schema>) {
  type Stored = RecordOf<Schema> & StoredRecord;

  const read = ({ where = {}, sort = {}, limit = 0 }: Query, projection: Document = {}): Promise<StoredDocument[]> =>
    inTime(() =>
      collection.find(filterOf(where), { sort: sortOf(sort), limit, projection, ...inSnapshot(session) }).toArray(),
    );
  const find = async (query: Query): Promise<Stored[]> =>
    (await read(query)).map((document) => parsed(schema, document, name) as Stored);

  return {
    get: async (id: string) => (await find({ where: { id }, limit: 1 }))[0],
    find,
    ids: async (query: Query) => (await read(query, { _id: 1 })).map(({ _id }) => _id),

    async part<Part extends RecordSchema>(part: TablePart<Part>, where: Where) {
      const fields = Object.keys(part.schema.shape).map((field) => [pathOf(field), 1] as const);
      const [found] = await read({ where, limit: 1 }, Object.fromEntries(fields));
      return found && parsed(part.schema, found, name);
    },

    async count(where: Where, max = 0) {
      // The estimate reads no documents, but may be wrong after a crash of the server. If the estimate reaches `max`,
      // the documents are counted exactly.
      const estimate = Object.keys(where).length === 0 ? await inTime(() => collection.estimatedDocumentCount()) : max;
      if (estimate < max) return estimate;
      return inTime(() => collection.countDocuments(filterOf(where), max > 0 ? { limit: max } : {}));
    },
  };
}

function tableWrites<Schema extends RecordSchema>(parts: Parts<Schema>) {
  type Stored = RecordOf<Schema> & StoredRecord;
  const { client, collection, definition, log } = parts;

  async function insertAll(documents: readonly StoredDocument[]): Promise<void> {
    const [first, ...others] = documents;
    if (first === undefined) return;
    // A single document needs no transaction.
    if (others.length === 0) await collection.insertOne(first, retryableWriteOptions());
    else
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await collection.insertMany(documents, { session });
        }),
      );
  }

  return {
    async insert(records: readonly Stored[], entries: readonly LogEntry[] = []): Promise<Insertion> {
      const documents = records.map((one) => ({ ...documentOf(one, definition), ...log?.carried(one.id, entries) }));
      const outcome = await written(() => insertAll(documents));
      if (outcome !== undefined) return outcome;
      if (entries.length > 0) log?.moveSoon(records.map(({ id }) => id));
      return 'inserted';
    },

    async replace(record: Stored & Versioned, entries: readonly LogEntry[] = []): Promise<Replacement> {
      const update = { ...updateOf(record, definition), ...log?.carrying(record.id, entries) };
      const outcome = await written(() => collection.updateOne(previous(record), update, retryableWriteOptions()));
      if ('taken' in outcome) return outcome;
      if (outcome.matchedCount === 0) return 'stale';
      if (entries.length > 0) log?.moveSoon([record.id]);
      return 'replaced';
    },

    async putAll(records: readonly (Stored & Versioned)[]) {
      if (records.length === 0) return true;
      const operations = records.map((record) =>
        record.version === 1
          ? { insertOne: { document: documentOf(record, definition) } }
          : { updateOne: { filter: previous(record), update: updateOf(record, definition) } },
      );
      try {
        const outcome = await inTime(() => collection.bulkWrite(operations, { ordered: false }));
        return outcome.insertedCount + outcome.matchedCount === records.length;
      } catch (error) {
        if (isDuplicatesOnly(error)) return false;
        throw error;
      }
    },

    remove: (where: Where) =>
      deleteInChunks(collection, filterOf(where), { prepare: log && ((ids) => log.move(ids)), run: inTime }),
  };
}

/**
 * Returns the result of `write`. If another record has the same value in a unique field, returns the name of that
 * field.
 */
async function written<Result>(write: () => Promise<Result>): Promise<Result | { readonly taken: string }> {
  try {
    return await inTime(write, timeLimits.writeMs);
  } catch (error) {
    const fields = duplicateOf(error);
    if (!fields) throw error;
    // If several documents are inserted at once, the driver reports no field, so `_id` is assumed. In tables with other
    // unique fields, records are inserted one by one.
    const [field = '_id'] = fields;
    return { taken: field === '_id' ? 'id' : field };
  }
}

function parsed<Schema extends RecordSchema>(
  schema: Schema,
  { _id: id, ...fields }: StoredDocument,
  table: string,
): RecordOf<Schema> {
  return readRecord(schema, { ...fields, id }, `the record ${id} of ${table}`);
}

function documentOf<Schema extends RecordSchema>(
  record: RecordOf<Schema> & StoredRecord,
  { derived }: TableDefinition<Schema>,
): StoredDocument {
  const { id: _id, ...fields } = { ...record, ...derived?.(record) };
  return { _id, ...fields };
}

function previous({ id, version }: StoredRecord & Versioned): Filter<StoredDocument> {
  // A missing version counts as 1, because earlier releases did not write the version of some records.
  return { _id: id, version: version === 2 ? { $in: [1, null] } : version - 1 };
}

/**
 * Returns the update. The update keeps fields that are not in the schema, because a newer release may have written
 * them.
 */
function updateOf<Schema extends RecordSchema>(
  record: RecordOf<Schema> & StoredRecord,
  { schema, unversionedField, derived }: TableDefinition<Schema>,
): UpdateFilter<StoredDocument> {
  const absent = Object.fromEntries(Object.keys(schema.shape).map((field) => [field, undefined]));
  const fields: Record<string, unknown> = { ...absent, ...record, ...derived?.(record), id: undefined };
  if (unversionedField !== undefined) {
    for (const [key, value] of Object.entries(fields[unversionedField] ?? {}))
      fields[`${unversionedField}.${key}`] = value ?? undefined;
  }
  const values = Object.entries(fields).filter(([field]) => field !== 'id' && field !== unversionedField);
  const unset = values.filter(([, value]) => value === undefined).map(([field]) => [field, ''] as const);
  return {
    $set: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset) }),
  };
}

function sortOf(sort: NonNullable<Query['sort']>): Record<string, 1 | -1> {
  return Object.fromEntries(
    Object.entries(sort).map(([field, direction]) => [pathOf(field), direction === 'ascending' ? 1 : -1]),
  );
}

function filterOf(where: Where): Filter<StoredDocument> {
  const comparisons = Object.entries(where).map(([field, condition]) => comparison(pathOf(field), condition));
  return comparisons.length > 1 ? { $and: comparisons } : (comparisons[0] ?? {});
}

const pathOf = (field: string): string => (field === 'id' ? '_id' : field);

function comparison(path: string, condition: Condition): Filter<StoredDocument> {
  if (condition === null || typeof condition !== 'object' || condition instanceof Date) return { [path]: condition };
  // With `$exists`, the server can use a partial index that contains only documents with the field.
  if ('ne' in condition) return { [path]: { $ne: null, $exists: true } };
  if ('in' in condition) return { [path]: { $in: condition.in } };
  if ('by' in condition) return { $or: [{ [path]: { $lte: condition.by } }, { [path]: { $gt: condition.farAhead } }] };
  return { [path]: Object.fromEntries(Object.entries(condition).map(([name, value]) => [`$${name}`, value])) };
}
