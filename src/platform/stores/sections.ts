// Sections: all data of a store family except the catalog. The rows of a section can be read in order, and written to
// the other family.

export interface SectionRow {
  readonly id: string;
}

/** Rows of one kind. All methods reject with AppError `unavailable`. */
export interface Section<Row extends SectionRow = SectionRow> {
  /** Plural name of the rows for people, such as `accounts`. */
  readonly name: string;
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
export interface UsageRow extends SectionRow {
  readonly used: Readonly<Record<string, number>>;
}

/** Visitor counter. `id` is its name. Each family also stores today's visitors, which a transfer does not copy. */
export interface VisitorCounterRow extends SectionRow {
  readonly total: number;
  /** UTC day of `today`. */
  readonly day: string;
  readonly today: number;
}
