// Builds the inverted index in slices of about a millisecond.
import { letterMask } from '../platform/text/typing-errors.js';
import { documentOf, FLAG_BITS, flagsOf, LENGTH_CLASSES, lengthClass, type Terms } from './inverted-index.js';
import { sorted } from '../platform/concurrency/time-slices.js';
import { at, createIntegerList, increment, sumUp, type IntegerList } from '../platform/typed-arrays.js';

/** Number of simple steps between two yields. This many steps take about a millisecond. */
export const STEPS_BETWEEN_YIELDS = 8192;

/**
 * Number of maps over which the terms are distributed. A single map of half a million keys would block the event loop
 * for 50 ms whenever it grows.
 */
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
    *drain(): Generator<undefined, { readonly terms: readonly string[]; readonly ranks: Int32Array }> {
      const all: string[] = [];
      for (const shard of shards) {
        for (const term of shard.keys()) all.push(term);
        yield;
      }
      const terms = yield* sorted(all, byCodeUnits);
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
    /** Adds an occurrence (posting) of a term in a document. `term` must not be empty. */
    add(term: string, document: number, flags: number) {
      postingTerms.push(numbering.numberOf(term));
      postings.push((document << FLAG_BITS) | flags);
    },
    /**
     * Builds the sorted terms. `renumber`: provisional document number → final document number. Yields regularly, so
     * that the caller can run other work.
     */
    *finish(renumber: Int32Array): Generator<undefined, Terms> {
      const { terms, ranks } = yield* numbering.drain();
      const grouped = yield* groupPostings({ postingTerms, postings, ranks, renumber });
      return { terms, ...grouped, ...(yield* groupByLength(terms)) };
    },
  };
}

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : 1);

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
