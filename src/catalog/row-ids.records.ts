// Ids of the catalog's rows. An id consists of a kind, the number of an import (`generation`) and a name. All rows of
// an import or of a source form one range of ids.
import type { CatalogRow, CatalogRows, IdRange } from './catalog-rows.js';
import type { CatalogSource } from './catalog-store.js';

/** Number of rows that are read or removed at once, which takes a few ms in SQLite. */
export const PAGE_ROWS = 300;

/** Id of a drawing, or of the body of an icon. It contains the hash of the content instead of an import number. */
export const drawingId = (etag: string): string => `drawing/${etag}`;
export const entriesOf = (generation: number): string => `entry/${generation}/`;
/** Id prefix of redirect rows. The text of a redirect row is the slug of the target. */
export const redirectsOf = (generation: number): string => `redirect/${generation}/`;
/** Id prefix of source rows. The text of a source row is a `SourceRow` as JSON. */
export const sourcesOf = (generation: number): string => `source/${generation}/`;
/** Id prefix of a source's candidates. `generation`: number of the import that read the source. */
export const candidatesOf = (generation: number, source: string): string =>
  `candidate/${generation}/${inSegment(source)}/`;
/**
 * Id prefix of the rows that list used drawings. The text of a row is a list of etags of the source's candidates,
 * separated by spaces.
 */
export const usesOf = (generation: number, source: string): string => `use/${generation}/${inSegment(source)}/`;

/** Escapes a text for an id. The result must never change, because stored ids contain it. */
function inSegment(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/**
 * Returns the id prefix of the row's group. A group contains the rows of one kind and one import. A group of candidates
 * or used drawings contains only the rows of one source.
 */
export function drawingGroupOf(id: string): string {
  const segments = /^(?:candidate|use)\//.test(id) ? 3 : 2;
  return `${id.split('/', segments).join('/')}/`;
}

export interface SourceRow {
  /** Number of the import that read the candidates of the source. */
  readonly given: number;
  readonly source: CatalogSource;
}

export const sourceRow = ({ text }: CatalogRow): SourceRow => JSON.parse(text) as SourceRow;

/** Returns the range of all ids with this prefix. The prefix must end with a slash. */
export function rangeOf(prefix: string): IdRange {
  // `0` is the character after `/` in ASCII.
  return { after: prefix, before: `${prefix.slice(0, -1)}0` };
}

/** Yields the rows with this prefix in arrays of at most PAGE_ROWS. Calls `beforeEach` before each array is read. */
export async function* pagesOf(
  rows: Pick<CatalogRows, 'page'>,
  prefix: string,
  beforeEach: () => void = () => undefined,
): AsyncGenerator<readonly CatalogRow[]> {
  for (let { after, before } = rangeOf(prefix); ;) {
    beforeEach();
    const page = await rows.page({ after, before }, PAGE_ROWS);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = last.id;
  }
}

export async function countRows(rows: Pick<CatalogRows, 'ids'>, prefix: string): Promise<number> {
  let count = 0;
  for (let { after, before } = rangeOf(prefix); ;) {
    const ids = await rows.ids({ after, before }, PAGE_ROWS);
    count += ids.length;
    const last = ids.at(-1);
    if (last === undefined || ids.length < PAGE_ROWS) return count;
    after = last;
  }
}

/** Reads the sources that the import with this number has written, sorted by id. */
export async function readSources(
  rows: Pick<CatalogRows, 'page'>,
  generation: number,
): Promise<readonly CatalogSource[]> {
  const sources: CatalogSource[] = [];
  for await (const page of pagesOf(rows, sourcesOf(generation)))
    for (const { source } of page.map(sourceRow)) sources.push(source);
  return sources;
}

export async function* chunksOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[]> {
  let chunk: Item[] = [];
  for await (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
