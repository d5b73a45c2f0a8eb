// Rows of the catalog: texts by id, which an import writes beside the published ones. The logic above them is in `catalog-store.records.ts`.

export interface CatalogRow {
  readonly id: string;
  readonly text: string;
}

/** The ids between two others, which are not among them, in the order of their bytes. */
export interface IdRange {
  readonly after: string;
  readonly before: string;
}

/** Every method rejects with AppError `unavailable` while the store cannot be used. */
export interface CatalogRows {
  /** Texts by id; those that do not exist are left out. Requests wait for it: it takes a second at most. */
  get(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The first rows of a range, at most `limit`, in the order of their ids. Other work runs between two calls. */
  page(range: IdRange, limit: number): Promise<readonly CatalogRow[]>;
  /** Ids of what `page` returns. */
  ids(range: IdRange, limit: number): Promise<readonly string[]>;
  /**
   * Adds the rows of the import of this generation. One that exists already has the same text, and counts as added by this
   * import. Rejects with AppError `payload_too_large` when a text is larger than the store can keep.
   */
  add(rows: readonly CatalogRow[], generation: number): Promise<void>;
  /** As `add`; one that exists gets the new text. */
  put(row: CatalogRow, generation: number): Promise<void>;
  /**
   * Removes rows, but none that an import of generation `below` or a later one has added: a sweep that was paused while its
   * import lost its lock does no harm when it goes on. Returns their number.
   */
  remove(ids: readonly string[], below: number): Promise<number>;
}
