// Ids of the catalog's rows: kind, generation and name. Those of one import, or of one source, are a range.
import type { CatalogRow, CatalogRows, IdRange } from './catalog-rows.js';
import type { CatalogSource } from './catalog-store.js';

/** Rows that are read or removed at once: a few ms in SQLite. */
export const PAGE_ROWS = 300;

/** A drawing, or the body of an icon; it is named by its content, and has no generation. */
export const drawingId = (etag: string): string => `drawing/${etag}`;
export const entriesOf = (generation: number): string => `entry/${generation}/`;
/** Text: the slug that it redirects to. */
export const redirectsOf = (generation: number): string => `redirect/${generation}/`;
/** Text: JSON of a `SourceRow`. */
export const sourcesOf = (generation: number): string => `source/${generation}/`;
/** Candidates of the import that has read the source, by their key. */
export const candidatesOf = (generation: number, source: string): string =>
  `candidate/${generation}/${inSegment(source)}/`;
/** Text: the etags of some of these candidates, by spaces. */
export const usesOf = (generation: number, source: string): string => `use/${generation}/${inSegment(source)}/`;

/** Migrations of both families write it in the same way. */
function inSegment(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

/** The prefix that a row shares with the others of its generation, or of its generation and source. */
export function groupOf(id: string): string {
  const segments = /^(?:candidate|use)\//.test(id) ? 3 : 2;
  return `${id.split('/', segments).join('/')}/`;
}

export interface SourceRow {
  /** The generation whose import has read its candidates. */
  readonly given: number;
  readonly source: CatalogSource;
}

export const sourceRow = ({ text }: CatalogRow): SourceRow => JSON.parse(text) as SourceRow;

/** All ids with this prefix, which ends with a slash. */
export function rangeOf(prefix: string): IdRange {
  // `0` follows `/`.
  return { after: prefix, before: `${prefix.slice(0, -1)}0` };
}

/** Every row with this prefix, page by page. `beforeEach` is called before each of them is read. */
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

/** The sources of a generation, by id. */
export async function readSources(
  rows: Pick<CatalogRows, 'page'>,
  generation: number,
): Promise<readonly CatalogSource[]> {
  const sources: CatalogSource[] = [];
  for await (const page of pagesOf(rows, sourcesOf(generation)))
    for (const { source } of page.map(sourceRow)) sources.push(source);
  return sources;
}

/** The items in arrays of at most `size`. */
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
