// Tables of records: the operations that differ between the store families. The logic on top of them is written once.
import type { z } from 'zod';
import type { RecordOf } from './stored-record.js';

export type FieldValue = string | number | boolean | Date;

/** Condition of a field. A single value means equal. Null means absent or null. */
export type Condition =
  | FieldValue
  | null
  | { readonly ne: null }
  | { readonly in: readonly string[] }
  | { readonly gt?: FieldValue; readonly gte?: FieldValue; readonly lt?: FieldValue; readonly lte?: FieldValue }
  /** Not later than `by`, or later than `farAhead`: a time beyond every valid one was written by a wrong clock. */
  | { readonly by: Date; readonly farAhead: Date };

/** Conditions of indexed fields, by name or path (`billing.customerId`). All must hold. */
export type Where = Readonly<Record<string, Condition>>;

export interface Query {
  readonly where?: Where;
  /** Sort order by indexed field. */
  readonly sort?: Readonly<Record<string, 'ascending' | 'descending'>>;
  readonly limit?: number;
}

export type RecordSchema = z.ZodType<{ readonly id: string }> & { readonly shape: Readonly<Record<string, z.ZodType>> };

export interface TableDefinition<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
  /** Returns fields that are written with a record only to search it. */
  readonly derived?: (record: RecordOf<Schema>) => Readonly<Record<string, FieldValue | undefined>>;
  /** Name of the table of log entries that are written with these records. */
  readonly log?: string;
  /**
   * Field that is also written without a new version. `replace` merges it into the stored value (RFC 7396), so members
   * that it does not name stay unchanged.
   */
  readonly unversionedField?: string;
}

/** Fields of a record that are read alone. The time does not depend on the rest of the record. */
export interface TablePart<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
}

/** `taken`: unique field (possibly `id`) with a value that another record already has; nothing is written. */
export type Insertion = 'inserted' | { readonly taken: string };
/** `stale`: the stored version differs, or there is no record. */
export type Replacement = 'replaced' | 'stale' | { readonly taken: string };

/** A record that can be replaced. */
export interface Versioned {
  /** Version: 1 when inserted, raised by one with each replacement. */
  readonly version: number;
}

/**
 * Records of one kind. A write is durable when its promise resolves. Every method rejects with AppError `unavailable`
 * while the store cannot be used, all except `remove` within a second. A write rejected this way may still be carried
 * out.
 */
export interface Table<Stored extends { readonly id: string }> {
  get(id: string): Promise<Stored | undefined>;
  find(query: Query): Promise<readonly Stored[]>;
  /** Returns the ids of the records that `find` returns. Reads no records if an index contains the ids. */
  ids(query: Query): Promise<readonly string[]>;
  /** Returns the part of a matching record. */
  part<Schema extends RecordSchema>(part: TablePart<Schema>, where: Where): Promise<RecordOf<Schema> | undefined>;
  /** Counts up to `max`. */
  count(where: Where, max?: number): Promise<number>;
  /** Inserts all records and log entries, or none. */
  insert(records: readonly Stored[], log?: readonly LogEntry[]): Promise<Insertion>;
  /**
   * Compare and set: writes the record and the log entries, or neither. Succeeds if the stored version is the one
   * before the record's.
   */
  replace(record: Stored & Versioned, log?: readonly LogEntry[]): Promise<Replacement>;
  /**
   * Writes each record by itself: inserts it if its version is 1, otherwise replaces it. Returns false if another
   * writer was first with one of them, so that it was not written.
   */
  putAll(records: readonly (Stored & Versioned)[]): Promise<boolean>;
  /** Deletes the matching records in short steps. Returns their number. */
  remove(where: Where): Promise<number>;
}

export interface LogEntry {
  readonly id: string;
}

/** Returns the table of a definition, in one store family. */
export type Tables = <Schema extends RecordSchema>(
  definition: TableDefinition<Schema>,
) => Table<RecordOf<Schema> & { readonly id: string }>;
