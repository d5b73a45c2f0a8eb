// Sanitized drawings: content hash, paint, and the backgrounds on which they are visible.
import { hash } from 'node:crypto';
import type { CandidateVariant, Look } from './import/candidate.js';
import type { Background, InkBox, Variant } from './entry.js';
import { WHITE, colorOfHex, contrast, type Color } from '../platform/text/color.js';
import { channelsOf, isSeen, nearestSeen, PAGE_COLORS } from './page-colors.js';

/** The sanitizer's result. */
export interface CleanDrawing {
  /** `<svg xmlns viewBox>…</svg>`; a single paint is written as `currentColor`. */
  readonly svg: string;
  /** The form that PNG and WebP are drawn from, where it has blurs. */
  readonly painted?: string;
  readonly width: number;
  readonly height: number;
  readonly colors: readonly string[];
  readonly recolorable: boolean;
  readonly on: readonly Background[];
  readonly ink: InkBox;
  readonly look?: Look;
  readonly derived: {
    /** In one color, written as `currentColor`. */
    readonly mono?: DerivedDrawing;
    /** With paints that can be seen on such a page. */
    readonly light?: DerivedDrawing;
    readonly dark?: DerivedDrawing;
  };
}

/** It has the viewBox and ink of the drawing that it is derived from. */
export type DerivedDrawing = Pick<CleanDrawing, 'svg' | 'painted' | 'colors' | 'on'>;

/**
 * Each with those before it: the painted form; the look; for a drawing of several colors also versions for the backgrounds it is lost
 * on; a mono.
 */
export type Derivation = 'nothing' | 'painted' | 'look' | 'backgrounds' | 'all';

/** The pages, as colors of a request. */
export const PAGES: Readonly<Record<Background, Color>> = {
  light: WHITE,
  dark: `${PAGE_COLORS.dark.slice(1)}ff` as Color,
};
/** A paint below this melts into the page, unless it is a strong yellow or green on white. */
const FAINT_CONTRAST = 1.6;
/** Difference of the strongest and the weakest channel of a strong color, 0..255. */
const VIVID = 90;
/** A single paint above this is black, or so near that only its source's habit makes it so. */
const BLACK_CONTRAST = 17;

/** The paint is part of the hash: the same glyph in another color is another picture. */
export function variantOfDrawing(
  name: string,
  { svg, painted, width, height, colors, recolorable, on, ink, look }: Omit<CleanDrawing, 'derived'>,
): CandidateVariant {
  const etag = drawingEtag(recolorable ? `${svg}${colors[0] ?? ''}` : svg);
  return {
    name,
    width,
    height,
    colors,
    recolorable,
    on,
    etag,
    ...(painted !== undefined && { painted: drawingEtag(painted) }),
    ...(hasMargins(ink, { width, height }) && { ink }),
    ...(look !== undefined && { look }),
  };
}

/** A variant derived from `original`. */
export function derivedVariant(
  original: CandidateVariant,
  role: 'mono' | 'light' | 'dark',
  drawing: DerivedDrawing,
): CandidateVariant {
  const { width, height, ink = [0, 0, width, height] } = original;
  const facts = { ...drawing, width, height, ink, recolorable: role === 'mono' };
  const derivedFrom = { etag: original.etag, role };
  return { ...variantOfDrawing(`${original.name}.${role}`, facts), derived: true, derivedFrom };
}

/** Content hash of a drawing or body, 16 hex digits. */
export function drawingEtag(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/** Share of a side that is no margin. */
const NO_MARGIN = 0.995;

function hasMargins([, , across, down]: InkBox, { width, height }: { width: number; height: number }): boolean {
  return across < width * NO_MARGIN || down < height * NO_MARGIN;
}

/** A one-paint drawing in another color, `#rrggbb`. */
export function repaint(drawing: CleanDrawing, color: string): CleanDrawing {
  const chromatic = isAchromatic(color) ? 0 : 1;
  const faded = { light: meltsInto(color, 'light') ? 1 : 0, dark: meltsInto(color, 'dark') ? 1 : 0 };
  return {
    ...drawing,
    colors: [color.toLowerCase()],
    on: visibleOn(color),
    ...(drawing.look && { look: { ...drawing.look, chromatic, faded } }),
  };
}

/** A variant of one paint in another, `#rrggbb`. Its text has `currentColor` in that place. */
export function inColor<V extends Variant>(variant: V, color: string): V {
  return { ...variant, colors: [color.toLowerCase()], on: visibleOn(color) };
}

/**
 * The first of these colors that can be seen on such a page; else the first in another lightness. Black, white and gray become black
 * or white. All are `#rrggbb`.
 */
export function shadeFor(on: Background, [first, ...others]: readonly [string, ...string[]]): string {
  const seen = [first, ...others].find((color) => isSeen(color.toLowerCase(), { on }));
  if (seen !== undefined) return seen;
  if (isAchromatic(first)) return on === 'light' ? '#000000' : '#ffffff';
  return nearestSeen(first.toLowerCase(), { on });
}

/** A glyph's paint: the brand's color, or black where that melts into white pages. */
export function glyphPaint(hex: string): string {
  return meltsInto(hex, 'light') ? '#000000' : hex;
}

/** A source draws it in black, which says nothing of the brand's color. */
export function isPlainBlack({ recolorable, colors }: Pick<CleanDrawing, 'recolorable' | 'colors'>): boolean {
  const paint = colorOfHex(colors[0] ?? '');
  return recolorable && paint !== undefined && contrast(paint, WHITE) >= BLACK_CONTRAST;
}

/** True for a drawing of one pale paint that melts into white. */
export function isFaintByDay({ recolorable, colors }: Pick<Variant, 'recolorable' | 'colors'>): boolean {
  return recolorable && colors[0] !== undefined && meltsInto(colors[0], 'light');
}

function meltsInto(hex: string, background: Background): boolean {
  const paint = colorOfHex(hex);
  if (paint === undefined || contrast(paint, PAGES[background]) >= FAINT_CONTRAST) return false;
  return background === 'dark' || channelSpan(hex) < VIVID;
}

function visibleOn(color: string): Background[] {
  return (['light', 'dark'] as const).filter((on) => isSeen(color.toLowerCase(), { on }));
}

/** `#RRGGBB` of what a source wrote, undefined when it is no color. */
export function brandHex(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join('') : digits}`.toUpperCase();
}

/** Black, white or gray: a source's value where it has no brand color. */
export function isAchromatic(hex: string): boolean {
  return channelSpan(hex) < 24;
}

/** Difference of the strongest and the weakest channel of `#rrggbb`, 0..255. */
function channelSpan(hex: string): number {
  const channels = channelsOf(hex);
  return Math.max(...channels) - Math.min(...channels);
}

/** From one `#rrggbb` to the other, at most 441. */
export function colorDistance(one: string, other: string): number {
  const channels = channelsOf(other);
  return Math.hypot(...channelsOf(one).map((channel, at) => channel - (channels[at] ?? 0)));
}

/** Colors nearer than this are the same to the eye. */
export const SAME_COLOR = 70;
