// Copy of all sections from one store family to the other, and comparison of both.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Section, SectionRow } from '../platform/stores/sections.js';

const USUAL_ROWS = 200;

/** Progress: number of rows of a section that were copied or compared so far. */
export interface TransferProgress {
  readonly section: string;
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: TransferProgress) => void;

export interface Comparison {
  readonly section: string;
  readonly from: Digest;
  readonly to: Digest;
  readonly isEqual: boolean;
}

export interface Digest {
  readonly count: number;
  /** SHA-256 of all rows, sorted by id. */
  readonly sha256: string;
}

/** Copies all sections. `to` must have a section for each name in `from`. */
export async function copySections(from: readonly Section[], to: readonly Section[], onProgress: OnProgress) {
  for (const source of from) {
    const target = sectionIn(to, source.name);
    const total = await source.count();
    let done = 0;
    for await (const rows of pagesOf(source)) {
      await target.write(rows);
      done += rows.length;
      onProgress({ section: source.name, done, total: Math.max(done, total) });
    }
  }
}

export async function compareSections(
  from: readonly Section[],
  to: readonly Section[],
  onProgress: OnProgress,
): Promise<readonly Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [done, source] of from.entries()) {
    // The digests are computed one after the other: reads of SQLite are synchronous, so no reply of a server can arrive
    // during one.
    const digest = await digestOfSection(source);
    comparisons.push(comparisonOf(source.name, digest, await digestOfSection(sectionIn(to, source.name))));
    onProgress({ section: 'kinds of records compared', done: done + 1, total: from.length });
  }
  return comparisons;
}

export function comparisonOf(section: string, from: Digest, to: Digest): Comparison {
  return { section, from, to, isEqual: from.count === to.count && from.sha256 === to.sha256 };
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

function digestOfSection(section: Section): Promise<Digest> {
  return rowsDigest(pagesOf(section));
}

function sectionIn(sections: readonly Section[], name: string): Section {
  const found = sections.find((section) => section.name === name);
  if (!found) throw new Error(`there is no section ${name}`);
  return found;
}

async function* pagesOf(section: Section): AsyncIterable<readonly SectionRow[]> {
  const { atOnce = USUAL_ROWS } = section;
  for (let after = ''; ;) {
    const rows = await section.read(after, atOnce);
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
