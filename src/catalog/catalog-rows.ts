// Rows of the catalog: texts by id. An import writes new rows beside the published rows. `catalog-store.records.ts`
// implements the catalog on these rows.

export interface CatalogRow {
  readonly id: string;
  readonly text: string;
}

/** The ids between two other ids, in byte order. Both ends are excluded. */
export interface IdRange {
  readonly after: string;
  readonly before: string;
}

/** Every method rejects with AppError `unavailable` while the store cannot be used. */
export interface CatalogRows {
  /** Returns texts by id, and omits missing ids. Resolves or rejects within a second, because requests wait for it. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns the first `limit` rows of a range, sorted by id. Yields to the event loop, so that other work can run
   * between two calls.
   */
  page(range: IdRange, limit: number): Promise<readonly CatalogRow[]>;
  /** Returns only the ids of the rows that `page` returns. */
  ids(range: IdRange, limit: number): Promise<readonly string[]>;
  /**
   * Adds rows for the import with the number `generation`. A row that already exists has the same text. From then on it
   * counts as added by this import. Rejects with AppError `payload_too_large` when a text is larger than the store can
   * keep.
   */
  add(rows: readonly CatalogRow[], generation: number): Promise<void>;
  /** Like `add`, but an existing row gets the new text. */
  put(row: CatalogRow, generation: number): Promise<void>;
  /**
   * Removes rows, unless the import with the number `below` or a newer import has added them. The caller may have been
   * paused and may have lost the import lock meanwhile. It then must not remove rows of a newer import. Returns the
   * number of removed rows.
   */
  remove(ids: readonly string[], below: number): Promise<number>;
}
