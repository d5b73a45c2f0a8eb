// Pixels as the renderer gives them, and their colours as the encoders write them.

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** RGBA, 4 bytes a pixel. */
  readonly bytes: Uint8Array;
  readonly premultiplied: boolean;
}

/** How to read one of the `words` of these pixels. */
export function colourReader({ premultiplied }: Pixels): (word: number) => number {
  return premultiplied ? straightColour : (word) => (word >>> 24 === 0 ? 0 : word);
}

/** The same colour with straight alpha, as one number: R | G << 8 | B << 16 | A << 24, unsigned. */
function straightColour(premultiplied: number): number {
  const alpha = premultiplied >>> 24;
  if (alpha === 255) return premultiplied;
  if (alpha === 0) return 0;
  const red = straightChannel(premultiplied & 0xff, alpha);
  const green = straightChannel((premultiplied >>> 8) & 0xff, alpha);
  const blue = straightChannel((premultiplied >>> 16) & 0xff, alpha);
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Rounds half up. */
function straightChannel(value: number, alpha: number): number {
  return Math.min(255, Math.floor((value * 510 + alpha) / (2 * alpha)));
}

/** One number a pixel: R | G << 8 | B << 16 | A << 24, as the machine has it in memory. */
export function words({ width, height, bytes }: Pixels): Uint32Array {
  if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
  return new Uint32Array(bytes.slice().buffer, 0, width * height);
}

export interface Indexed {
  /** Straight colours, at most 256. */
  readonly palette: Uint32Array;
  /** One index a pixel. */
  readonly indices: Uint8Array;
}

const MOST_COLOURS = 256;
const SLOT_BITS = 10;
const SLOTS = 1 << SLOT_BITS;
const NO_INDEX = -1;

/** Undefined when there are more than 256 colours. */
export function indexed(pixels: Pixels): Indexed | undefined {
  // Signed, because numbers beyond 31 bits are much slower to compare.
  const colours = new Int32Array(words(pixels).buffer, words(pixels).byteOffset, pixels.width * pixels.height);
  const read = colourReader(pixels);
  const indices = new Uint8Array(colours.length);
  const palette = new Uint32Array(MOST_COLOURS);
  const keys = new Int32Array(SLOTS);
  const values = new Int16Array(SLOTS).fill(NO_INDEX);
  let size = 0;
  let at = 0;
  while (at < colours.length) {
    const colour = colours[at] ?? 0;
    let slot = Math.imul(colour, 0x9e3779b1) >>> (32 - SLOT_BITS);
    while (values[slot] !== NO_INDEX && keys[slot] !== colour) slot = (slot + 1) % SLOTS;
    if (values[slot] === NO_INDEX) {
      if (size === MOST_COLOURS) return undefined;
      keys[slot] = colour;
      values[slot] = size;
      palette[size++] = read(colour >>> 0);
    }
    const index = values[slot] ?? 0;
    do indices[at++] = index;
    while (colours[at] === colour);
  }
  return { palette: palette.slice(0, size), indices };
}
