// Colours as people write them in an address, and as pictures need them.
import { colorsNamed } from 'culori';

/** `rrggbbaa`, lower case. */
export type Colour = string & { readonly __brand: 'Colour' };

export const BLACK = '000000ff' as Colour;
export const WHITE = 'ffffffff' as Colour;

const HEX_PATTERN = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const NAMES: ReadonlyMap<string, number> = new Map(Object.entries(colorsNamed));

/** Hex with 3, 4, 6 or 8 digits, with or without `#`, or a CSS colour name; undefined for all else. */
export function parseColour(text: string): Colour | undefined {
  const lower = text.toLowerCase();
  const hex = HEX_PATTERN.exec(lower)?.[1];
  if (hex !== undefined) {
    const digits = hex.length <= 4 ? Array.from(hex, (digit) => digit + digit).join('') : hex;
    return digits.padEnd(8, 'f') as Colour;
  }
  const named = NAMES.get(lower);
  return named === undefined ? undefined : (`${named.toString(16).padStart(6, '0')}ff` as Colour);
}

/** Of `#rrggbb` in either case, as the catalog has it. */
export function colourOfHex(hex: string): Colour | undefined {
  return hex.startsWith('#') ? parseColour(hex) : undefined;
}

/** `#rrggbb`, without its alpha. */
export function cssHex(colour: Colour): string {
  return `#${colour.slice(0, 6)}`;
}

/** 0..255 */
export function alphaOf(colour: Colour): number {
  return Number.parseInt(colour.slice(6), 16);
}

/** WCAG 2 contrast ratio of two opaque colours, 1..21. */
export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Black or white, whichever stands out more. */
export function contrasting(colour: Colour): Colour {
  return contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK;
}

/** WCAG 2 relative luminance, 0..1. */
function luminance(colour: Colour): number {
  const linear = (from: number): number => {
    const channel = Number.parseInt(colour.slice(from, from + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(2) + 0.0722 * linear(4);
}
