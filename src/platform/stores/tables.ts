// Tables of records: the operations that SQLite and MongoDB implement differently. Most stores need only these
// operations, so one implementation of the store serves both databases.
import type { z } from 'zod';
import type { RecordOf } from './stored-record.js';

export type FieldValue = string | number | boolean | Date;

/** Condition for a field. A plain value matches an equal field. Null matches null and a missing field. */
export type Condition =
  | FieldValue
  | null
  | { readonly ne: null }
  | { readonly in: readonly string[] }
  | { readonly gt?: FieldValue; readonly gte?: FieldValue; readonly lt?: FieldValue; readonly lte?: FieldValue }
  /** Matches times until `by`. Also matches times after `farAhead`, because they come from a wrong clock. */
  | { readonly by: Date; readonly farAhead: Date };

/** Conditions of indexed fields, by name or path (`billing.customerId`). All conditions must hold. */
export type Where = Readonly<Record<string, Condition>>;

export interface Query {
  readonly where?: Where;
  readonly sort?: Readonly<Record<string, 'ascending' | 'descending'>>;
  readonly limit?: number;
}

export type RecordSchema = z.ZodType<{ readonly id: string }> & { readonly shape: Readonly<Record<string, z.ZodType>> };

export interface TableDefinition<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
  /** Returns additional fields that are stored with the record only so that queries can use them. */
  readonly derived?: (record: RecordOf<Schema>) => Readonly<Record<string, FieldValue | undefined>>;
  /**
   * Name of the table with log entries. `insert` and `replace` write records of this table together with log entries.
   */
  readonly log?: string;
  /**
   * Field that can also be written without increasing the version of the record. Even `replace` does not overwrite the
   * whole field. It merges the new value into the stored value (RFC 7396): members that the new value does not contain
   * keep their stored values.
   */
  readonly unversionedField?: string;
}

/**
 * Part of a record: some fields that are read without the other fields. The duration of the read does not depend on the
 * size of the record.
 */
export interface TablePart<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Result of an insert. `inserted`: all records are written. `taken`: nothing is written, because another record has the
 * same value in this unique field (possibly `id`).
 */
export type Insertion = 'inserted' | { readonly taken: string };
/**
 * Result of a replacement. `replaced`: the record is written. `stale`: nothing is written, because the stored version
 * differs or there is no record. `taken`: nothing is written, because another record has the same value in this unique
 * field.
 */
export type Replacement = 'replaced' | 'stale' | { readonly taken: string };

export interface Versioned {
  /** Version for compare-and-set writes: 1 after the insert. Each replacement increases it by one. */
  readonly version: number;
}

/**
 * Table of records. A write is durable when its promise resolves. Every method rejects with AppError `unavailable` if
 * the store cannot be used. All methods except `remove` settle within a second. The store may execute a write although
 * its promise was rejected.
 */
export interface Table<Stored extends { readonly id: string }> {
  get(id: string): Promise<Stored | undefined>;
  find(query: Query): Promise<readonly Stored[]>;
  /** Returns the ids of the records that `find` would return. If an index contains the ids, reads only that index. */
  ids(query: Query): Promise<readonly string[]>;
  /** Returns some fields of the first matching record, or undefined. */
  part<Schema extends RecordSchema>(part: TablePart<Schema>, where: Where): Promise<RecordOf<Schema> | undefined>;
  /** Counts the matching records. Stops counting at `max`. */
  count(where: Where, max?: number): Promise<number>;
  /** Inserts all records and log entries, or none. */
  insert(records: readonly Stored[], log?: readonly LogEntry[]): Promise<Insertion>;
  /**
   * Compare-and-set: writes the record and its log entries, or neither. The record is written only if its version is
   * the stored version plus one.
   */
  replace(record: Stored & Versioned, log?: readonly LogEntry[]): Promise<Replacement>;
  /**
   * Writes each record separately: inserts it if its version is 1, otherwise replaces the stored record. Returns false
   * if some records were not written because another writer has changed them.
   */
  putAll(records: readonly (Stored & Versioned)[]): Promise<boolean>;
  /** Deletes the matching records in small steps. Returns their number. */
  remove(where: Where): Promise<number>;
}

export interface LogEntry {
  readonly id: string;
}

/** Returns the table for a definition, in SQLite or MongoDB. */
export type Tables = <Schema extends RecordSchema>(
  definition: TableDefinition<Schema>,
) => Table<RecordOf<Schema> & { readonly id: string }>;
