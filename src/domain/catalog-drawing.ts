// A sanitised drawing as the catalog keeps it: its content hash, its paint, where it can be seen.
import { hash } from 'node:crypto';
import type { Background, Variant } from './catalog.js';
import { colourOfHex, contrast } from './colour.js';

/** What the sanitiser says of a drawing. */
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
const PAGES: Readonly<Record<Background, string>> = { light: '#ffffff', dark: '#0d1117' };
/** As in the sanitiser: below WCAG's 3:1, because brand yellows are meant for white pages. */
const LEAST_CONTRAST = 1.6;

/** The paint is part of the hash: the same glyph in another colour is another picture. */
export function variantOf(name: string, { svg, width, height, colors, recolorable, on }: CleanDrawing): Variant {
  const etag = hash('sha256', recolorable ? `${svg}${colors[0] ?? ''}` : svg).slice(0, 16);
  return { name, width, height, colors, recolorable, on, etag };
}

/** A one-paint drawing in another colour, `#rrggbb`. */
export function repaint(drawing: CleanDrawing, color: string): CleanDrawing {
  return { ...drawing, colors: [color.toLowerCase()], on: visibleOn(color) };
}

/** A glyph's paint: the brand's colour, or black where white pages would swallow it. */
export function glyphPaint(hex: string): string {
  return visibleOn(hex).includes('light') ? hex : '#000000';
}

function visibleOn(color: string): Background[] {
  const paint = colourOfHex(color);
  const pages = Object.entries(PAGES) as [Background, string][];
  return pages
    .filter(([, page]) => {
      const ground = colourOfHex(page);
      return paint !== undefined && ground !== undefined && contrast(paint, ground) >= LEAST_CONTRAST;
    })
    .map(([name]) => name);
}

/** `#RRGGBB` of what a source wrote, undefined when it is no colour. */
export function brandHex(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join('') : digits}`.toUpperCase();
}

/** Black, white or grey: what a source writes when it knows no brand colour. */
export function isAchromatic(hex: string): boolean {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return Math.max(...channels) - Math.min(...channels) < 24;
}
