// Sanitized drawings: content hash, paint, and the backgrounds on which they are visible.
import { hash } from 'node:crypto';
import type { Background, Variant } from './entry.js';
import { WHITE, colorOfHex, contrast, type Color } from '../color.js';

/** The sanitizer's result. */
export interface CleanDrawing {
  /** `<svg xmlns viewBox>…</svg>`; a single paint is written as `currentColor`. */
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly colors: readonly string[];
  readonly recolorable: boolean;
  readonly on: readonly Background[];
}

/** Pages as GitHub's and most others' are, by day and by night. */
export const PAGES: Readonly<Record<Background, Color>> = { light: WHITE, dark: '0d1117ff' as Color };
/**
 * What can be seen on a page, here, in the sanitizer (sanitize/thumbnail-analysis.ts) and where a request names its
 * background. Below WCAG's 3:1, because brand yellows are meant for white pages.
 */
const LEAST_CONTRAST = 1.6;
/** A single paint below this cannot be seen on a white page, brand yellow or not. */
const FAINT_CONTRAST = 1.4;

/** The paint is part of the hash: the same glyph in another color is another picture. */
export function variantOfDrawing(name: string, { svg, width, height, colors, recolorable, on }: CleanDrawing): Variant {
  const etag = hash('sha256', recolorable ? `${svg}${colors[0] ?? ''}` : svg).slice(0, 16);
  return { name, width, height, colors, recolorable, on, etag };
}

/** A one-paint drawing in another color, `#rrggbb`. */
export function repaint(drawing: CleanDrawing, color: string): CleanDrawing {
  return { ...drawing, colors: [color.toLowerCase()], on: visibleOn(color) };
}

/** A glyph's paint: the brand's color, or black where it cannot be seen on white. */
export function glyphPaint(hex: string): string {
  return visibleOn(hex).includes('light') ? hex : '#000000';
}

/** By `LEAST_CONTRAST` with the page of this background. */
export function isVisibleOn(paint: Color, background: Background): boolean {
  return contrast(paint, PAGES[background]) >= LEAST_CONTRAST;
}

/** Whether a drawing is one pale paint that cannot be seen on white. */
export function isFaintByDay({ recolorable, colors }: Pick<Variant, 'recolorable' | 'colors'>): boolean {
  const paint = colorOfHex(colors[0] ?? '');
  return recolorable && paint !== undefined && contrast(paint, PAGES.light) < FAINT_CONTRAST;
}

function visibleOn(color: string): Background[] {
  const paint = colorOfHex(color);
  return (['light', 'dark'] as const).filter((name) => paint !== undefined && isVisibleOn(paint, name));
}

/** `#RRGGBB` of what a source wrote, undefined when it is no color. */
export function brandHex(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join('') : digits}`.toUpperCase();
}

/** Black, white or gray: a source's value where it has no brand color. */
export function isAchromatic(hex: string): boolean {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return Math.max(...channels) - Math.min(...channels) < 24;
}
