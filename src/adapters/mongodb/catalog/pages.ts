// Paged reads of large collections: one page in memory, and one operation each.

interface Document<Id> {
  readonly _id: Id;
}

interface Pages<Id, Row extends Document<Id>> {
  /** Those after this id, at most `pageRows`, in the ids' order; undefined before the first. */
  readonly read: (after: Id | undefined) => Promise<readonly Row[]>;
  readonly pageRows: number;
}

export async function* readPages<Id, Row extends Document<Id>>({
  read,
  pageRows,
}: Pages<Id, Row>): AsyncGenerator<readonly Row[]> {
  for (let after: Id | undefined; ;) {
    const rows = await read(after);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last._id;
  }
}

/** The items in arrays of at most `size`. */
export function* inChunks<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
