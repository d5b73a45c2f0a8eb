// A sorted dictionary with postings, kept in typed arrays: exact and prefix by binary search, typing errors by length and letters.
import { bitCount, editDistance, letterMask } from './search-typo.js';

/** What a term points to: a document number and five bits that say how it has the term. */
export const FLAG_BITS = 5;
const FLAG_MASK = (1 << FLAG_BITS) - 1;

export const documentOf = (posting: number) => posting >>> FLAG_BITS;
export const flagsOf = (posting: number) => posting & FLAG_MASK;

export interface Terms {
  /** Sorted by UTF-16 code units, each once. */
  readonly terms: readonly string[];
  /** The postings of term `t` are `postings[offsets[t]]` up to `postings[offsets[t + 1]]`, ascending. */
  readonly offsets: Uint32Array;
  readonly postings: Int32Array;
  /** Term numbers by length: those of length n stand from `lengthStarts[n]` up to `lengthStarts[n + 1]`. */
  readonly byLength: Int32Array;
  readonly lengthStarts: Uint32Array;
  /** Letter masks in the order of `byLength`. */
  readonly masks: Int32Array;
}

/** Longer terms share the last class. */
const LENGTH_CLASSES = 64;
const lengthClass = (length: number) => Math.min(length, LENGTH_CLASSES - 1);

/** Work between two yields; a few thousand cheap steps, about a millisecond. */
export const STEPS_BETWEEN_YIELDS = 8192;

export function collectTerms() {
  const numbers = new Map<string, number>();
  const postingTerms: number[] = [];
  const postings: number[] = [];
  return {
    add(term: string, document: number, flags: number) {
      let number = numbers.get(term);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(term, number);
      }
      postingTerms.push(number);
      postings.push((document << FLAG_BITS) | flags);
    },
    /** `renumber` gives each document its final number. Yields between steps of work, so that the caller may pause. */
    *finish(renumber: Int32Array): Generator<undefined, Terms> {
      const terms = yield* sorted([...numbers.keys()]);
      const ranks = new Int32Array(terms.length);
      for (let rank = 0; rank < terms.length; rank++) {
        ranks[numbers.get(terms[rank] ?? '') ?? 0] = rank;
        if (rank % STEPS_BETWEEN_YIELDS === 0) yield;
      }
      numbers.clear();
      const grouped = yield* groupPostings({ postingTerms, postings, ranks, renumber });
      return { terms, ...grouped, ...(yield* groupByLength(terms)) };
    },
  };
}

/** Bottom-up merge sort in small steps: one built-in sort of half a million strings would hold everything up. */
function* sorted(strings: string[]): Generator<undefined, string[]> {
  const size = 2048;
  let runs: string[][] = [];
  for (let at = 0; at < strings.length; at += size) {
    runs.push(strings.slice(at, at + size).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly string[], right: readonly string[]): Generator<undefined, string[]> {
  const out: string[] = [];
  let i = 0;
  let j = 0;
  for (let a = left[0], b = right[0]; a !== undefined || b !== undefined; ) {
    if (b === undefined || (a !== undefined && a <= b)) {
      if (a !== undefined) out.push(a);
      a = left[++i];
    } else {
      out.push(b);
      b = right[++j];
    }
    if (out.length % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  return out;
}

interface Ungrouped {
  readonly postingTerms: readonly number[];
  readonly postings: readonly number[];
  readonly ranks: Int32Array;
  readonly renumber: Int32Array;
}

function* groupPostings(of: Ungrouped): Generator<undefined, Pick<Terms, 'offsets' | 'postings'>> {
  const offsets = new Uint32Array(of.ranks.length + 1);
  const rankAt = (at: number) => of.ranks[of.postingTerms[at] ?? 0] ?? 0;
  for (let at = 0; at < of.postings.length; at++) {
    const next = rankAt(at) + 1;
    offsets[next] = (offsets[next] ?? 0) + 1;
    if (at % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  for (let term = 0; term < of.ranks.length; term++) offsets[term + 1] = (offsets[term + 1] ?? 0) + (offsets[term] ?? 0);
  const fill = offsets.slice();
  const postings = new Int32Array(of.postings.length);
  for (let at = 0; at < of.postings.length; at++) {
    const posting = of.postings[at] ?? 0;
    const rank = rankAt(at);
    const to = fill[rank] ?? 0;
    fill[rank] = to + 1;
    postings[to] = ((of.renumber[documentOf(posting)] ?? 0) << FLAG_BITS) | flagsOf(posting);
    if (at % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  for (let term = 0; term < of.ranks.length; term++) {
    const from = offsets[term] ?? 0;
    const to = offsets[term + 1] ?? 0;
    if (to - from > 1) postings.subarray(from, to).sort();
    if (term % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  return { offsets, postings };
}

function* groupByLength(terms: readonly string[]): Generator<undefined, Pick<Terms, 'byLength' | 'lengthStarts' | 'masks'>> {
  const lengthStarts = new Uint32Array(LENGTH_CLASSES + 1);
  for (const term of terms) {
    const next = lengthClass(term.length) + 1;
    lengthStarts[next] = (lengthStarts[next] ?? 0) + 1;
  }
  for (let length = 0; length < LENGTH_CLASSES; length++) {
    lengthStarts[length + 1] = (lengthStarts[length + 1] ?? 0) + (lengthStarts[length] ?? 0);
  }
  const fill = lengthStarts.slice();
  const byLength = new Int32Array(terms.length);
  const masks = new Int32Array(terms.length);
  for (let rank = 0; rank < terms.length; rank++) {
    const term = terms[rank] ?? '';
    const length = lengthClass(term.length);
    const to = fill[length] ?? 0;
    fill[length] = to + 1;
    byLength[to] = rank;
    masks[to] = letterMask(term);
    if (rank % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  return { byLength, lengthStarts, masks };
}

/** The first term that is not before `text`. */
function lowerBound(terms: readonly string[], text: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The term's number, or undefined. */
export function findTerm(index: Terms, text: string): number | undefined {
  const at = lowerBound(index.terms, text);
  return index.terms[at] === text ? at : undefined;
}

/** Terms that begin with `prefix` (itself among them): [from, to). */
export function prefixRange(index: Terms, prefix: string): readonly [from: number, to: number] {
  const from = lowerBound(index.terms, prefix);
  let to = index.terms.length;
  let low = from;
  while (low < to) {
    const middle = (low + to) >>> 1;
    if ((index.terms[middle] ?? '').startsWith(prefix)) low = middle + 1;
    else to = middle;
  }
  return [from, to];
}

/** Calls back for every term within `limit` edits of `text`, itself left out. */
export function eachNear(index: Terms, text: string, limit: number, found: (term: number, edits: number) => void): void {
  const mask = letterMask(text);
  const from = index.lengthStarts[lengthClass(Math.max(1, text.length - limit))] ?? 0;
  const to = index.lengthStarts[lengthClass(text.length + limit) + 1] ?? 0;
  for (let at = from; at < to; at++) {
    const other = index.masks[at] ?? 0;
    if (bitCount(mask & ~other) > limit || bitCount(other & ~mask) > limit) continue;
    const term = index.byLength[at] ?? 0;
    const edits = editDistance(text, index.terms[term] ?? '', limit);
    if (edits > 0 && edits <= limit) found(term, edits);
  }
}

/** Terms with this first and last letter and so many between: "k8s" is kubernetes. */
export function eachNumeronym(index: Terms, text: string, found: (term: number) => void): void {
  const parts = /^([a-z])(\d{1,2})([a-z])$/.exec(text);
  if (!parts) return;
  const [, first = '', count = '', last = ''] = parts;
  const length = Number(count) + 2;
  if (Number(count) < 2 || length >= LENGTH_CLASSES - 1) return;
  for (let at = index.lengthStarts[length] ?? 0; at < (index.lengthStarts[length + 1] ?? 0); at++) {
    const term = index.byLength[at] ?? 0;
    const word = index.terms[term] ?? '';
    if (word.startsWith(first) && word.endsWith(last)) found(term);
  }
}
