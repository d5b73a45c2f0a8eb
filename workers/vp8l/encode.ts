// Encodes lossless WebP (VP8L, RFC 9649) for logos with flat colors, in this thread. Omits searches that rarely make
// such files smaller.
import { indexed, straightColors, words, type Indexed, type Pixels } from '../pixels.js';
import { bitWriter, type BitWriter } from './bit-writer.js';
import { putPixels } from './entropy-coded-pixels.js';
import { difference, predict, TILE_BITS } from './predictor.js';
import { findReferences, LITERAL, type References } from './back-references.js';

const SIGNATURE = 0x2f;
const TRANSFORM = { predictor: 0, subtractGreen: 2, colorIndexing: 3 } as const;
const OPAQUE_BLACK = 0xff000000;
/**
 * Passed to `putPixels` instead of the picture's pixels if there is no color cache, because only the cache reads them.
 */
const NO_PIXELS = new Int32Array(0);
const CACHE_BITS = 9;
/**
 * Limits for the share of pixels that are literals (not copied from earlier pixels). Below MAYBE_GRADIENT_SHARE, the
 * picture is encoded without the predictor transform. Above GRADIENT_SHARE, it probably contains gradients and is
 * encoded with this transform. Between the limits, both ways are tried.
 */
const MAYBE_GRADIENT_SHARE = 0.15;
const GRADIENT_SHARE = 0.19;

export function encodeVp8l(pixels: Pixels): Uint8Array<ArrayBuffer> {
  const few = indexed(pixels);
  const straight = few ? few.palette : straightColors(pixels);
  const translucent = straight.some((color) => color >>> 24 !== 255);
  const start = (): BitWriter => {
    const out = bitWriter((pixels.width * pixels.height) >>> 3);
    out.put(SIGNATURE, 8);
    out.put(pixels.width - 1, 14);
    out.put(pixels.height - 1, 14);
    out.put(translucent ? 1 : 0, 1);
    out.put(0, 3);
    return out;
  };
  return riff(few ? indexedStream(start(), pixels, few) : trueColorStream(start, pixels, straight));
}

function putTransform(out: BitWriter, type: number): void {
  out.put(1, 1);
  out.put(type, 2);
}

function indexedStream(out: BitWriter, pixels: Pixels, { palette, indices }: Indexed): Uint8Array {
  // Sorts the table. Adjacent entries, such as the shades of an edge, then differ little, which compresses well.
  const { sorted, rank } = inTableOrder(palette);
  const steps = new Int32Array(sorted.length);
  for (let place = 0; place < sorted.length; place++)
    steps[place] = difference(sorted[place] ?? 0, place === 0 ? 0 : (sorted[place - 1] ?? 0));
  putTransform(out, TRANSFORM.colorIndexing);
  out.put(steps.length - 1, 8);
  putPixels(out, { pixels: steps, references: findReferences(steps, steps.length), cacheBits: 0, main: false });
  out.put(0, 1);
  const bundleBits = steps.length <= 2 ? 3 : steps.length <= 4 ? 2 : steps.length <= 16 ? 1 : 0;
  if (bundleBits === 0) {
    const references = findReferences(words(pixels), pixels.width);
    putRanks(references, indices, rank);
    putPixels(out, { pixels: NO_PIXELS, references, cacheBits: 0, main: true });
  } else {
    const packed = bundle(pixels, indices, { rank, bundleBits });
    putPixels(out, { ...packed, references: findReferences(packed.pixels, packed.width), cacheBits: 0, main: true });
  }
  return out.bytes();
}

/**
 * Replaces the color of each literal pixel by the rank of its palette index. A copy of earlier pixels contains only a
 * length and a distance, so it does not change.
 */
function putRanks({ count, lengths, values }: References, indices: Uint8Array, rank: Uint8Array): void {
  let at = 0;
  for (let token = 0; token < count; token++) {
    const length = lengths[token] ?? 0;
    if (length === LITERAL) values[token] = OPAQUE_BLACK | ((rank[indices[at] ?? 0] ?? 0) << 8);
    at += length === LITERAL ? 1 : length;
  }
}

/** Sorts the palette by color, then by alpha. `rank`: index of a color → position in the sorted table. */
function inTableOrder(palette: Int32Array): { readonly sorted: Int32Array; readonly rank: Uint8Array } {
  // Combines key and index in one number, because native sorting of numbers is fast.
  const keys = new Float64Array(palette.length);
  palette.forEach((color, index) => (keys[index] = ((color & 0xffffff) * 256 + (color >>> 24)) * 256 + index));
  keys.sort();
  const sorted = new Int32Array(palette.length);
  const rank = new Uint8Array(256);
  keys.forEach((key, place) => {
    const index = key % 256;
    sorted[place] = palette[index] ?? 0;
    rank[index] = place;
  });
  return { sorted, rank };
}

interface Bundling {
  /** Index of a color → position in the sorted table. */
  readonly rank: Uint8Array;
  /** log2 of the number of indexes in one pixel. */
  readonly bundleBits: number;
}

/** Writes indexes into the green channel. With few colors, a pixel contains several indexes. */
function bundle({ width, height }: Pixels, indices: Uint8Array, { rank, bundleBits }: Bundling) {
  const packedWidth = Math.ceil(width / (1 << bundleBits));
  const packed = new Int32Array(packedWidth * height).fill(OPAQUE_BLACK);
  const bits = 8 >> bundleBits;
  const mask = (1 << bundleBits) - 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * packedWidth + (x >> bundleBits);
      const value = (rank[indices[y * width + x] ?? 0] ?? 0) << ((x & mask) * bits);
      packed[at] = (packed[at] ?? 0) | (value << 8);
    }
  }
  return { pixels: packed, width: packedWidth };
}

function trueColorStream(start: () => BitWriter, { width, height }: Pixels, straight: Int32Array): Uint8Array {
  const references = findReferences(straight, width);
  let literals = 0;
  for (let token = 0; token < references.count; token++) if (references.lengths[token] === LITERAL) literals++;
  const plain = (): Uint8Array =>
    plainStream(start(), { pixels: straight, references, green: greenPredicts(references) });
  const predicted = (): Uint8Array => predictedStream(start(), withoutGreen(straight), { width, height });
  if (literals < MAYBE_GRADIENT_SHARE * straight.length) return plain();
  if (literals > GRADIENT_SHARE * straight.length) return predicted();
  const [one, other] = [plain(), predicted()];
  return other.length < one.length ? other : one;
}

interface PlainPixels {
  readonly pixels: Int32Array;
  readonly references: References;
  readonly green: boolean;
}

function plainStream(out: BitWriter, { pixels, references, green }: PlainPixels): Uint8Array {
  if (green) {
    putTransform(out, TRANSFORM.subtractGreen);
    const { count, lengths, values } = references;
    for (let token = 0; token < count; token++)
      if (lengths[token] === LITERAL) values[token] = subtractGreen(values[token] ?? 0);
  }
  out.put(0, 1);
  putPixels(out, { pixels: green ? withoutGreen(pixels) : pixels, references, cacheBits: CACHE_BITS, main: true });
  return out.bytes();
}

function predictedStream(
  out: BitWriter,
  pixels: Int32Array,
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array {
  putTransform(out, TRANSFORM.subtractGreen);
  const { residuals, modes, tilesAcross } = predict(pixels, width, height);
  putTransform(out, TRANSFORM.predictor);
  out.put(TILE_BITS - 2, 3);
  putPixels(out, { pixels: modes, references: findReferences(modes, tilesAcross), cacheBits: 0, main: false });
  out.put(0, 1);
  putPixels(out, {
    pixels: residuals,
    references: findReferences(residuals, width),
    cacheBits: CACHE_BITS,
    main: true,
  });
  return out.bytes();
}

/** Returns true if the literals have less entropy in red and blue after green is subtracted. */
function greenPredicts({ count, lengths, values }: References): boolean {
  const own = new Uint32Array(512);
  const rest = new Uint32Array(512);
  for (let token = 0; token < count; token++) {
    if (lengths[token] !== LITERAL) continue;
    const value = values[token] ?? 0;
    const red = value & 0xff;
    const green = (value >>> 8) & 0xff;
    const blue = (value >>> 16) & 0xff;
    own[red] = (own[red] ?? 0) + 1;
    own[256 + blue] = (own[256 + blue] ?? 0) + 1;
    const redRest = (red - green) & 0xff;
    const blueRest = 256 + ((blue - green) & 0xff);
    rest[redRest] = (rest[redRest] ?? 0) + 1;
    rest[blueRest] = (rest[blueRest] ?? 0) + 1;
  }
  return entropy(rest) < entropy(own);
}

/**
 * Returns the sum of the entropies of red and blue. `counts`: number of occurrences of each red value, then of each
 * blue value. Omits a constant that does not matter in comparisons.
 */
function entropy(counts: Uint32Array): number {
  return counts.reduce((sum, count) => (count === 0 ? sum : sum - count * Math.log2(count)), 0);
}

/**
 * Maximum number of pixels for which memory is reused. Reused memory saves time, because new memory is first filled
 * with zeros. Larger pictures are rare.
 */
const MOST_KEPT_PIXELS = 2 ** 18;
const keptColors = new Int32Array(MOST_KEPT_PIXELS);

/**
 * Subtracts green from red and blue in all pixels. The result is valid until the next call. The loop takes a quarter of
 * the time of `map`.
 */
function withoutGreen(pixels: Int32Array): Int32Array {
  const total = pixels.length;
  const result = total > MOST_KEPT_PIXELS ? new Int32Array(total) : keptColors.subarray(0, total);
  for (let at = 0; at < pixels.length; at++) result[at] = subtractGreen(pixels[at] ?? 0);
  return result;
}

function subtractGreen(color: number): number {
  const green = (color >>> 8) & 0xff;
  const red = ((color & 0xff) - green) & 0xff;
  const blue = (((color >>> 16) & 0xff) - green) & 0xff;
  return (color & 0xff00ff00) | (blue << 16) | red;
}

/** Returns the WebP file in a new buffer, because only a separate buffer can be transferred to another thread. */
function riff(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = data.length + (data.length % 2);
  const bytes = new Uint8Array(20 + padded);
  const view = new DataView(bytes.buffer);
  const tag = (at: number, text: string): void =>
    Array.from(text).forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  tag(0, 'RIFF');
  view.setUint32(4, 12 + padded, true);
  tag(8, 'WEBP');
  tag(12, 'VP8L');
  view.setUint32(16, data.length, true);
  bytes.set(data, 20);
  return bytes;
}
