// Visibility of a thumbnail on light and dark pages: the share of ink that can be seen, and what melts into the page.
import { wcagContrast } from 'culori';
import type { Background } from '../../src/domain/catalog/entry.js';
import { hexChannels, luminance } from '../svg/css-color.js';
import { INK_ALPHA, type Sample } from './draw-thumbnail.js';

export const BACKGROUNDS = ['light', 'dark'] as const;
/** Pages as GitHub's and most others' are, by day and by night. */
export const PAGE_COLORS: Readonly<Record<Background, string>> = { light: '#ffffff', dark: '#0d1117' };

/** WCAG 2.2, 1.4.11. */
export const LEAST_CONTRAST = 3;
/** Below this, ink melts into the page. */
const FAINT_CONTRAST = 1.6;
/** Share of the ink that must stand out. */
const MOST = 0.5;
/** Share of the ink that may melt into the page. */
const MAX_LOST = 0.2;
/** Share of either side that must be left when what melts is taken away: else lettering is gone. */
const LEAST_EXTENT = 0.93;
/** Difference of the strongest and the weakest channel, 0..255. */
const VIVID = 120;

const PAGE = 0;
const FAINT = 1;
const WEAK = 2;
const CLEAR = 3;

/** Backgrounds on which one color stands out. */
export function colorVisibleOn(hex: string): Background[] {
  return BACKGROUNDS.filter((background) => wcagContrast(hex, PAGE_COLORS[background]) >= LEAST_CONTRAST);
}

/** 1 where a color melts into the page, else 0. */
export function meltsInto(hex: string): Readonly<Record<Background, number>> {
  const [red, green, blue] = hexChannels(hex);
  const isVivid = Math.max(red, green, blue) - Math.min(red, green, blue) > VIVID;
  const melts = (background: Background): boolean => wcagContrast(hex, PAGE_COLORS[background]) < FAINT_CONTRAST;
  return { light: melts('light') && !isVivid ? 1 : 0, dark: melts('dark') ? 1 : 0 };
}

export interface Visibility {
  /** Most of the ink stands out, and no part is lost. */
  readonly visible: boolean;
  /** Share of the ink that melts into the page, 0..1; what lies between ink that does not is not lost. */
  readonly faded: number;
}

/** Backgrounds on which most of the ink stands out, and no part is lost. */
export function visibleOn(sample: Sample): Background[] {
  return BACKGROUNDS.filter((background) => visibilityOn(sample, background).visible);
}

export function visibilityOn(sample: Sample, background: Background): Visibility {
  const { width } = sample;
  const kinds = classify(sample, background);
  const besideClear = spansOf(kinds, sample, CLEAR);
  const besideWeak = spansOf(kinds, sample, WEAK);
  let [ink, seen, lost] = [0, 0, 0];
  for (let at = 0; at < kinds.length; at += 1) {
    const kind = kinds[at] ?? PAGE;
    if (kind === PAGE) continue;
    ink += 1;
    const x = at % width;
    const y = (at - x) / width;
    if (kind === CLEAR || isWithin(besideClear, x, y)) seen += 1;
    if (kind === FAINT && !isWithin(besideWeak, x, y)) lost += 1;
  }
  if (ink === 0) return { visible: false, faded: 0 };
  const faded = lost / ink;
  const visible = seen / ink >= MOST && faded <= MAX_LOST && keepsExtent(besideWeak, spansOf(kinds, sample, FAINT));
  return { visible, faded };
}

/** The ink that does not melt reaches as far as all of it: black lettering under a red disc is gone by night. */
function keepsExtent(kept: Spans, all: Spans): boolean {
  return (
    extentOf(kept.left, kept.right) / extentOf(all.left, all.right) >= LEAST_EXTENT &&
    extentOf(kept.top, kept.bottom) / extentOf(all.top, all.bottom) >= LEAST_EXTENT
  );
}

function extentOf(starts: Int32Array, ends: Int32Array): number {
  return Math.max(0, Math.max(...ends) - Math.min(...starts) + 1);
}

/** First and last pixel of a kind, by row and by column. */
export interface Spans {
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly top: Int32Array;
  readonly bottom: Int32Array;
}

/** Spans of the pixels of this kind or a better one. */
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

/** Such pixels lie on both sides of a place, in its row or in its column. */
export function isWithin({ left, right, top, bottom }: Spans, x: number, y: number): boolean {
  return (x > (left[y] ?? x) && x < (right[y] ?? x)) || (y > (top[x] ?? y) && y < (bottom[x] ?? y));
}

function classify({ pixels, width, height }: Sample, background: Background): Uint8Array {
  const [pageRed, pageGreen, pageBlue] = hexChannels(PAGE_COLORS[background]);
  const pageLuminance = luminance(pageRed, pageGreen, pageBlue);
  const kinds = new Uint8Array(width * height);
  for (let at = 0; at < kinds.length; at += 1) {
    const alpha = pixels[at * 4 + 3] ?? 0;
    if (alpha < INK_ALPHA) continue;
    const rest = 1 - alpha / 255;
    const red = (pixels[at * 4] ?? 0) + pageRed * rest;
    const green = (pixels[at * 4 + 1] ?? 0) + pageGreen * rest;
    const blue = (pixels[at * 4 + 2] ?? 0) + pageBlue * rest;
    const ratio = contrast(luminance(red, green, blue), pageLuminance);
    // A strong yellow has nearly the luminance of white and does not melt into it.
    const isVivid = background === 'light' && Math.max(red, green, blue) - Math.min(red, green, blue) > VIVID;
    kinds[at] = ratio >= LEAST_CONTRAST ? CLEAR : isVivid || ratio >= FAINT_CONTRAST ? WEAK : FAINT;
  }
  return kinds;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
