// Inverted index in typed arrays: exact and prefix search by binary search, misspelled terms by length and letters.
import { at, increment, createIntegerList, sumUp, type IntegerList } from './typed-arrays.js';
import { bitCount, editDistance, letterMask } from './edit-distance.js';

/** A posting is a document number and five flag bits, whose meaning is the collector's. */
const FLAG_BITS = 5;
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

/** Many small maps instead of one: a map of half a million keys blocks the event loop for 50 ms whenever it grows. */
const SHARDS = 128;

function createNumbering() {
  const shards = Array.from({ length: SHARDS }, () => new Map<string, number>());
  let size = 0;
  const shardOf = (term: string) =>
    shards[(term.charCodeAt(0) * 31 + term.charCodeAt(term.length - 1) * 7 + term.length) % SHARDS];
  return {
    numberOf(term: string): number {
      const shard = shardOf(term);
      let number = shard?.get(term);
      if (number === undefined) {
        number = size++;
        shard?.set(term, number);
      }
      return number;
    },
    *drain(): Generator<undefined, { readonly terms: string[]; readonly ranks: Int32Array }> {
      const all: string[] = [];
      for (const shard of shards) {
        for (const term of shard.keys()) all.push(term);
        yield;
      }
      const terms = yield* sorted(all);
      const ranks = new Int32Array(terms.length);
      for (const [rank, term] of terms.entries()) {
        ranks[shardOf(term)?.get(term) ?? 0] = rank;
        if (rank % STEPS_BETWEEN_YIELDS === 0) yield;
      }
      shards.length = 0;
      return { terms, ranks };
    },
  };
}

export function collectTerms() {
  const numbering = createNumbering();
  const postingTerms = createIntegerList();
  const postings = createIntegerList();
  return {
    /** `term` is not empty. */
    add(term: string, document: number, flags: number) {
      postingTerms.push(numbering.numberOf(term));
      postings.push((document << FLAG_BITS) | flags);
    },
    /** `renumber` gives each document its final number. Yields between steps of work, so that the caller can run other work. */
    *finish(renumber: Int32Array): Generator<undefined, Terms> {
      const { terms, ranks } = yield* numbering.drain();
      const grouped = yield* groupPostings({ postingTerms, postings, ranks, renumber });
      return { terms, ...grouped, ...(yield* groupByLength(terms)) };
    },
  };
}

/** Bottom-up merge sort in small steps: one built-in sort of half a million strings would block the event loop. */
function* sorted(strings: string[]): Generator<undefined, string[]> {
  const size = 2048;
  let runs: string[][] = [];
  for (let from = 0; from < strings.length; from += size) {
    runs.push(strings.slice(from, from + size).sort());
    yield;
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let run = 0; run < runs.length; run += 2) merged.push(yield* merge(runs[run] ?? [], runs[run + 1] ?? []));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(left: readonly string[], right: readonly string[]): Generator<undefined, string[]> {
  const out: string[] = [];
  let i = 0;
  let j = 0;
  for (let a = left[0], b = right[0]; a !== undefined || b !== undefined;) {
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
  readonly postingTerms: IntegerList;
  readonly postings: IntegerList;
  readonly ranks: Int32Array;
  readonly renumber: Int32Array;
}

function* groupPostings(of: Ungrouped): Generator<undefined, Pick<Terms, 'offsets' | 'postings'>> {
  const offsets = new Uint32Array(of.ranks.length + 1);
  const count = of.postings.length();
  const rankOf = (index: number) => at(of.ranks, of.postingTerms.at(index));
  for (let index = 0; index < count; index++) {
    increment(offsets, rankOf(index) + 1);
    if (index % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  sumUp(offsets);
  const next = offsets.slice();
  const postings = new Int32Array(count);
  for (let index = 0; index < count; index++) {
    const posting = of.postings.at(index);
    const to = increment(next, rankOf(index));
    postings[to] = (at(of.renumber, documentOf(posting)) << FLAG_BITS) | flagsOf(posting);
    if (index % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  for (let term = 0; term < of.ranks.length; term++) {
    const [from, to] = [at(offsets, term), at(offsets, term + 1)];
    if (to - from > 1) postings.subarray(from, to).sort();
    if (term % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  return { offsets, postings };
}

function* groupByLength(
  terms: readonly string[],
): Generator<undefined, Pick<Terms, 'byLength' | 'lengthStarts' | 'masks'>> {
  const lengthStarts = new Uint32Array(LENGTH_CLASSES + 1);
  for (const [rank, term] of terms.entries()) {
    increment(lengthStarts, lengthClass(term.length) + 1);
    if (rank % STEPS_BETWEEN_YIELDS === 0) yield;
  }
  sumUp(lengthStarts);
  const next = lengthStarts.slice();
  const byLength = new Int32Array(terms.length);
  const masks = new Int32Array(terms.length);
  for (const [rank, term] of terms.entries()) {
    const to = increment(next, lengthClass(term.length));
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
  const term = lowerBound(index.terms, text);
  return index.terms[term] === text ? term : undefined;
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
export function eachNear(
  index: Terms,
  text: string,
  limit: number,
  found: (term: number, edits: number) => void,
): void {
  const mask = letterMask(text);
  const from = at(index.lengthStarts, lengthClass(Math.max(1, text.length - limit)));
  const to = at(index.lengthStarts, lengthClass(text.length + limit) + 1);
  for (let place = from; place < to; place++) {
    const other = at(index.masks, place);
    if (bitCount(mask & ~other) > limit || bitCount(other & ~mask) > limit) continue;
    const term = at(index.byLength, place);
    const edits = editDistance(text, index.terms[term] ?? '', limit);
    if (edits > 0 && edits <= limit) found(term, edits);
  }
}

/** Terms with this first and last letter and so many between: "k8s" is kubernetes. */
export function eachNumeronym(index: Terms, text: string, found: (term: number) => void): void {
  const [, first, count, last] = /^([a-z])(\d{1,2})([a-z])$/.exec(text) ?? [];
  const length = Number(count ?? 0) + 2;
  if (first === undefined || last === undefined || length < 5 || length >= LENGTH_CLASSES - 1) return;
  for (let place = at(index.lengthStarts, length); place < at(index.lengthStarts, length + 1); place++) {
    const term = at(index.byLength, place);
    const word = index.terms[term] ?? '';
    if (word.startsWith(first) && word.endsWith(last)) found(term);
  }
}

/** Calls back for each posting of a term. */
export function eachPosting(index: Terms, term: number, visit: (document: number, flags: number) => void): void {
  const to = at(index.offsets, term + 1);
  for (let place = at(index.offsets, term); place < to; place++) {
    const posting = at(index.postings, place);
    visit(documentOf(posting), flagsOf(posting));
  }
}
