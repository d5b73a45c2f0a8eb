// Encodes a picture as literal pixels and copies of earlier pixels. RFC 9649, section 3.6.2.

/**
 * Tokens of the stream, in order. A token is a single pixel (literal), a reference to a cached pixel, or a copy of
 * earlier pixels.
 */
export interface References {
  readonly count: number;
  /** For each token, the length of the copy in pixels, or LITERAL or CACHED for a single pixel. */
  readonly lengths: Uint16Array;
  /** For each token: the pixel of a literal, the distance code of a copy, or the cache index of a cached pixel. */
  readonly values: Int32Array;
}

export const LITERAL = 0;
export const CACHED = 0xffff;

const MAX_MATCH = 4096;
const MIN_NEAR_MATCH = 2;
/**
 * Minimum length of a copy from a distant position, px. A shorter copy saves nothing, because its distance needs more
 * bits than two or three pixels.
 */
const MIN_FAR_MATCH = 4;
/** A copy with at least this length, px, is used without searching for a longer one. */
const GOOD_MATCH = 64;
const HASH_BITS = 12;
/** The first distance codes of the format stand for near pixels. */
const NEAR_CODE_COUNT = 120;
/** Maximum distance of a copy, px. The format has 2^20 distance codes. */
const MAX_DISTANCE = 2 ** 20 - NEAR_CODE_COUNT;
const NEAR_CODES = nearDistanceCodes();

/**
 * Maximum number of pixels for which memory is reused. Reused memory saves time, because new memory is first filled
 * with zeros. Larger pictures are rare.
 */
const MOST_KEPT_PIXELS = 2 ** 18;
const keptLengths = new Uint16Array(MOST_KEPT_PIXELS);
const keptValues = new Int32Array(MOST_KEPT_PIXELS);

/**
 * Finds copies of earlier pixels. `width`: number of pixels in a row. Searches to the left, above and on both
 * diagonals, because logos repeat there. Another candidate is the position where the current pixel and the next one
 * occurred last.
 */
export function findReferences(pixels: Int32Array, width: number): References {
  const total = pixels.length;
  const isKept = total <= MOST_KEPT_PIXELS;
  const lengths = isKept ? keptLengths : new Uint16Array(total);
  const values = isKept ? keptValues : new Int32Array(total);
  const lastSeen = new Int32Array(1 << HASH_BITS).fill(-1);
  const near = Int32Array.from(width > 1 ? [width, 1, width + 1, width - 1] : [1]);
  const best: Match = { length: 0, distance: 0 };
  let count = 0;
  let at = 0;
  while (at < total) {
    findNear(best, { pixels, at, near });
    if (at + 1 < total) {
      const key = hashOf(pixels, at);
      if (best.length < GOOD_MATCH) findSeen(best, { pixels, at, seen: lastSeen[key] ?? -1 });
      lastSeen[key] = at;
    }
    const { length } = best;
    const code = length < MIN_NEAR_MATCH ? 0 : distanceCode(best.distance, width);
    if (length < (code <= NEAR_CODE_COUNT ? MIN_NEAR_MATCH : MIN_FAR_MATCH)) {
      lengths[count] = LITERAL;
      values[count++] = pixels[at] ?? 0;
      at++;
      continue;
    }
    lengths[count] = length;
    values[count++] = code;
    // Adds only the last two pixels of a copy to `lastSeen`. Sequences that start at these pixels soon continue after
    // the copy, so they may be new. Sequences that start earlier mostly repeat known ones.
    for (let last = Math.max(at + length - 2, at + 1); last < at + length; last++)
      if (last + 1 < total) lastSeen[hashOf(pixels, last)] = last;
    at += length;
  }
  return { count, lengths: lengths.slice(0, count), values: values.slice(0, count) };
}

interface Match {
  /** Length in pixels, or 0 if there is no match. */
  length: number;
  distance: number;
}

function findNear(
  best: Match,
  { pixels, at, near }: { readonly pixels: Int32Array; readonly at: number; readonly near: Int32Array },
): void {
  best.length = 0;
  best.distance = 0;
  for (let place = 0; place < near.length && best.length < GOOD_MATCH; place++) {
    const back = near[place] ?? 1;
    if (back > at || pixels[at] !== pixels[at - back]) continue;
    // A match longer than the best one so far must also be equal at this pixel. One comparison excludes most candidates.
    if (pixels[at + best.length] !== pixels[at + best.length - back]) continue;
    const length = matchLength(pixels, at, back);
    if (length <= best.length) continue;
    best.length = length;
    best.distance = back;
  }
}

/**
 * Tries a copy from the position `seen`, where the current pixel and the next one probably occurred last. Does nothing
 * if `seen` is -1 (no such position).
 */
function findSeen(
  best: Match,
  { pixels, at, seen }: { readonly pixels: Int32Array; readonly at: number; readonly seen: number },
): void {
  if (seen < 0 || at - seen > MAX_DISTANCE) return;
  if (pixels[at + best.length + 1] !== pixels[seen + best.length + 1]) return;
  const length = matchLength(pixels, at, at - seen);
  if (length <= best.length + 1) return;
  best.length = length;
  best.distance = at - seen;
}

/** Returns the hash of the pixel at `at` and the next pixel. */
function hashOf(pixels: Int32Array, at: number): number {
  return Math.imul((pixels[at] ?? 0) ^ Math.imul(pixels[at + 1] ?? 0, 0x85ebca6b), 0x9e3779b1) >>> (32 - HASH_BITS);
}

function matchLength(pixels: Int32Array, at: number, back: number): number {
  const limit = Math.min(at + MAX_MATCH - 1, pixels.length);
  let end = at;
  while (end < limit && pixels[end] === pixels[end - back]) end++;
  return end - at;
}

const CACHE_MULTIPLIER = 0x1e35a7bd;

/** Replaces literals whose color is in the color cache by references to the cache. */
export function useColorCache({ count, lengths, values }: References, pixels: Int32Array, bits: number): void {
  const cache = new Int32Array(1 << bits);
  let at = 0;
  for (let token = 0; token < count; token++) {
    const length = lengths[token] ?? 0;
    if (length === LITERAL) {
      const pixel = pixels[at++] ?? 0;
      const place = cachePlace(pixel, bits);
      if (cache[place] === pixel) {
        lengths[token] = CACHED;
        values[token] = place;
      }
      cache[place] = pixel;
    } else {
      const end = at + length;
      while (at < end) {
        const pixel = pixels[at++] ?? 0;
        cache[cachePlace(pixel, bits)] = pixel;
        while (at < end && pixels[at] === pixel) at++;
      }
    }
  }
}

/** Returns the cache index of a color. The format computes the hash from A << 24 | R << 16 | G << 8 | B. */
function cachePlace(pixel: number, bits: number): number {
  const argb = (pixel & 0xff00ff00) | ((pixel & 0xff) << 16) | ((pixel >>> 16) & 0xff);
  return Math.imul(argb, CACHE_MULTIPLIER) >>> (32 - bits);
}

/**
 * Returns the code of a distance in pixels. Each of the first 120 codes stands for a nearby pixel, given by its offset
 * in rows and columns.
 */
function distanceCode(distance: number, width: number): number {
  const rows = Math.floor(distance / width);
  const columns = distance - rows * width;
  const here = columns <= 8 && rows <= 7 ? NEAR_CODES[nearPlace(columns, rows)] : 0;
  if (here) return here;
  const right = width - columns <= 7 && rows < 7 ? NEAR_CODES[nearPlace(columns - width, rows + 1)] : 0;
  return right === undefined || right === 0 ? distance + NEAR_CODE_COUNT : right;
}

function nearPlace(columns: number, rows: number): number {
  return rows * 16 + columns + 7;
}

/**
 * Returns the codes for near pixels. Near pixels are sorted by distance, then by the number of columns, and then left
 * before right.
 */
function nearDistanceCodes(): Uint8Array {
  const places: { readonly columns: number; readonly rows: number }[] = [];
  for (let rows = 0; rows <= 7; rows++) {
    for (let columns = rows === 0 ? 1 : -7; columns <= 8; columns++) places.push({ columns, rows });
  }
  const squared = ({ columns, rows }: (typeof places)[number]): number => columns ** 2 + rows ** 2;
  places.sort((a, b) => squared(a) - squared(b) || Math.abs(a.columns) - Math.abs(b.columns) || b.columns - a.columns);
  const codes = new Uint8Array(128);
  places.forEach(({ columns, rows }, index) => (codes[nearPlace(columns, rows)] = index + 1));
  return codes;
}
