// Sections: everything that a store family keeps in addition to the catalog. Rows can be read in order and written to
// another family.

export interface SectionRow {
  readonly id: string;
}

/** Rows of one kind. All methods reject with AppError `unavailable`. */
export interface Section<Row extends SectionRow = SectionRow> {
  /** Plural name for people, for example `accounts`. */
  readonly name: string;
  /** Table or collection of the rows. */
  readonly table: string;
  /** Rows read and written at once; fewer if they are large. Default: 200. */
  readonly atOnce?: number;
  count(): Promise<number>;
  /** Returns rows sorted by id, starting after this id; '' comes before all ids. */
  read(after: string, limit: number): Promise<readonly Row[]>;
  /** Writes all rows or none. Rejects if a row with the same id already exists. */
  write(rows: readonly Row[]): Promise<void>;
}

/** Counts of an account on one UTC day. `id`: account and day, `ID:DAY`. */
export interface UsageRow extends SectionRow {
  readonly used: Readonly<Record<string, number>>;
}

/** A visitor counter by its name. Each family stores today's visitors separately; a transfer does not copy them. */
export interface VisitorCounterRow extends SectionRow {
  readonly total: number;
  /** UTC day of `today`. */
  readonly day: string;
  readonly today: number;
}
