// Tables of records: the operations that differ between store families. Stores are written once above them.
import type { z } from 'zod';
import type { RecordOf } from './stored-record.js';

export type FieldValue = string | number | boolean | Date;

/** Condition of a field. A single value must be equal. Null matches a missing field or null. */
export type Condition =
  | FieldValue
  | null
  | { readonly ne: null }
  | { readonly in: readonly string[] }
  | { readonly gt?: FieldValue; readonly gte?: FieldValue; readonly lt?: FieldValue; readonly lte?: FieldValue }
  /** Matches times until `by`, and times after `farAhead`, which only a wrong clock can have written. */
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
  /** Returns fields that are stored with the record only to search for it. */
  readonly derived?: (record: RecordOf<Schema>) => Readonly<Record<string, FieldValue | undefined>>;
  /** Name of the table of log entries that are written together with these records. */
  readonly log?: string;
  /**
   * Field that is also written without raising the version. `replace` merges the new value into the stored one
   * (RFC 7396): members that the new value does not contain keep their stored values.
   */
  readonly unversionedField?: string;
}

/**
 * Part of a record: some fields that are read without the others. The time of the read does not depend on the size of
 * the record.
 */
export interface TablePart<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
}

/**
 * Result of an insert. `taken`: unique field (possibly `id`) with a value that another record has. Nothing is written.
 */
export type Insertion = 'inserted' | { readonly taken: string };
/** Result of a replacement. `stale`: the stored version differs, or there is no record. Nothing is written. */
export type Replacement = 'replaced' | 'stale' | { readonly taken: string };

export interface Versioned {
  /** Version for compare-and-set: 1 when inserted, raised by one with each replacement. */
  readonly version: number;
}

/**
 * Table of records. A write is durable when its promise resolves. Every method rejects with AppError `unavailable` if
 * the store cannot be used, all except `remove` within a second. The store may still execute a rejected write.
 */
export interface Table<Stored extends { readonly id: string }> {
  get(id: string): Promise<Stored | undefined>;
  find(query: Query): Promise<readonly Stored[]>;
  /** Returns the ids of the records that `find` would return. If an index contains the ids, reads only that index. */
  ids(query: Query): Promise<readonly string[]>;
  /** Returns some fields of the first matching record, or undefined. */
  part<Schema extends RecordSchema>(part: TablePart<Schema>, where: Where): Promise<RecordOf<Schema> | undefined>;
  /** Counts the matching records, but not further than `max`. */
  count(where: Where, max?: number): Promise<number>;
  /** Inserts all records and log entries, or none. */
  insert(records: readonly Stored[], log?: readonly LogEntry[]): Promise<Insertion>;
  /**
   * Compare-and-set: writes the record and the log entries, or neither. Succeeds if the record's version is the stored
   * version plus one.
   */
  replace(record: Stored & Versioned, log?: readonly LogEntry[]): Promise<Replacement>;
  /**
   * Writes each record separately: inserts it if its version is 1, else replaces it. Returns false if some records were
   * not written because another writer has changed them.
   */
  putAll(records: readonly (Stored & Versioned)[]): Promise<boolean>;
  /** Deletes the matching records in small steps. Returns their number. */
  remove(where: Where): Promise<number>;
}

export interface LogEntry {
  readonly id: string;
}

/** Returns the table of a definition in one store family. */
export type Tables = <Schema extends RecordSchema>(
  definition: TableDefinition<Schema>,
) => Table<RecordOf<Schema> & { readonly id: string }>;
