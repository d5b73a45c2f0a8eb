// The colors of an entry with their roles, without near duplicates.
import type { Entry } from '../../data/queries.js';

export interface RoleColor {
  /** `#rrggbb`, lower case. */
  readonly hex: string;
  readonly role: string;
}

const MAX_COLORS = 12;
/**
 * Minimum distance of two listed colors. Nearer colors look the same in a swatch. The distance of black and white is
 * 765.
 */
const LEAST_DISTANCE = 36;
/**
 * Variant → role of its colors. If several variants have the same color, the first of these variants determines the
 * role.
 */
const ROLES: Readonly<Record<string, string | undefined>> = {
  default: 'Logo',
  light: 'On light pages',
  dark: 'On dark pages',
  mono: 'One-color logo',
};

/** Returns the brand color first, then the colors of each variant. */
export function distinctColors({ hex, variants }: Pick<Entry, 'hex'> & VariantColors): readonly RoleColor[] {
  const brand = hex === null ? [] : [{ hex: hex.toLowerCase(), role: 'Brand color' }];
  const used = variants.flatMap(({ name, colors }) =>
    colors.map((color) => ({ hex: color.toLowerCase(), role: ROLES[name] ?? titleOf(name) })),
  );
  const distinct: RoleColor[] = [];
  for (const color of [...brand, ...used])
    if (distinct.every((other) => distance(color.hex, other.hex) >= LEAST_DISTANCE)) distinct.push(color);
  return distinct.slice(0, MAX_COLORS);
}

interface VariantColors {
  readonly variants: readonly Pick<Entry['variants'][number], 'name' | 'colors'>[];
}

function titleOf(name: string): string {
  const words = name.replaceAll(/[-_.]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns the "redmean" distance of two RGB colors: the weights of the channels depend on the mean red. The result is
 * close to the perceived distance.
 */
function distance(one: string, other: string): number {
  const [[r1 = 0, g1 = 0, b1 = 0], [r2 = 0, g2 = 0, b2 = 0]] = [channelsOf(one), channelsOf(other)];
  const red = (r1 + r2) / 2;
  return Math.sqrt((2 + red / 256) * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + (2 + (255 - red) / 256) * (b1 - b2) ** 2);
}

function channelsOf(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}
