// Decides whether two pictures differ visibly on a light or dark background.

/** Maximum difference of a channel between pixels that count as equal, 0 to 255. */
const MAX_CHANNEL = 40;
/**
 * Limits for pictures that look equal. MAX_SHARE: share of different pixels. MAX_MEAN: mean difference of a channel, 0
 * to 1.
 */
const MAX_SHARE = 0.004;
const MAX_MEAN = 0.02;

export interface Picture {
  /** Premultiplied RGBA. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns true if the pictures differ visibly. A pixel also counts as equal if it is a mixture of adjacent pixels of
 * the other picture, so that edges may differ by half a pixel.
 */
export function looksDifferent(one: Picture, other: Picture): boolean {
  if (one.width !== other.width || one.height !== other.height) return true;
  return [0, 255].some((ground) => {
    const [a, b] = [onGround(one.pixels, ground), onGround(other.pixels, ground)];
    const { mean } = differenceOf(a, b);
    const size = one.width * one.height;
    return (
      mean > MAX_MEAN ||
      unexplained(a, b, { width: one.width, ground }) > size * MAX_SHARE ||
      unexplained(b, a, { width: one.width, ground }) > size * MAX_SHARE
    );
  });
}

export interface Difference {
  /**
   * Mean (0 to 1) and largest (0 to 255) difference of a channel. Each is the larger one of the differences on a light
   * and on a dark background.
   */
  readonly mean: number;
  readonly largest: number;
}

/**
 * Returns the larger one of the differences on a light and on a dark background. Two backgrounds are needed to detect
 * differences of alpha.
 */
export function pictureDifference(one: Picture, other: Picture): Difference {
  if (one.pixels.length !== other.pixels.length) return { mean: 1, largest: 255 };
  const [dark, light] = [0, 255].map((ground) =>
    differenceOf(onGround(one.pixels, ground), onGround(other.pixels, ground)),
  );
  return {
    mean: Math.max(dark?.mean ?? 1, light?.mean ?? 1),
    largest: Math.max(dark?.largest ?? 255, light?.largest ?? 255),
  };
}

/** Returns the pixels as RGB on an opaque background. */
function onGround(pixels: Uint8Array, ground: number): Uint8Array {
  const channels = new Uint8Array((pixels.length / 4) * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const rest = ground === 0 ? 0 : 255 - (pixels[from + 3] ?? 0);
    for (let channel = 0; channel < 3; channel += 1)
      channels[to + channel] = Math.min(255, (pixels[from + channel] ?? 0) + rest);
  }
  return channels;
}

function differenceOf(one: Uint8Array, other: Uint8Array): Difference {
  let [sum, largest] = [0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const difference = Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    sum += difference;
    if (difference > largest) largest = difference;
  }
  return { mean: sum / one.length / 255, largest };
}

/**
 * Returns the number of pixels of `one` that `other` does not explain. A pixel is explained if each channel lies
 * between the minimum and maximum of that channel in the nearby pixels of `other`. MAX_CHANNEL is the tolerance.
 */
function unexplained(one: Uint8Array, other: Uint8Array, { width, ground }: Frame): number {
  const height = one.length / 3 / width;
  const valueAt = (x: number, y: number, channel: number): number =>
    x < 0 || x >= width || y < 0 || y >= height ? ground : (other[(y * width + x) * 3 + channel] ?? 0);
  const isExplained = (at: number, channel: number): boolean => {
    const value = one[at * 3 + channel] ?? 0;
    if (Math.abs(value - (other[at * 3 + channel] ?? 0)) <= MAX_CHANNEL) return true;
    const [x, y] = [at % width, Math.floor(at / width)];
    const near = NEAR.map(([dx, dy]) => valueAt(x + dx, y + dy, channel));
    return value >= Math.min(...near) - MAX_CHANNEL && value <= Math.max(...near) + MAX_CHANNEL;
  };
  let count = 0;
  for (let at = 0; at < one.length / 3; at += 1)
    if (![0, 1, 2].every((channel) => isExplained(at, channel))) count += 1;
  return count;
}

interface Frame {
  readonly width: number;
  /** Channel value of the background, and of the area outside the picture. */
  readonly ground: number;
}

const NEAR = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy] as const));
