// Measures the share of the original's edges that are visible in a copy with other colors.
import { PAGE_COLORS } from '../../src/catalog/page-colors.js';
import type { Background } from '../../src/catalog/entry.js';
import { hexChannels } from '../svg/css-color.js';
import type { Sample } from './draw-thumbnail.js';

/** Distance between two compared pixels, px. It is two, because antialiasing makes an edge two or three pixels wide. */
const STEP = 2;
/** Minimum difference between two pixels at an edge in the original, 0 to 1. */
const EDGE = 0.25;
/**
 * Two pixels that form an edge in the original must differ by at least this in the copy, 0 to 1. Otherwise, the edge is
 * not visible in the copy.
 */
const SHOWN = 0.11;

interface DetailOptions {
  /** Background of the copy. If undefined, only alpha is compared. */
  readonly background: Background | undefined;
}

/**
 * Returns the share of the original's edges that are visible in the copy, 0 to 1. Returns 0 if the thumbnails differ in
 * size.
 */
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

/** Returns true for equal pixels. This check comes first, because it is fast and most adjacent pixels are equal. */
function isSame(pixels: Uint8Array, one: number, other: number): boolean {
  return (
    pixels[one] === pixels[other] &&
    pixels[one + 1] === pixels[other + 1] &&
    pixels[one + 2] === pixels[other + 2] &&
    pixels[one + 3] === pixels[other + 3]
  );
}

/**
 * Returns the difference of two premultiplied pixels, 0 to 1: the larger one of the differences in alpha and in color.
 * Colors are only compared if both pixels are visible.
 */
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
