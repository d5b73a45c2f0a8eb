// Compares two pictures of equal size on a white and on a black page.

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Pixels in RGBA, not premultiplied. */
  readonly rgba: Uint8Array;
}

/**
 * Difference between two pictures, 0 to 1. Each number is the larger one of the results on a white and on a black page.
 */
export interface Difference {
  /** Share of unexplained pixels: their color is outside the range of colors that the other picture has within 1 px. */
  readonly unexplained: number;
  /** Mean difference of a color channel. */
  readonly mean: number;
}

/** Maximum difference that antialiasing and rounding can cause. */
const TOLERANCE: Difference = { unexplained: 0.004, mean: 0.02 };

/** Pixels are equal if no color channel differs by more than this, 0 to 255. */
const SAME_CHANNEL = 40;
const PAGES = [255, 0];

export function isWithin({ unexplained, mean }: Difference, tolerance = TOLERANCE): boolean {
  return unexplained <= tolerance.unexplained && mean <= tolerance.mean;
}

/** Returns the difference between two pictures. Throws if the sizes differ. */
export function compare(one: Picture, other: Picture): Difference {
  if (one.width !== other.width || one.height !== other.height)
    throw new Error(`${one.width} x ${one.height} px cannot be compared with ${other.width} x ${other.height} px`);
  const onPages = PAGES.map((page) => compareOpaque(onPage(one, page), onPage(other, page)));
  return {
    unexplained: Math.max(...onPages.map(({ unexplained }) => unexplained)),
    mean: Math.max(...onPages.map(({ mean }) => mean)),
  };
}

export function isTransparent({ rgba }: Picture): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return false;
  return true;
}

interface OpaquePicture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

function onPage({ width, height, rgba }: Picture, page: number): OpaquePicture {
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4) {
    const alpha = (rgba[from + 3] ?? 0) / 255;
    for (let channel = 0; channel < 3; channel++)
      rgb[to++] = Math.round((rgba[from + channel] ?? 0) * alpha + page * (1 - alpha));
  }
  return { width, height, rgb };
}

function compareOpaque(one: OpaquePicture, other: OpaquePicture): Difference {
  const { width, height } = one;
  const pixels = width * height;
  let sum = 0;
  let [inOne, inOther] = [0, 0];
  for (let at = 0; at < one.rgb.length; at++) sum += Math.abs((one.rgb[at] ?? 0) - (other.rgb[at] ?? 0));
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (isSame(one, pixel, other, pixel)) continue;
    if (!isExplained(one, pixel, other)) inOne++;
    if (!isExplained(other, pixel, one)) inOther++;
  }
  return { unexplained: Math.max(inOne, inOther) / pixels, mean: sum / (pixels * 3 * 255) };
}

/**
 * Compares one pixel with the pixels at most 1 px away from the same position in the other picture. Returns true if
 * each channel lies between their minimum and maximum. Edges may therefore differ by half a pixel, as in
 * `workers/svg/picture-difference.ts`.
 */
function isExplained(one: OpaquePicture, pixel: number, other: OpaquePicture): boolean {
  const { width, height } = other;
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  for (let channel = 0; channel < 3; channel++) {
    let [least, most] = [255, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
        const value = other.rgb[(row * width + column) * 3 + channel] ?? 0;
        [least, most] = [Math.min(least, value), Math.max(most, value)];
      }
    const value = one.rgb[pixel * 3 + channel] ?? 0;
    if (value < least - SAME_CHANNEL || value > most + SAME_CHANNEL) return false;
  }
  return true;
}

function isSame(one: OpaquePicture, pixel: number, other: OpaquePicture, otherPixel: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const difference = (one.rgb[pixel * 3 + channel] ?? 0) - (other.rgb[otherPixel * 3 + channel] ?? 0);
    if (Math.abs(difference) > SAME_CHANNEL) return false;
  }
  return true;
}
