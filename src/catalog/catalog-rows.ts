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
  /** Returns texts by id. Omits missing ids. Resolves or rejects within a second, because requests wait for it. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Returns the first `limit` rows of a range, sorted by id. Yields to the event loop, so that other work can run
   * between two calls.
   */
  page(range: IdRange, limit: number): Promise<readonly CatalogRow[]>;
  /** Returns the ids of the rows that `page` returns, without their texts. */
  ids(range: IdRange, limit: number): Promise<readonly string[]>;
  /**
   * Adds rows for the import with the number `generation`. Rows that already exist must have the same text. They then
   * count as added by this import. Rejects with AppError `payload_too_large` if a text is larger than the store can
   * keep.
   */
  add(rows: readonly CatalogRow[], generation: number): Promise<void>;
  /** Adds a row like `add`. If the row already exists, it gets the new text. */
  put(row: CatalogRow, generation: number): Promise<void>;
  /**
   * Removes the rows with these ids that belong to imports with a number below `below`. Rows of newer imports stay,
   * because a paused caller may have lost the import lock to a newer import. Returns the number of removed rows.
   */
  remove(ids: readonly string[], below: number): Promise<number>;
}
