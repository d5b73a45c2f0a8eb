// Sanitized drawings: content hash, paint, and the backgrounds on which they are visible.
import { hash } from 'node:crypto';
import type { CandidateVariant, Look } from './import/candidate.js';
import type { Background, InkBox, Variant } from './entry.js';
import { WHITE, colorOfHex, contrast, type Color } from '../platform/text/color.js';
import { channelsOf, isSeen, nearestSeen, PAGE_COLORS, READABLE_CONTRAST } from './page-colors.js';

export interface CleanDrawing {
  /**
   * SVG text, `<svg xmlns viewBox>…</svg>`. If the drawing has a single paint, the text contains `currentColor` instead
   * of the paint.
   */
  readonly svg: string;
  /** Variant of `svg` from which PNG and WebP are rasterized. Only drawings with blurs have one. */
  readonly painted?: string;
  readonly width: number;
  readonly height: number;
  readonly colors: readonly string[];
  readonly recolorable: boolean;
  readonly on: readonly Background[];
  readonly ink: InkBox;
  readonly look?: Look;
  readonly derived: {
    /** Copy in one color. Its text has `currentColor` in place of the color. */
    readonly mono?: DerivedDrawing;
    /** Copies for light and for dark pages, with paints that are visible on them. */
    readonly light?: DerivedDrawing;
    readonly dark?: DerivedDrawing;
  };
}

/** A copy of a drawing in other colors, with the same viewBox and the same shape. */
export type DerivedDrawing = Pick<CleanDrawing, 'svg' | 'painted' | 'colors' | 'on'>;

/**
 * How much the sanitizer derives from a drawing. Each level does all the work of the levels before it. `nothing`: only
 * sanitizes the SVG. `painted`: makes the SVG for PNG and WebP, with small bitmaps instead of blurs. `look`: measures
 * the drawing (`Look`). `backgrounds`: makes copies of multicolored drawings, for backgrounds on which the original is
 * invisible. `all`: makes a copy in one color.
 */
export type Derivation = 'nothing' | 'painted' | 'look' | 'backgrounds' | 'all';

/** Background colors of light and dark web pages, `rrggbbaa` like the colors of a request. */
export const PAGES: Readonly<Record<Background, Color>> = {
  light: WHITE,
  dark: `${PAGE_COLORS.dark.slice(1)}ff` as Color,
};
/**
 * A paint with less contrast to the background is invisible. On light pages, vivid paints (`VIVID`) are an exception,
 * because a strong yellow or green is visible on white.
 */
const FAINT_CONTRAST = 1.6;
/** Minimum difference between the strongest and the weakest channel of a vivid color, 0..255. */
const VIVID = 90;
/**
 * Minimum contrast with white at which a single paint counts as plain black. Many sources use plain black by habit, so
 * it says nothing about the brand's color.
 */
const BLACK_CONTRAST = 17;

/**
 * Creates the variant of a drawing. The hash of a single-color variant includes the color, because its SVG text does
 * not contain the color.
 */
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

/** Returns the content hash of a drawing or of an icon's body, 16 hex digits. */
export function drawingEtag(text: string): string {
  return hash('sha256', text).slice(0, 16);
}

/**
 * If the visible parts of a drawing span at least this share of its width or height, the drawing has no margin in that
 * direction.
 */
const NO_MARGIN = 0.995;

function hasMargins([, , across, down]: InkBox, { width, height }: { width: number; height: number }): boolean {
  return across < width * NO_MARGIN || down < height * NO_MARGIN;
}

/** Returns a copy of a single-color drawing in another color, `#rrggbb`. */
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

/**
 * Returns a copy of a single-color variant in another color, `#rrggbb`. The SVG text is the same, because it has
 * `currentColor` in place of the color.
 */
export function inColor<V extends Variant>(variant: V, color: string): V {
  return { ...variant, colors: [color.toLowerCase()], on: visibleOn(color) };
}

/**
 * Returns the first of these `#rrggbb` colors that is visible on the background. If none is visible, returns a lighter
 * or darker shade of the first color. If the first color is black, white or gray, this shade is black on light pages
 * and white on dark pages.
 */
export function shadeFor(on: Background, [first, ...others]: readonly [string, ...string[]]): string {
  const seen = [first, ...others].find((color) => isSeen(color.toLowerCase(), { on }));
  if (seen !== undefined) return seen;
  if (isAchromatic(first)) return on === 'light' ? '#000000' : '#ffffff';
  return nearestSeen(first.toLowerCase(), { on, ...(on === 'dark' && { contrast: READABLE_CONTRAST }) });
}

/** Returns the paint of a one-color glyph: the brand's color, or black if that color is invisible on white. */
export function glyphPaint(hex: string): string {
  return meltsInto(hex, 'light') ? '#000000' : hex;
}

/**
 * Returns true for a drawing in plain black. Sources use black by default, so black says nothing about the brand's
 * color.
 */
export function isPlainBlack({ recolorable, colors }: Pick<CleanDrawing, 'recolorable' | 'colors'>): boolean {
  const paint = colorOfHex(colors[0] ?? '');
  return recolorable && paint !== undefined && contrast(paint, WHITE) >= BLACK_CONTRAST;
}

/** Returns true for a drawing of one pale paint that is invisible on white pages. */
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

/** Converts a color of a source to `#RRGGBB`. Returns undefined if the text is not a color. */
export function brandHex(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? Array.from(digits, (digit) => digit + digit).join('') : digits}`.toUpperCase();
}

/** Returns true for black, white and gray. Sources state one of these if a brand has no color. */
export function isAchromatic(hex: string): boolean {
  return channelSpan(hex) < 24;
}

function channelSpan(hex: string): number {
  const channels = channelsOf(hex);
  return Math.max(...channels) - Math.min(...channels);
}

/** Returns the distance of two `#rrggbb` colors, 0..441. */
export function colorDistance(one: string, other: string): number {
  const channels = channelsOf(other);
  return Math.hypot(...channelsOf(one).map((channel, at) => channel - (channels[at] ?? 0)));
}

/** Distance below which two colors look the same. */
export const SAME_COLOR = 70;
