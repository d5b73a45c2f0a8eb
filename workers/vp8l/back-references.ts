// Back references: a picture as literal pixels and copies of earlier ones. RFC 9649, section 3.6.2.

/** In the order of the stream. */
export interface References {
  readonly count: number;
  /** Pixels of a copy; `LITERAL` or `CACHED` for one pixel. */
  readonly lengths: Uint16Array;
  /** A literal's pixel, a copy's distance code, a cached pixel's place. */
  readonly values: Int32Array;
}

export const LITERAL = 0;
export const CACHED = 0xffff;

const MAX_MATCH = 4096;
/** The format's own limit, with room for the codes of near places. */
const MAX_DISTANCE = (1 << 20) - 121;
const MIN_NEAR_MATCH = 2;
/** A far place costs more bits than two or three pixels do. */
const MIN_FAR_MATCH = 4;
/** From this length on, looking for a longer match elsewhere is not worth the time. */
const GOOD_MATCH = 64;
const HASH_BITS = 12;
const NEAR_CODE_COUNT = 120;
const NEAR_CODES = nearDistanceCodes();

/** `pixels` are rows of `width`. */
export function findReferences(pixels: Int32Array, width: number): References {
  const total = pixels.length;
  const lengths = new Uint16Array(total);
  const values = new Int32Array(total);
  const search = matcher(pixels, width);
  let count = 0;
  let at = 0;
  while (at < total) {
    const length = search.find(at);
    const code = distanceCode(search.distance(), width);
    search.remember(at);
    if (length >= (code <= NEAR_CODE_COUNT ? MIN_NEAR_MATCH : MIN_FAR_MATCH)) {
      lengths[count] = length;
      values[count++] = code;
      // Where a copy ends, something new begins: worth finding again.
      if (length > 2) search.remember(at + length - 2);
      search.remember(at + length - 1);
      at += length;
    } else {
      values[count++] = pixels[at] ?? 0;
      at++;
    }
  }
  return { count, lengths, values };
}

interface Matcher {
  /** Length of the best match at this place. */
  find(at: number): number;
  /** How far back the match last found lies. */
  distance(): number;
  remember(at: number): void;
}

/**
 * Looks to the left, above and on both diagonals, where flat art repeats itself, and where the next two pixels were
 * last seen.
 */
function matcher(pixels: Int32Array, width: number): Matcher {
  const total = pixels.length;
  const lastSeen = new Int32Array(1 << HASH_BITS).fill(-1);
  const near = width > 1 ? [width, 1, width + 1, width - 1] : [1];
  let distance = 0;

  const hash = (at: number): number =>
    Math.imul((pixels[at] ?? 0) ^ Math.imul(pixels[at + 1] ?? 0, 0x85ebca6b), 0x9e3779b1) >>> (32 - HASH_BITS);

  function matchLength(at: number, back: number): number {
    const limit = Math.min(at + MAX_MATCH - 1, total);
    let end = at;
    while (end < limit && pixels[end] === pixels[end - back]) end++;
    return end - at;
  }

  return {
    find(at) {
      let best = 0;
      distance = 0;
      for (const back of near) {
        if (back > at) continue;
        const length = matchLength(at, back);
        if (length <= best) continue;
        best = length;
        distance = back;
        if (best >= GOOD_MATCH) return best;
      }
      const seen = at + 1 < total ? (lastSeen[hash(at)] ?? -1) : -1;
      if (seen >= 0 && seen < at && at - seen <= MAX_DISTANCE) {
        const length = matchLength(at, at - seen);
        if (length > best + 1) {
          best = length;
          distance = at - seen;
        }
      }
      return best;
    },
    distance: () => distance,
    remember(at) {
      if (at + 1 < total) lastSeen[hash(at)] = at;
    },
  };
}

const CACHE_MULTIPLIER = 0x1e35a7bd;

/** Replaces literals that the color cache holds. */
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
      let previous: number | undefined;
      for (const end = at + length; at < end; at++) {
        const pixel = pixels[at] ?? 0;
        if (pixel !== previous) cache[cachePlace(pixel, bits)] = pixel;
        previous = pixel;
      }
    }
  }
}

/** The format hashes A << 24 | R << 16 | G << 8 | B. */
function cachePlace(pixel: number, bits: number): number {
  const argb = (pixel & 0xff00ff00) | ((pixel & 0xff) << 16) | ((pixel >>> 16) & 0xff);
  return Math.imul(argb, CACHE_MULTIPLIER) >>> (32 - bits);
}

/** Places near the pixel, in two dimensions, have the first 120 codes; distance 0 is none. */
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

/** From the nearest to the furthest; of equally near ones that with fewer columns, and the left before the right. */
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
