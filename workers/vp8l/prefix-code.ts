// Canonical prefix codes of VP8L: RFC 9649, section 3.7.2.
import type { BitWriter } from './bit-writer.js';

/**
 * One number per symbol. The lower 16 bits are the code, with its first bit as the lowest bit. The upper bits are the
 * length of the code. 0 means that the symbol is unused.
 */
export type PrefixCode = Uint32Array;

export const bitsOf = (word: number): number => word & 0xffff;
export const lengthOf = (word: number): number => word >>> 16;

const MAX_LENGTH = 15;
/** Factor to combine a weight and a symbol in one number. It exceeds the number of symbols in any code. */
const SYMBOLS = 4096;
const MAX_LENGTH_OF_LENGTHS = 7;
const LENGTH_ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] as const;
const REPEAT_PREVIOUS = 16;
const REPEAT_ZERO = 17;
const REPEAT_ZERO_LONG = 18;

/** Computes the shortest code for symbols with these counts. Writes the code and returns it. */
export function putPrefixCode(out: BitWriter, counts: Uint32Array): PrefixCode {
  const used: number[] = [];
  for (let symbol = 0; symbol < counts.length; symbol++) if (counts[symbol] !== 0) used.push(symbol);
  const [first = 0, second] = used;
  if (used.length <= 2 && Math.max(first, second ?? 0) < 256) return putSimpleCode(out, counts.length, first, second);
  const lengths = codeLengths(counts, used, MAX_LENGTH);
  out.put(0, 1);
  putLengths(out, lengths);
  return canonicalCodes(lengths);
}

function putSimpleCode(out: BitWriter, size: number, first: number, second: number | undefined): PrefixCode {
  const short = first < 2;
  out.put(1, 1);
  out.put(second === undefined ? 0 : 1, 1);
  out.put(short ? 0 : 1, 1);
  out.put(first, short ? 1 : 8);
  const lengths = new Uint8Array(size);
  if (second !== undefined) {
    out.put(second, 8);
    lengths[first] = 1;
    lengths[second] = 1;
  }
  return canonicalCodes(lengths);
}

/** Returns the length of each symbol's Huffman code. Raises small counts until no length exceeds `limit`. */
function codeLengths(counts: Uint32Array, used: readonly number[], limit: number): Uint8Array {
  for (let least = 1; ; least *= 2) {
    const lengths = huffmanLengths(counts, used, least);
    if (used.every((symbol) => (lengths[symbol] ?? 0) <= limit)) return lengths;
  }
}

function huffmanLengths(counts: Uint32Array, used: readonly number[], least: number): Uint8Array {
  const leaves = used.length;
  const sorted = byWeight(counts, used, least);
  const weights = new Float64Array(2 * leaves - 1);
  const parents = new Uint16Array(2 * leaves - 1);
  sorted.forEach((key, index) => (weights[index] = Math.floor(key / SYMBOLS)));
  // Leaves and inner nodes are both sorted by weight. The two lightest nodes are therefore at the front of the lists.
  let leaf = 0;
  let inner = leaves;
  for (let node = leaves; node < weights.length; node++) {
    let sum = 0;
    for (let child = 0; child < 2; child++) {
      const takeLeaf = leaf < leaves && (inner >= node || (weights[leaf] ?? 0) <= (weights[inner] ?? 0));
      const taken = takeLeaf ? leaf++ : inner++;
      sum += weights[taken] ?? 0;
      parents[taken] = node;
    }
    weights[node] = sum;
  }
  const depths = new Uint8Array(weights.length);
  for (let node = weights.length - 2; node >= 0; node--) depths[node] = (depths[parents[node] ?? 0] ?? 0) + 1;
  const lengths = new Uint8Array(counts.length);
  sorted.forEach((key, index) => (lengths[key % SYMBOLS] = Math.max(1, depths[index] ?? 0)));
  return lengths;
}

/**
 * Returns weight × SYMBOLS + symbol for each used symbol, sorted. Weight and symbol are one number, because native
 * sorting of numbers is fast.
 */
function byWeight(counts: Uint32Array, used: readonly number[], least: number): Float64Array {
  const sorted = new Float64Array(used.length);
  used.forEach((symbol, index) => (sorted[index] = Math.max(counts[symbol] ?? 0, least) * SYMBOLS + symbol));
  return sorted.sort();
}

function canonicalCodes(lengths: Uint8Array): PrefixCode {
  const next = new Uint16Array(MAX_LENGTH + 2);
  for (const length of lengths) if (length > 0) next[length + 1] = (next[length + 1] ?? 0) + 1;
  for (let length = 1; length <= MAX_LENGTH; length++)
    next[length + 1] = ((next[length + 1] ?? 0) + (next[length] ?? 0)) << 1;
  const codes = new Uint32Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    codes[symbol] = reversed(code, length) | (length << 16);
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}

/** Writes the lengths of the codes. They are run-length encoded, and have a prefix code themselves. */
function putLengths(out: BitWriter, lengths: Uint8Array): void {
  const runs = runsOf(lengths);
  const counts = new Uint32Array(LENGTH_ORDER.length);
  for (const { symbol } of runs) counts[symbol] = (counts[symbol] ?? 0) + 1;
  const used = LENGTH_ORDER.filter((symbol) => counts[symbol] !== 0);
  const code = codeLengths(counts, used, MAX_LENGTH_OF_LENGTHS);
  const listed = Math.max(4, LENGTH_ORDER.findLastIndex((symbol) => code[symbol] !== 0) + 1);
  out.put(listed - 4, 4);
  for (const symbol of LENGTH_ORDER.slice(0, listed)) out.put(code[symbol] ?? 0, 3);
  out.put(0, 1);
  const codes = canonicalCodes(code);
  for (const { symbol, extra, extraBits } of runs) {
    // A code with a single symbol takes no bits.
    if (used.length > 1) out.put(bitsOf(codes[symbol] ?? 0), code[symbol] ?? 0);
    if (extraBits > 0) out.put(extra, extraBits);
  }
}

interface Run {
  readonly symbol: number;
  readonly extra: number;
  readonly extraBits: number;
}

function runsOf(lengths: Uint8Array): Run[] {
  const runs: Run[] = [];
  let at = 0;
  while (at < lengths.length) {
    const length = lengths[at] ?? 0;
    let end = at + 1;
    while (end < lengths.length && lengths[end] === length) end++;
    if (length !== 0) {
      runs.push({ symbol: length, extra: 0, extraBits: 0 });
      at++;
    }
    while (end - at >= 3) {
      const run = repeat(length, end - at);
      runs.push(run.code);
      at += run.count;
    }
    while (at < end) {
      runs.push({ symbol: length, extra: 0, extraBits: 0 });
      at++;
    }
  }
  return runs;
}

function repeat(length: number, available: number): { readonly code: Run; readonly count: number } {
  if (length !== 0) {
    const count = Math.min(available, 6);
    return { count, code: { symbol: REPEAT_PREVIOUS, extra: count - 3, extraBits: 2 } };
  }
  if (available <= 10) return { count: available, code: { symbol: REPEAT_ZERO, extra: available - 3, extraBits: 3 } };
  const count = Math.min(available, 138);
  return { count, code: { symbol: REPEAT_ZERO_LONG, extra: count - 11, extraBits: 7 } };
}
