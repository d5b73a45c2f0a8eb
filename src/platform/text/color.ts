// Colors: the notations of a request, and their contrast.
import { colorsNamed, wcagContrast } from 'culori';

/** `rrggbbaa`, lower case. */
export type Color = string & { readonly __brand: 'Color' };

export const BLACK = '000000ff' as Color;
export const WHITE = 'ffffffff' as Color;

/** Hex as people write it. */
export const HEX_COLOR_PATTERN = /^#?([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/;
const NAMES: ReadonlyMap<string, number> = new Map(Object.entries(colorsNamed));
/** CSS Color Module Level 4, section 6.1; lower case. */
export const COLOR_NAMES: readonly string[] = [...NAMES.keys()];

/** Hex with 3, 4, 6 or 8 digits, with or without `#`, or a CSS color name; undefined for all else. */
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

/** Reads `#rrggbb` in either case, as the catalog has it. */
export function colorOfHex(hex: string): Color | undefined {
  return hex.startsWith('#') ? parseColor(hex) : undefined;
}

/** `#rrggbb`, without its alpha. */
export function cssHex(color: Color): string {
  return `#${color.slice(0, 6)}`;
}

/** 0..255 */
export function alphaOf(color: Color): number {
  return Number.parseInt(color.slice(6), 16);
}

/** WCAG 2 contrast ratio of two opaque colors, 1..21. */
export function contrast(one: Color, other: Color): number {
  return wcagContrast(cssHex(one), cssHex(other));
}

/** Black or white, whichever stands out more. */
export function contrasting(color: Color): Color {
  return contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK;
}
