// Edit distance between words, and the number of typing errors that a word may have.
import { at } from '../typed-arrays.js';

/**
 * Returns the allowed number of edits for a word of this length: 0 for up to 3 letters, 1 for 4 to 7 letters, 2 for
 * longer words.
 */
export function maxEdits(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Returns the allowed number of edits for a second search, if the first search has found nothing. Words with 7 letters
 * may have 2 edits instead of 1. Longer words always may have 2. Shorter words keep their limit, because with 2 edits
 * "nestle" would find NestJS.
 */
export function lastResortEdits(word: string): number {
  return word.length > 6 ? 2 : maxEdits(word.length);
}

/**
 * Returns a mask with one bit per letter. Digits and letters of other scripts share the remaining bits. Comparing masks
 * excludes most words without comparing their letters.
 */
export function letterMask(word: string): number {
  let mask = 0;
  for (let at = 0; at < word.length; at++) {
    const unit = word.charCodeAt(at);
    mask |= unit >= 97 && unit <= 122 ? 1 << (unit - 97) : 1 << (26 + (unit % 6));
  }
  return mask;
}

export function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

const MAX_LENGTH = 128;
const row = () => new Uint8Array(MAX_LENGTH + 1);
const [rowA, rowB, rowC] = [row(), row(), row()];

/**
 * Returns the optimal string alignment distance (Damerau 1964): the number of insertions, deletions, substitutions and
 * swaps of neighboring letters. Returns `limit + 1` if the distance is greater than `limit`. Words with more than 128
 * UTF-16 units never match.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1;
  if (Math.abs(a.length - b.length) > limit || a.length > MAX_LENGTH || b.length > MAX_LENGTH) return tooFar;
  let [beforeLast, last, next] = [rowA, rowB, rowC];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    if (fillRow({ a, b, i, limit, beforeLast, last, next }) > limit) return tooFar;
    [beforeLast, last, next] = [last, next, beforeLast];
  }
  return Math.min(at(last, b.length), tooFar);
}

interface Row {
  readonly a: string;
  readonly b: string;
  readonly i: number;
  readonly limit: number;
  readonly beforeLast: Uint8Array;
  readonly last: Uint8Array;
  readonly next: Uint8Array;
}

/**
 * Fills row i of the table of edit distances. Omits the cells whose distance must exceed `limit` (Ukkonen's
 * algorithm). Returns the lowest distance in the row.
 */
function fillRow({ a, b, i, limit, beforeLast, last, next }: Row): number {
  const unit = a.charCodeAt(i - 1);
  const before = i > 1 ? a.charCodeAt(i - 2) : -1;
  const from = Math.max(1, i - limit);
  const to = Math.min(b.length, i + limit);
  let least = from === 1 ? Math.min(i, limit + 1) : limit + 1;
  next[from - 1] = least;
  for (let j = from; j <= to; j++) {
    const other = b.charCodeAt(j - 1);
    let cost = Math.min(at(next, j - 1) + 1, at(last, j - 1) + (unit === other ? 0 : 1));
    // The previous row has a cell in column j only if j ≤ i - 1 + limit.
    if (j - i < limit) cost = Math.min(cost, at(last, j) + 1);
    if (other === before && j > 1 && unit === b.charCodeAt(j - 2)) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
    next[j] = cost;
    if (cost < least) least = cost;
  }
  return least;
}
