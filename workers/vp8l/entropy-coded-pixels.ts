// Writes entropy-coded pixels of a VP8L stream: first the prefix codes, then the data. RFC 9649, sections 3.7 and 5.
import { MAX_PUT_BITS, type BitWriter } from './bit-writer.js';
import { bitsOf, lengthOf, putPrefixCode, type PrefixCode } from './prefix-code.js';
import { CACHED, LITERAL, useColorCache, type References } from './back-references.js';

const LITERALS = 256;
const LENGTH_SYMBOLS = 24;
const DISTANCE_SYMBOLS = 40;

export interface CodedPixels {
  /** Pixels in the form R | G << 8 | B << 16 | A << 24. */
  readonly pixels: Int32Array;
  readonly references: References;
  /** log2 of the size of the color cache, or 0 without a cache. */
  readonly cacheBits: number;
  /** True for the pixels of the picture, and false for the data of a transform. */
  readonly main: boolean;
}

/**
 * Writes the pixels. Changes `references`: literals whose color is in the color cache become references to the cache.
 */
export function putPixels(out: BitWriter, { pixels, references, cacheBits, main }: CodedPixels): void {
  out.put(cacheBits === 0 ? 0 : 1, 1);
  if (cacheBits > 0) {
    out.put(cacheBits, 4);
    useColorCache(references, pixels, cacheBits);
  }
  if (main) out.put(0, 1); // one group of prefix codes for all of it
  const { green, red, blue, alpha, distance } = countSymbols(references, cacheBits);
  const codes = {
    green: putPrefixCode(out, green),
    red: putPrefixCode(out, red),
    blue: putPrefixCode(out, blue),
    alpha: putPrefixCode(out, alpha),
    distance: putPrefixCode(out, distance),
  };
  const { count, lengths, values } = references;
  for (let token = 0; token < count; token++) {
    const length = lengths[token] ?? 0;
    const value = values[token] ?? 0;
    if (length === LITERAL) {
      putPair(out, codes.green[(value >>> 8) & 0xff] ?? 0, codes.red[value & 0xff] ?? 0);
      putPair(out, codes.blue[(value >>> 16) & 0xff] ?? 0, codes.alpha[value >>> 24] ?? 0);
    } else if (length === CACHED) {
      putSymbol(out, codes.green, LITERALS + LENGTH_SYMBOLS + value);
    } else {
      putPrefixed(out, codes.green, LITERALS, length);
      putPrefixed(out, codes.distance, 0, value);
    }
  }
}

function countSymbols({ count, lengths, values }: References, cacheBits: number) {
  const cached = cacheBits === 0 ? 0 : 1 << cacheBits;
  const green = new Uint32Array(LITERALS + LENGTH_SYMBOLS + cached);
  const [red, blue, alpha] = [new Uint32Array(LITERALS), new Uint32Array(LITERALS), new Uint32Array(LITERALS)];
  const distance = new Uint32Array(DISTANCE_SYMBOLS);
  for (let token = 0; token < count; token++) {
    const length = lengths[token] ?? 0;
    const value = values[token] ?? 0;
    if (length === LITERAL) {
      add(red, value & 0xff);
      add(green, (value >>> 8) & 0xff);
      add(blue, (value >>> 16) & 0xff);
      add(alpha, value >>> 24);
    } else if (length === CACHED) {
      add(green, LITERALS + LENGTH_SYMBOLS + value);
    } else {
      add(green, LITERALS + prefixOf(length));
      add(distance, prefixOf(value));
    }
  }
  return { green, red, blue, alpha, distance };
}

function add(counts: Uint32Array, symbol: number): void {
  counts[symbol] = (counts[symbol] ?? 0) + 1;
}

function putSymbol(out: BitWriter, code: PrefixCode, symbol: number): void {
  const word = code[symbol] ?? 0;
  out.put(bitsOf(word), lengthOf(word));
}

/** Writes two codes with one call of `put`, which is faster than two calls. */
function putPair(out: BitWriter, one: number, other: number): void {
  const length = lengthOf(one);
  const both = length + lengthOf(other);
  if (both <= MAX_PUT_BITS) out.put(bitsOf(one) | (bitsOf(other) << length), both);
  else {
    out.put(bitsOf(one), length);
    out.put(bitsOf(other), both - length);
  }
}

/**
 * Returns the prefix symbol of a length or distance. The position of the highest bit of `value - 1` and the next bit
 * select the symbol. The other bits follow the symbol unchanged.
 */
function prefixOf(value: number): number {
  const rest = value - 1;
  if (rest < 2) return rest;
  const highest = 31 - Math.clz32(rest);
  return 2 * highest + ((rest >>> (highest - 1)) & 1);
}

function putPrefixed(out: BitWriter, code: PrefixCode, base: number, value: number): void {
  putSymbol(out, code, base + prefixOf(value));
  const rest = value - 1;
  if (rest < 4) return;
  const extraBits = 30 - Math.clz32(rest);
  out.put(rest & ((1 << extraBits) - 1), extraBits);
}
