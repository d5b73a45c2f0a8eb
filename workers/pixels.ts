// Pixels as the renderer gives them, and their colors as the encoders write them.

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 4 bytes a pixel. */
  readonly bytes: Uint8Array;
  readonly premultiplied: boolean;
}

/** The same picture with straight alpha, one number a pixel: R | G << 8 | B << 16 | A << 24. */
export function straightColors(pixels: Pixels): Int32Array {
  const colors = words(pixels);
  const straight = new Int32Array(colors.length);
  for (let at = 0; at < colors.length; at++) straight[at] = straightColor(colors[at] ?? 0, pixels.premultiplied);
  return straight;
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

/** Rounds half up. */
function straightChannel(value: number, alpha: number): number {
  return Math.min(255, Math.floor((value * 510 + alpha) / (2 * alpha)));
}

/** One number a pixel, as it is in memory; signed, because numbers beyond 31 bits are much slower to compare. */
export function words({ width, height, bytes }: Pixels): Int32Array {
  if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, width * height);
  return new Int32Array(bytes.slice().buffer, 0, width * height);
}

export interface Indexed {
  /** Straight colors, at most 256. */
  readonly palette: Int32Array;
  /** One index a pixel. */
  readonly indices: Uint8Array;
}

const MOST_COLORS = 256;
const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;
const NO_INDEX = -1;

/** Undefined when there are more than 256 colors. */
export function indexed(pixels: Pixels): Indexed | undefined {
  const colors = words(pixels);
  const total = colors.length;
  const indices = new Uint8Array(total);
  const palette = new Int32Array(MOST_COLORS);
  const keys = new Int32Array(SLOTS);
  const values = new Int16Array(SLOTS).fill(NO_INDEX);
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
    do indices[at++] = index;
    while (at < total && colors[at] === color);
  }
  return { palette: palette.slice(0, size), indices };
}
