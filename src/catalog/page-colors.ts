// Colors on light and dark pages: decides whether a color is visible, and finds the nearest visible color.
import { clampChroma, converter, formatHex, wcagContrast } from 'culori';
import type { Background } from './entry.js';

/** Backgrounds of light and dark pages, as on GitHub and most other sites. */
export const PAGE_COLORS: Readonly<Record<Background, string>> = { light: '#ffffff', dark: '#0d1117' };

/** Minimum contrast of graphics, WCAG 2.2, 1.4.11. */
export const LEAST_CONTRAST = 3;
/**
 * Minimum contrast of wordmarks and thin drawings on dark pages. Text needs 4.5 (WCAG 2.2, 1.4.3). The contrast is
 * measured on `PAGE_COLORS.dark`. On pages in the slightly lighter `#121212`, the additional 0.05 keeps it at 4.5.
 */
export const READABLE_CONTRAST = 4.55;
/**
 * Minimum contrast of strong colors on white. It is low, because WCAG's ratio only measures luminance, and rates
 * yellow, green and orange too low. McDonald's golden arches, for example, are visible although their ratio is only
 * 1.6. WCAG exempts logotypes from its minimum.
 */
const LEAST_VIVID_CONTRAST = 1.2;
/**
 * A color is gray if its strongest and its weakest channel differ by at most GRAY. It is strong if they differ by at
 * least VIVID. Channels are 0..255.
 */
const GRAY = 40;
const VIVID = 120;
/**
 * On dark pages, a color with an OKLCH chroma below NEUTRAL_CHROMA counts as gray. A color with an OKLCH lightness
 * below BLACKISH counts as black, even if it has a hue.
 */
const NEUTRAL_CHROMA = 0.04;
const BLACKISH = 0.22;
/** Minimum OKLCH lightness of black and gray after they are lightened for dark pages. */
const LIGHT_INK = 0.85;
/** Number of bisection steps toward black or white. The last step is 1/256 of the distance, which is invisible. */
const HALVINGS = 8;
/** Upper bound of the chroma in sRGB. */
const MAX_CHROMA = 0.4;

/** A background, and the minimum contrast with it. WCAG requires 3:1. Thin shapes may require more. */
export interface Seen {
  readonly on: Background;
  readonly contrast?: number;
}

/** Returns true if a color is visible on the background. */
export function isSeen(hex: string, { on, contrast = LEAST_CONTRAST }: Seen): boolean {
  const ratio = wcagContrast(hex, PAGE_COLORS[on]);
  return ratio >= (on === 'light' ? Math.min(contrast, contrastOnWhite(channelsOf(hex))) : contrast);
}

/**
 * Returns the contrast that a color needs to be visible on white, which is lower for strong colors. `channels`: 0..255.
 */
export function contrastOnWhite(channels: readonly number[]): number {
  const strength = (Math.max(...channels) - Math.min(...channels) - GRAY) / (VIVID - GRAY);
  return LEAST_CONTRAST - (LEAST_CONTRAST - LEAST_VIVID_CONTRAST) * Math.min(1, Math.max(0, strength));
}

/** Returns red, green and blue of `#rrggbb`, 0..255. */
export function channelsOf(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

const toOklch = converter('oklch');
const known = new Map<string, string>();
const KNOWN_MAX = 5000;

/**
 * Returns a visible color. If the given color is not visible, changes its OKLCH lightness until it is, and keeps its
 * hue and saturation. On a dark page, black and gray become light.
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
  // Keeps the saturation: the chroma divided by the maximum chroma at the same lightness. With a constant chroma, a
  // deep blue would become a dull blue, not a bright blue.
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
