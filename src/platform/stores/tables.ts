// Tables of records: the operations in which the families of stores differ. The logic above them is in `stores/`, written once.
import type { z } from 'zod';
import type { RecordOf } from './stored-record.js';

export type FieldValue = string | number | boolean | Date;

/** One value: equal. Null: absent or null. */
export type Condition =
  | FieldValue
  | null
  | { readonly ne: null }
  | { readonly in: readonly string[] }
  | { readonly gt?: FieldValue; readonly gte?: FieldValue; readonly lt?: FieldValue; readonly lte?: FieldValue }
  /** Not later than `by`, or later than `farAhead`: a time beyond any valid one was written by a wrong clock. */
  | { readonly by: Date; readonly farAhead: Date };

/** Conditions of indexed fields, by name or path (`billing.customerId`); all must hold. */
export type Where = Readonly<Record<string, Condition>>;

export interface Query {
  readonly where?: Where;
  /** Indexed fields. */
  readonly sort?: Readonly<Record<string, 'ascending' | 'descending'>>;
  readonly limit?: number;
}

export type RecordSchema = z.ZodType<{ readonly id: string }> & { readonly shape: Readonly<Record<string, z.ZodType>> };

export interface TableDefinition<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
  /** Fields that are written with a record to search it by, and not read. */
  readonly derived?: (record: RecordOf<Schema>) => Readonly<Record<string, FieldValue | undefined>>;
  /** Name of the table of entries that are written with the records of this one. */
  readonly log?: string;
  /**
   * Field that is also written without a new version. `replace` merges it into the stored one (RFC 7396): what it does not
   * name stays.
   */
  readonly unversionedField?: string;
}

/** Fields of a record that are read alone, in a time that does not depend on the rest. */
export interface TablePart<Schema extends RecordSchema> {
  readonly name: string;
  readonly schema: Schema;
}

/** `taken`: the unique field (`id` among them) whose value another record has; then nothing is written. */
export type Insertion = 'inserted' | { readonly taken: string };
/** `stale`: the stored version is another one, or there is none. */
export type Replacement = 'replaced' | 'stale' | { readonly taken: string };

/** A record that is replaced. */
export interface Versioned {
  /** 1 when it is inserted; rises by one with each replacement. */
  readonly version: number;
}

/**
 * Records of one kind. A write is durable when its promise resolves. Every method rejects with AppError `unavailable` while
 * the store cannot be used, all but `remove` within a second; a write that was rejected so may still be carried out.
 */
export interface Table<Stored extends { readonly id: string }> {
  get(id: string): Promise<Stored | undefined>;
  find(query: Query): Promise<readonly Stored[]>;
  /** Ids of what `find` returns; no records are read where an index has them. */
  ids(query: Query): Promise<readonly string[]>;
  /** The part of a record that matches. */
  part<Schema extends RecordSchema>(part: TablePart<Schema>, where: Where): Promise<RecordOf<Schema> | undefined>;
  /** Counts up to `max`. */
  count(where: Where, max?: number): Promise<number>;
  /** All or none, and with them the entries of the log. */
  insert(records: readonly Stored[], log?: readonly LogEntry[]): Promise<Insertion>;
  /** Compare and set: if the stored version is the one before that of the record. With it the entries of the log, or neither. */
  replace(record: Stored & Versioned, log?: readonly LogEntry[]): Promise<Replacement>;
  /**
   * Each by itself: inserted if its version is 1, else as `replace`. False when another writer was first with one of them, so
   * that it was not written.
   */
  putAll(records: readonly (Stored & Versioned)[]): Promise<boolean>;
  /** Deletes the matching records, in short steps; how many there were. */
  remove(where: Where): Promise<number>;
}

export interface LogEntry {
  readonly id: string;
}

/** The table of a definition, in one family of stores. */
export type Tables = <Schema extends RecordSchema>(
  definition: TableDefinition<Schema>,
) => Table<RecordOf<Schema> & { readonly id: string }>;
