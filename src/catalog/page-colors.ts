// Colors on light and dark pages: which can be seen there, and the nearest one that can.
import { clampChroma, converter, formatHex, wcagContrast } from 'culori';
import type { Background } from './entry.js';

/** Pages as GitHub's and most others' are, by day and by night. */
export const PAGE_COLORS: Readonly<Record<Background, string>> = { light: '#ffffff', dark: '#0d1117' };

/** WCAG 2.2, 1.4.11. */
export const LEAST_CONTRAST = 3;
/**
 * The same for strong colors on white: the ratio is of luminance alone and misses what yellow, green and orange have of color. The
 * golden arches have 1.6. WCAG exempts logotypes.
 */
const LEAST_VIVID_CONTRAST = 1.2;
/** Difference of the strongest and the weakest channel of a gray and of a strong color, 0..255. */
const GRAY = 40;
const VIVID = 120;
/** OKLCH chroma below which a dark color is black or gray to the eye, and lightness below which it is black whatever its hue. */
const NEUTRAL_CHROMA = 0.04;
const BLACKISH = 0.22;
/** OKLCH lightness of black and gray on a dark page. */
const LIGHT_INK = 0.85;
/** Halvings of the way to black or white: 1/256 of it is no visible step. */
const HALVINGS = 8;
/** No chroma of sRGB is larger. */
const MAX_CHROMA = 0.4;

/** How strongly a color must stand out: 3:1 as WCAG has it, or more for thin shapes. */
export interface Seen {
  readonly on: Background;
  readonly contrast?: number;
}

/** True for a color that stands out from the page, or is strong enough on white. */
export function isSeen(hex: string, { on, contrast = LEAST_CONTRAST }: Seen): boolean {
  const ratio = wcagContrast(hex, PAGE_COLORS[on]);
  return ratio >= (on === 'light' ? Math.min(contrast, contrastOnWhite(channelsOf(hex))) : contrast);
}

/** Contrast with white from which a color is seen on it: less, the stronger it is. Channels 0..255. */
export function contrastOnWhite(channels: readonly number[]): number {
  const strength = (Math.max(...channels) - Math.min(...channels) - GRAY) / (VIVID - GRAY);
  return LEAST_CONTRAST - (LEAST_CONTRAST - LEAST_VIVID_CONTRAST) * Math.min(1, Math.max(0, strength));
}

/** Red, green and blue of `#rrggbb`, 0..255. */
export function channelsOf(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

const toOklch = converter('oklch');
const known = new Map<string, string>();
const KNOWN_MAX = 5000;

/**
 * The color itself where it can be seen; else its hue and saturation in the nearest lightness of OKLCH that stands out. Black and gray
 * have no hue to keep: on a dark page they become their opposite, as ink does.
 */
export function nearestSeen(hex: string, seen: Seen): string {
  if (isSeen(hex, seen)) return hex;
  const key = `${seen.on}${seen.contrast ?? ''}${hex}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const nearest = moveLightness(hex, seen);
  if (known.size < KNOWN_MAX) known.set(key, nearest);
  return nearest;
}

function moveLightness(hex: string, { on, contrast = LEAST_CONTRAST }: Seen): string {
  const { l, c, h = 0 } = toOklch(hex) ?? { l: 0, c: 0 };
  if (on === 'dark' && l < BLACKISH) return '#ffffff';
  if (on === 'dark' && c < NEUTRAL_CHROMA) return formatHex({ mode: 'oklch', l: Math.max(LIGHT_INK, 1 - l), c: 0, h });
  // A share of what the lightness allows: a deep blue of full strength becomes a bright one, not a dusty one.
  const saturation = c / Math.max(c, mostChroma(l, h));
  const at = (light: number): string =>
    formatHex(clampChroma({ mode: 'oklch', l: light, c: saturation * mostChroma(light, h), h }, 'oklch'));
  let [unseen, moved] = [l, on === 'dark' ? 1 : 0];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (unseen + moved) / 2;
    if (wcagContrast(at(middle), PAGE_COLORS[on]) >= contrast) moved = middle;
    else unseen = middle;
  }
  return at(moved);
}

function mostChroma(l: number, h: number): number {
  return clampChroma({ mode: 'oklch', l, c: MAX_CHROMA, h }, 'oklch').c;
}
