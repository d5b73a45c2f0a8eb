// Export tables: all data of a store family except the catalog. The rows of a table can be read in order, and written to
// the other family.

export interface ExportRow {
  readonly id: string;
}

/** Rows of one kind. All methods reject with AppError `unavailable`. */
export interface ExportTable<Row extends ExportRow = ExportRow> {
  /** Plural name of the rows for people, such as `accounts`. */
  readonly name: string;
  /** Name of the table or collection in the database. */
  readonly table: string;
  /** Number of rows that are read and written at once, default 200, less for large rows. */
  readonly atOnce?: number;
  count(): Promise<number>;
  /** Returns at most `limit` rows with ids greater than `after`, sorted by id. '' is less than all ids. */
  read(after: string, limit: number): Promise<readonly Row[]>;
  /** Writes all rows or none. Rejects if a row with the same id exists. */
  write(rows: readonly Row[]): Promise<void>;
}

/** Counts of an account on one UTC day. `id` is `ACCOUNT:DAY`. */
export interface UsageRow extends ExportRow {
  readonly used: Readonly<Record<string, number>>;
}

/** Visitor counter. `id` is its name. Each family also stores today's visitors, which a transfer does not copy. */
export interface VisitorCounterRow extends ExportRow {
  readonly total: number;
  /** UTC day of `today`. */
  readonly day: string;
  readonly today: number;
}
