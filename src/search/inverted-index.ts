// Inverted index in typed arrays. Binary search finds exact terms and prefixes. Misspelled terms are found by their
// length and letters.
import { at } from '../platform/typed-arrays.js';
import { bitCount, editDistance, letterMask } from '../platform/text/typing-errors.js';

/**
 * Number of bits for flags in a posting (an occurrence of a term). The other bits are the document number.
 * `documents.ts` defines the flags of each index.
 */
export const FLAG_BITS = 5;
const FLAG_MASK = (1 << FLAG_BITS) - 1;

export const documentOf = (posting: number) => posting >>> FLAG_BITS;
export const flagsOf = (posting: number) => posting & FLAG_MASK;

export interface Terms {
  /** Terms sorted by UTF-16 code units, without duplicates. */
  readonly terms: readonly string[];
  /**
   * Term t has the postings (occurrences) from `postings[offsets[t]]` up to, but not including, `postings[offsets[t +
   * 1]]`, in ascending order.
   */
  readonly offsets: Uint32Array;
  readonly postings: Int32Array;
  /**
   * Indexes into `terms`, sorted by the length of the term. The indexes of terms of length n begin at `lengthStarts[n]`
   * and end before `lengthStarts[n + 1]`.
   */
  readonly byLength: Int32Array;
  readonly lengthStarts: Uint32Array;
  /** For each term, in the order of `byLength`: bit mask of the letters that the term contains. */
  readonly masks: Int32Array;
}

/** Number of length classes. All longer terms are in the last class. */
export const LENGTH_CLASSES = 64;
export const lengthClass = (length: number) => Math.min(length, LENGTH_CLASSES - 1);

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

export function findTerm(index: Terms, text: string): number | undefined {
  const term = lowerBound(index.terms, text);
  return index.terms[term] === text ? term : undefined;
}

/** Returns the range [from, to) of the terms that start with this prefix. Includes a term that equals `prefix`. */
export function prefixRange(index: Pick<Terms, 'terms'>, prefix: string): readonly [from: number, to: number] {
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

/**
 * Calls `found` for every term within `limit` edits of `text`, except `text` itself. The first letters must be equal,
 * because people rarely mistype the first letter.
 */
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
    if (index.terms[term]?.charCodeAt(0) !== text.charCodeAt(0)) continue;
    const edits = editDistance(text, index.terms[term] ?? '', limit);
    if (edits > 0 && edits <= limit) found(term, edits);
  }
}

/**
 * Calls `found` for each term that a numeronym may mean. The term has the same first letter, the same last letter, and
 * the stated number of letters between them: "k8s" finds kubernetes.
 */
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

/** Calls `visit` for each posting (occurrence) of a term. */
export function eachPosting(index: Terms, term: number, visit: (document: number, flags: number) => void): void {
  const to = at(index.offsets, term + 1);
  for (let place = at(index.offsets, term); place < to; place++) {
    const posting = at(index.postings, place);
    visit(documentOf(posting), flagsOf(posting));
  }
}
