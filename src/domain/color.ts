// Colors as people write them in an address, and as pictures need them.
import { colorsNamed } from 'culori';

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

/** Of `#rrggbb` in either case, as the catalog has it. */
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
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Black or white, whichever stands out more. */
export function contrasting(color: Color): Color {
  return contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK;
}

/** WCAG 2 relative luminance, 0..1. */
function luminance(color: Color): number {
  const linear = (from: number): number => {
    const channel = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(2) + 0.0722 * linear(4);
}
