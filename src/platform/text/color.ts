// Colors: the notations of a request, and their contrast.
import { colorsNamed, wcagContrast } from 'culori';

/** `rrggbbaa` in lower case. */
export type Color = string & { readonly __brand: 'Color' };

export const BLACK = '000000ff' as Color;
export const WHITE = 'ffffffff' as Color;

/** Hex notations that people use. */
export const HEX_COLOR_PATTERN = /^#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/;
const NAMES: ReadonlyMap<string, number> = new Map(Object.entries(colorsNamed));
/** Color names of CSS Color Module Level 4, section 6.1; lower case. */
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

/** Parses `#rrggbb` in either case, the catalog's notation. */
export function colorOfHex(hex: string): Color | undefined {
  return hex.startsWith('#') ? parseColor(hex) : undefined;
}

/** Returns `#rrggbb`, without the alpha. */
export function cssHex(color: Color): string {
  return `#${color.slice(0, 6)}`;
}

/** Returns the alpha, 0 to 255. */
export function alphaOf(color: Color): number {
  return Number.parseInt(color.slice(6), 16);
}

/** Returns the WCAG 2 contrast ratio of two opaque colors, 1 to 21. */
export function contrast(one: Color, other: Color): number {
  return wcagContrast(cssHex(one), cssHex(other));
}

/** Returns black or white: the one with more contrast. */
export function contrasting(color: Color): Color {
  return contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK;
}
