// Measures the share of the original's edges that a derived drawing keeps.
import { PAGE_COLORS } from '../../src/catalog/page-colors.js';
import type { Background } from '../../src/catalog/entry.js';
import { hexChannels } from '../svg/css-color.js';
import type { Sample } from './draw-thumbnail.js';

/** Distance of two compared pixels. An edge is two or three pixels wide, because of antialiasing. */
const STEP = 2;
/** Minimum difference of two pixels at an edge of the original, 0..1. */
const EDGE = 0.25;
/** Minimum difference of the two pixels of an edge in the derived drawing for the edge to be visible, 0..1. */
const SHOWN = 0.11;

interface DetailOptions {
  /** Page behind the derived drawing. If undefined, only the alpha of its ink is compared. */
  readonly background: Background | undefined;
}

/** Returns the share of kept edges, 0..1. Returns 0 if the samples differ in size. */
export function keptDetail(original: Sample, derived: Sample, { background }: DetailOptions): number {
  const { width, height } = original;
  if (derived.width !== width || derived.height !== height) return 0;
  const page = background === undefined ? undefined : hexChannels(PAGE_COLORS[background]);
  let [edges, kept] = [0, 0];
  const compare = (one: number, other: number): void => {
    if (isSame(original.pixels, one, other) || differenceOf(original.pixels, one, other) < EDGE) return;
    edges += 1;
    const shown =
      page === undefined
        ? Math.abs((derived.pixels[one + 3] ?? 0) - (derived.pixels[other + 3] ?? 0)) / 255
        : differenceOn(page, derived.pixels, one, other);
    if (shown >= SHOWN) kept += 1;
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      if (x + STEP < width) compare(at, at + STEP * 4);
      if (y + STEP < height) compare(at, at + STEP * width * 4);
    }
  }
  return edges === 0 ? 1 : kept / edges;
}

/** Returns true for equal pixels. Checked first, because it is fast and most neighbors are equal. */
function isSame(pixels: Uint8Array, one: number, other: number): boolean {
  return (
    pixels[one] === pixels[other] &&
    pixels[one + 1] === pixels[other + 1] &&
    pixels[one + 2] === pixels[other + 2] &&
    pixels[one + 3] === pixels[other + 3]
  );
}

/** Returns the difference of two premultiplied pixels, 0..1: in alpha, or in color if both have ink. */
function differenceOf(pixels: Uint8Array, one: number, other: number): number {
  const [alpha, otherAlpha] = [pixels[one + 3] ?? 0, pixels[other + 3] ?? 0];
  const coverage = Math.abs(alpha - otherAlpha) / 255;
  const both = Math.min(alpha, otherAlpha) / 255;
  if (both < 0.4) return coverage;
  let sum = 0;
  for (let channel = 0; channel < 3; channel += 1)
    sum += (((pixels[one + channel] ?? 0) * 255) / alpha - ((pixels[other + channel] ?? 0) * 255) / otherAlpha) ** 2;
  return Math.max(coverage, Math.sqrt(sum) / 441);
}

function differenceOn(page: readonly number[], pixels: Uint8Array, one: number, other: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel += 1) {
    const on = (at: number): number =>
      (pixels[at + channel] ?? 0) + (page[channel] ?? 0) * (1 - (pixels[at + 3] ?? 0) / 255);
    sum += (on(one) - on(other)) ** 2;
  }
  return Math.sqrt(sum) / 441;
}
