// Copy of all tables from one store family (SQLite or MongoDB) to the other, and comparison of both.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportTable, ExportRow } from '../platform/stores/export-tables.js';

const USUAL_ROWS = 200;

/** Number of rows that were copied or compared so far. */
export interface TransferProgress {
  /** Plural name of the rows, such as `accounts`. */
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: TransferProgress) => void;

export interface Comparison {
  /** Plural name of the rows, such as `accounts`. */
  readonly what: string;
  readonly from: Digest;
  readonly to: Digest;
  readonly isEqual: boolean;
}

export interface Digest {
  readonly count: number;
  /** SHA-256 of all rows, sorted by id. */
  readonly sha256: string;
}

/** Copies all tables. `to` must have a table for each name in `from`. */
export async function copyTables(from: readonly ExportTable[], to: readonly ExportTable[], onProgress: OnProgress) {
  for (const source of from) {
    const target = tableIn(to, source.name);
    const total = await source.count();
    let done = 0;
    for await (const rows of pagesOf(source)) {
      await target.write(rows);
      done += rows.length;
      onProgress({ what: source.name, done, total: Math.max(done, total) });
    }
  }
}

export async function compareTables(
  from: readonly ExportTable[],
  to: readonly ExportTable[],
  onProgress: OnProgress,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [done, source] of from.entries()) {
    // The digests are computed one after the other. If both were computed at once, the synchronous reads of SQLite
    // would delay the replies of the database server.
    const digest = await digestOfTable(source);
    comparisons.push(comparisonOf(source.name, digest, await digestOfTable(tableIn(to, source.name))));
    onProgress({ what: 'kinds of records compared', done: done + 1, total: from.length });
  }
  return comparisons;
}

export function comparisonOf(what: string, from: Digest, to: Digest): Comparison {
  return { what, from, to, isEqual: from.count === to.count && from.sha256 === to.sha256 };
}

/** Returns the digest of `rows`, which must be sorted by id. */
export async function rowsDigest(rows: AsyncIterable<readonly unknown[]>): Promise<Digest> {
  const sha256 = createHash('sha256');
  let count = 0;
  for await (const page of rows) {
    for (const row of page) sha256.update(`${canonical(row)}\n`);
    count += page.length;
  }
  return { count, sha256: sha256.digest('hex') };
}

function digestOfTable(table: ExportTable): Promise<Digest> {
  return rowsDigest(pagesOf(table));
}

function tableIn(tables: readonly ExportTable[], name: string): ExportTable {
  const found = tables.find((table) => table.name === name);
  if (!found) throw new Error(`there is no table ${name}`);
  return found;
}

async function* pagesOf(table: ExportTable): AsyncIterable<readonly ExportRow[]> {
  const { atOnce = USUAL_ROWS } = table;
  for (let after = ''; ;) {
    const rows = await table.read(after, atOnce);
    await nextTurn();
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    after = last.id;
  }
}

/** Returns JSON text in which the fields of each object are sorted by name. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
