// Measures how visible a thumbnail is on light and dark backgrounds: the visible share of its outline, and its
// invisible parts.
import { wcagContrast } from 'culori';
import { contrastOnWhite, LEAST_CONTRAST, PAGE_COLORS } from '../../src/catalog/page-colors.js';
import type { Background } from '../../src/catalog/entry.js';
import { hexChannels, luminance } from '../svg/css-color.js';
import { INK_ALPHA, type Sample } from './draw-thumbnail.js';
import { connectedShapes } from './connected-shapes.js';

export const BACKGROUNDS = ['light', 'dark'] as const;

/** Minimum contrast between a visible pixel and the background. */
const FAINT_CONTRAST = 1.6;
/**
 * At least this share of the outline must be visible. The outline is all pixels of the drawing next to the background
 * or at the thumbnail's border.
 */
const MOST_OUTLINE = 0.5;
/** Minimum visible share of the outline of a part (a connected shape). With a smaller share, the part is invisible. */
const LEAST_OF_PART = 0.33;
/** Maximum share of the outline that may belong to invisible parts. */
const MAX_LOST = 0.12;
/**
 * Maximum distance between a pixel of the outline and a visible pixel, px. Up to this distance, the pixel of the
 * outline counts as visible, too. A logo with a thin border in the color of the background can therefore count as
 * visible.
 */
const REACH_PX = 2;
/**
 * Minimum ratio between the width of the visible pixels and the width of the drawing. The same applies to the height.
 * With a smaller ratio, lettering would be missing.
 */
const LEAST_EXTENT = 0.93;

/** A color is visible on white if its strongest and weakest channels differ by more than this, 0 to 255. */
const VIVID = 120;

const PAGE = 0;
const FAINT = 1;
const WEAK = 2;
const CLEAR = 3;

/** Returns 1 for each background on which the color is invisible, and 0 for the other backgrounds. */
export function meltsInto(hex: string): Readonly<Record<Background, number>> {
  const melts = (background: Background): boolean => wcagContrast(hex, PAGE_COLORS[background]) < FAINT_CONTRAST;
  return { light: melts('light') && !isVivid(hexChannels(hex)) ? 1 : 0, dark: melts('dark') ? 1 : 0 };
}

function isVivid(channels: readonly number[]): boolean {
  return Math.max(...channels) - Math.min(...channels) > VIVID;
}

export interface Visibility {
  /**
   * True if three conditions are met. (1) Most of the outline is visible. (2) Connected shapes that count as invisible
   * contain only little of the outline. (3) The visible pixels extend nearly as far as the drawing.
   */
  readonly visible: boolean;
  /**
   * Share of the drawing's pixels that are invisible on the background, 0 to 1. Invisible pixels enclosed by visible
   * pixels do not count.
   */
  readonly faded: number;
  /**
   * 1 for each pixel that counts as invisible, and 0 for all others. A pixel on the drawing's outline also counts as
   * invisible if no clearly visible (`CLEAR`) pixel is within REACH_PX.
   */
  readonly hidden: Uint8Array;
}

export function visibilityOn(sample: Sample, background: Background): Visibility {
  const { width } = sample;
  const kinds = classify(sample, background);
  const besideWeak = spansOf(kinds, sample, WEAK);
  const shown = nearClear(kinds, sample);
  const hidden = new Uint8Array(kinds.length);
  const outline: number[] = [];
  let [ink, melted] = [0, 0];
  for (let at = 0; at < kinds.length; at += 1) {
    const kind = kinds[at] ?? PAGE;
    if (kind === PAGE) continue;
    ink += 1;
    const melts = kind === FAINT && !isWithin(besideWeak, at % width, Math.floor(at / width));
    if (melts) {
      melted += 1;
      hidden[at] = 1;
    }
    if (isEdge(kinds, at, sample)) outline.push(at);
  }
  for (const at of outline) if (shown[at] === 0) hidden[at] = 1;
  if (ink === 0) return { visible: false, faded: 0, hidden };
  const seen = outline.filter((at) => shown[at] === 1).length;
  const kept = kinds.map((kind, at) => (shown[at] === 1 && kind === FAINT ? WEAK : kind));
  const visible =
    seen / outline.length >= MOST_OUTLINE &&
    lostOutline(sample, outline, shown) / outline.length <= MAX_LOST &&
    keepsExtent(spansOf(kept, sample, WEAK), spansOf(kept, sample, FAINT));
  return { visible, faded: melted / ink, hidden };
}

/**
 * Returns the number of outline pixels in invisible parts of the drawing. A part is a connected shape. It is invisible
 * if less than `LEAST_OF_PART` of its outline is visible.
 */
function lostOutline(sample: Sample, outline: readonly number[], shown: Uint8Array): number {
  const { shapes, shapeOf } = connectedShapes(sample);
  const parts = [...shapes.keys(), shapes.length].map(() => ({ all: 0, seen: 0 }));
  for (const at of outline) {
    const part = parts[shapeOf[at] ?? 0];
    if (part === undefined) continue;
    part.all += 1;
    part.seen += shown[at] ?? 0;
  }
  return parts.reduce((lost, { all, seen }) => lost + (seen / all < LEAST_OF_PART ? all : 0), 0);
}

/** Returns true if a pixel is next to the background or at the border of the thumbnail. */
function isEdge(kinds: Uint8Array, at: number, { width, height }: Sample): boolean {
  const x = at % width;
  if (x === 0 || x === width - 1 || at < width || at >= width * (height - 1)) return true;
  return kinds[at - 1] === PAGE || kinds[at + 1] === PAGE || kinds[at - width] === PAGE || kinds[at + width] === PAGE;
}

/**
 * Returns 1 for each pixel that is clearly visible (`CLEAR`) or has a clearly visible pixel within REACH_PX, and 0 for
 * all others.
 */
function nearClear(kinds: Uint8Array, { width, height }: Sample): Uint8Array {
  const near = new Uint8Array(kinds.length);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - REACH_PX), Math.min(height - 1, y + REACH_PX)];
    // Processes whole runs of clearly visible (`CLEAR`) pixels at once, because these pixels are mostly adjacent.
    for (let x = 0; x < width; x += 1) {
      if (kinds[y * width + x] !== CLEAR) continue;
      const left = Math.max(0, x - REACH_PX);
      while (x + 1 < width && kinds[y * width + x + 1] === CLEAR) x += 1;
      const end = Math.min(width, x + REACH_PX + 1);
      for (let row = top; row <= bottom; row += 1) near.fill(1, row * width + left, row * width + end);
    }
  }
  return near;
}

/**
 * Returns true if the visible pixels extend as far as all pixels of the drawing. Example for false: black lettering
 * below a red disc disappears on a dark background.
 */
function keepsExtent(kept: Spans, all: Spans): boolean {
  return (
    extentOf(kept.left, kept.right) / extentOf(all.left, all.right) >= LEAST_EXTENT &&
    extentOf(kept.top, kept.bottom) / extentOf(all.top, all.bottom) >= LEAST_EXTENT
  );
}

function extentOf(starts: Int32Array, ends: Int32Array): number {
  return Math.max(0, Math.max(...ends) - Math.min(...starts) + 1);
}

/**
 * Positions of the first and last pixel with some visibility, in each row (`left`, `right`) and in each column (`top`,
 * `bottom`).
 */
export interface Spans {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly top: Int32Array;
  readonly bottom: Int32Array;
}

/**
 * Returns, for each row and each column, the first and last pixel with a visibility of at least `least`. `least` is a
 * constant such as `WEAK`.
 */
export function spansOf(kinds: Uint8Array, { width, height }: Sample, least: number): Spans {
  const [left, right] = [new Int32Array(height).fill(width), new Int32Array(height).fill(-1)];
  const [top, bottom] = [new Int32Array(width).fill(height), new Int32Array(width).fill(-1)];
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if ((kinds[at] ?? 0) < least) continue;
      if (x < (left[y] ?? 0)) left[y] = x;
      right[y] = x;
      if (y < (top[x] ?? 0)) top[x] = y;
      bottom[x] = y;
    }
  }
  return { left, right, top, bottom };
}

/**
 * Returns true if the pixel (x, y) is between the first and last visible pixel of its row, or of its column. The spans
 * contain the positions of these visible pixels.
 */
export function isWithin({ left, right, top, bottom }: Spans, x: number, y: number): boolean {
  return (x > (left[y] ?? x) && x < (right[y] ?? x)) || (y > (top[x] ?? y) && y < (bottom[x] ?? y));
}

function classify({ pixels, width, height }: Sample, background: Background): Uint8Array {
  const kindOf = pixelKinds(background);
  const kinds = new Uint8Array(width * height);
  // Most pixels equal the previous pixel, so the result of the previous pixel is reused.
  let [last, kind] = [-1, PAGE];
  for (let at = 0; at < kinds.length; at += 1) {
    const alpha = pixels[at * 4 + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    const [red, green, blue] = [pixels[at * 4] ?? 0, pixels[at * 4 + 1] ?? 0, pixels[at * 4 + 2] ?? 0];
    const pixel = ((red << 16) | (green << 8) | blue) * 256 + alpha;
    if (pixel !== last) [last, kind] = [pixel, kindOf([red, green, blue], alpha)];
    kinds[at] = kind;
  }
  return kinds;
}

/** Returns a function that classifies a premultiplied pixel by its visibility on the background. */
function pixelKinds(background: Background): (channels: readonly number[], alpha: number) => number {
  const page = hexChannels(PAGE_COLORS[background]);
  const pageLuminance = luminance(...page);
  return ([red = 0, green = 0, blue = 0], alpha) => {
    const rest = 1 - alpha / 255;
    const channels = [red + page[0] * rest, green + page[1] * rest, blue + page[2] * rest] as const;
    const ratio = contrast(luminance(...channels), pageLuminance);
    // A strong yellow has nearly the luminance of white, but is visible on white.
    if (ratio >= LEAST_CONTRAST || (background === 'light' && ratio >= contrastOnWhite(channels))) return CLEAR;
    return ratio >= FAINT_CONTRAST || (background === 'light' && isVivid(channels)) ? WEAK : FAINT;
  };
}

/** Returns the contrast between two luminances (WCAG 2). */
export function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
