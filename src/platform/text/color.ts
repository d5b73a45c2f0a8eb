// Colors: parsing of colors in requests, and contrast.
import { colorsNamed, wcagContrast } from 'culori';

/** Color as `rrggbbaa` in lower case. */
export type Color = string & { readonly __brand: 'Color' };

export const BLACK = '000000ff' as Color;
export const WHITE = 'ffffffff' as Color;

/** Matches hex notations with 3, 4, 6 or 8 digits, with or without `#`. */
export const HEX_COLOR_PATTERN = /^#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/;
const NAMES: ReadonlyMap<string, number> = new Map(Object.entries(colorsNamed));
/** Color names in lower case (CSS Color Module Level 4, section 6.1). */
export const COLOR_NAMES: readonly string[] = [...NAMES.keys()];

/**
 * Parses hex with 3, 4, 6 or 8 digits, with or without `#`, or a CSS color name. Returns undefined for any other text.
 */
export function parseColor(text: string): Color | undefined {
  const lower = text.toLowerCase();
  const hex = HEX_COLOR_PATTERN.exec(lower)?.[1];
  if (hex !== undefined) {
    const digits = hex.length <= 4 ? Array.from(hex, (digit) => digit + digit).join('') : hex;
    return digits.padEnd(8, 'f') as Color;
  }
  const named = NAMES.get(lower);
  return named === undefined ? undefined : (`${named.toString(16).padStart(6, '0')}ff` as Color);
}

/** Parses `#rrggbb` in upper or lower case, the notation of the catalog. */
export function colorOfHex(hex: string): Color | undefined {
  return hex.startsWith('#') ? parseColor(hex) : undefined;
}

export function cssHex(color: Color): string {
  return `#${color.slice(0, 6)}`;
}

/** Returns the alpha value, 0 (transparent) to 255 (opaque). */
export function alphaOf(color: Color): number {
  return Number.parseInt(color.slice(6), 16);
}

/** Returns the contrast ratio of two opaque colors by WCAG 2, 1 to 21. */
export function contrast(one: Color, other: Color): number {
  return wcagContrast(cssHex(one), cssHex(other));
}

/** Returns black or white, depending on which has more contrast to the color. */
export function contrasting(color: Color): Color {
  return contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK;
}
