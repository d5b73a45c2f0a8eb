// Export tables: all data of a store family (embedded or cluster) except the catalog. The rows of a table can be read
// in order, and written to the other family.

export interface ExportRow {
  readonly id: string;
}

/** Rows of one kind. All methods reject with AppError `unavailable` if the store cannot be used. */
export interface ExportTable<Row extends ExportRow = ExportRow> {
  /** Plural name of the rows in messages, such as `accounts`. */
  readonly name: string;
  /** Name of the table or collection in the database. */
  readonly table: string;
  /** Number of rows that are read and written at once: 200 by default, fewer if rows are large. */
  readonly atOnce?: number;
  count(): Promise<number>;
  /**
   * Returns at most `limit` rows with ids greater than `after`, sorted by id. An empty `after` returns the first rows.
   */
  read(after: string, limit: number): Promise<readonly Row[]>;
  /** Writes all rows. If a row with the same id exists, writes no row and rejects. */
  write(rows: readonly Row[]): Promise<void>;
}

/** Counts of an account on one UTC day. `id` is `ACCOUNT:DAY`. */
export interface UsageRow extends ExportRow {
  readonly used: Readonly<Record<string, number>>;
}

/** Visitor counter. `id` is the name of the counter. The row does not contain the hashes of today's visitors. */
export interface VisitorCounterRow extends ExportRow {
  readonly total: number;
  /** UTC day of the visits in `today`. */
  readonly day: string;
  readonly today: number;
}
