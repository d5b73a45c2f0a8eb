// Pixels from resvg and libvips, and their conversion for encoders.

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 4 bytes per pixel. */
  readonly bytes: Uint8Array;
  readonly premultiplied: boolean;
}

/**
 * Converts pixels to one number each, alpha not premultiplied: R | G << 8 | B << 16 | A << 24. Overwrites `pixels`,
 * because allocating memory would take longer than the conversion.
 */
export function straightColors(pixels: Pixels): Int32Array {
  const colors = words(pixels);
  for (let at = 0; at < colors.length; at++) {
    const color = colors[at] ?? 0;
    if (color >>> 24 !== 255 && color !== 0) colors[at] = straightColor(color, pixels.premultiplied);
  }
  return colors;
}

/** Converts pixels to RGBA bytes, alpha not premultiplied. Overwrites `pixels`. */
export function straightBytes(pixels: Pixels): Uint8Array {
  const { buffer, byteOffset, byteLength } = straightColors(pixels);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function straightColor(word: number, premultiplied: boolean): number {
  const alpha = word >>> 24;
  if (alpha === 255) return word;
  if (alpha === 0) return 0;
  if (!premultiplied) return word;
  const red = straightChannel(word & 0xff, alpha);
  const green = straightChannel((word >>> 8) & 0xff, alpha);
  const blue = straightChannel((word >>> 16) & 0xff, alpha);
  return (alpha << 24) | (blue << 16) | (green << 8) | red;
}

/**
 * Weights of the color channels, equal to the weights in `src/pictures/greyscale.ts`. They also apply to premultiplied
 * pixels, because the sum is linear.
 */
const LUMA = { red: 0.2126, green: 0.7152, blue: 0.0722 } as const;

/** Replaces the color of each pixel by a gray of equal brightness, in place. */
export function toGreyscale({ bytes }: Pixels): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    bytes.fill(Math.round(LUMA.red * red + LUMA.green * green + LUMA.blue * blue), at, at + 3);
  }
}

/** Returns the value of a premultiplied channel without premultiplication. Halves are rounded up. */
function straightChannel(value: number, alpha: number): number {
  return Math.min(255, Math.floor((value * 510 + alpha) / (2 * alpha)));
}

/**
 * Returns one number per pixel, in the byte order of the machine. The numbers are signed, because comparing numbers
 * with more than 31 bits is much slower.
 */
export function words({ width, height, bytes }: Pixels): Int32Array {
  if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, width * height);
  return new Int32Array(bytes.slice().buffer, 0, width * height);
}

export interface Indexed {
  /** Colors, at most 256. Alpha is not premultiplied. */
  readonly palette: Int32Array;
  /** For each pixel, the index of its color in the palette. Valid until the next call of `indexed`. */
  readonly indices: Uint8Array;
}

const MOST_COLORS = 256;
const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;
const NO_INDEX = -1;
/** Minimum length of a run of equal pixels for which `fill` is faster than a loop. */
const LONG_RUN = 16;
/**
 * Maximum number of pixels for which memory is reused. Reused memory saves time, because new memory is first filled
 * with zeros. Larger pictures are rare.
 */
const MOST_KEPT_PIXELS = 2 ** 18;
const keptIndices = new Uint8Array(MOST_KEPT_PIXELS);
const keptKeys = new Int32Array(SLOTS);
const keptValues = new Int16Array(SLOTS);

/** Returns the pixels as a palette and indexes, or undefined if there are more than 256 colors. */
export function indexed(pixels: Pixels): Indexed | undefined {
  const colors = words(pixels);
  const total = colors.length;
  const indices = total > MOST_KEPT_PIXELS ? new Uint8Array(total) : keptIndices.subarray(0, total);
  const palette = new Int32Array(MOST_COLORS);
  const keys = keptKeys;
  const values = keptValues.fill(NO_INDEX);
  let size = 0;
  let at = 0;
  while (at < total) {
    const color = colors[at] ?? 0;
    let slot = Math.imul(color, 0x9e3779b1) >>> (32 - SLOT_BITS);
    while (values[slot] !== NO_INDEX && keys[slot] !== color) slot = (slot + 1) % SLOTS;
    if (values[slot] === NO_INDEX) {
      if (size === MOST_COLORS) return undefined;
      keys[slot] = color;
      values[slot] = size;
      palette[size++] = straightColor(color, pixels.premultiplied);
    }
    const index = values[slot] ?? 0;
    const start = at++;
    while (at < total && colors[at] === color) at++;
    if (at - start >= LONG_RUN) indices.fill(index, start, at);
    else for (let place = start; place < at; place++) indices[place] = index;
  }
  return { palette: palette.slice(0, size), indices };
}
