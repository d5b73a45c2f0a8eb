// Sections: everything that a family of stores keeps beside the catalog, as rows that can be read in order and written to another family.

export interface SectionRow {
  readonly id: string;
}

/** Rows of one kind. Both methods reject with AppError `unavailable`. */
export interface Section<Row extends SectionRow = SectionRow> {
  /** Name for people, in the plural: `accounts`. */
  readonly name: string;
  /** Its table, or collection. */
  readonly table: string;
  /** Rows that are read and written at once, fewer where they are large. Absent: 200. */
  readonly atOnce?: number;
  count(): Promise<number>;
  /** In the order of their ids, those after this one; '' is before all. */
  read(after: string, limit: number): Promise<readonly Row[]>;
  /** All or none. Rejects when a row with the same id is stored already. */
  write(rows: readonly Row[]): Promise<void>;
}

/** Counts of an account on one UTC day; `id`: account and day, `ID:DAY`. */
export interface UsageRow extends SectionRow {
  readonly used: Readonly<Record<string, number>>;
}

/** A visitor counter by its name. Who visited today is each family's own, and begins anew. */
export interface VisitorCounterRow extends SectionRow {
  readonly total: number;
  /** UTC day of `today`. */
  readonly day: string;
  readonly today: number;
}
