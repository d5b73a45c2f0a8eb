// Greyscale of colors and drawings. Every color is replaced by its luma in the drawing itself, without a filter.
import { cssHex, type Color } from '../platform/text/color.js';

/**
 * Weights of the encoded sRGB values, not of linear light. CSS `filter: grayscale(1)` (Filter Effects Module Level 1, section
 * 13.1, "grayscale") uses them, and so does ImageMagick's Rec709Luma, its default for `-colorspace Gray`. Gradients,
 * antialiasing, opacity and luminance masks (CSS Masking 1, section 7.10.1) are linear in the same values. Replacing the colors
 * therefore gives the same result as a filter. Relative luminance is not linear in these values, so it would give other results.
 */
const LUMA = { red: 0.2126, green: 0.7152, blue: 0.0722 } as const;

/** Matches colors. Every color in a sanitized drawing is `#rrggbb`: it has no CSS and no other notation (workers/sanitize). */
const COLOR_ATTRIBUTE = / (fill|stroke|stop-color|flood-color|lighting-color)="#([0-9a-f]{6})"/g;
const TRANSFER = /<feFunc([RGB])(?:[^>]*\/>|[^>]*><\/feFunc[RGB]>)/g;
const NOISE = /<feTurbulence\b([^>]*)\/>/g;
const COLOR_MATRIX = /<feColorMatrix\b[^>]*>/g;
const MATRIX_COLUMNS = 5;
const MATRIX_VALUES = 4 * MATRIX_COLUMNS;

/** Returns the grey of a color, with the same alpha. */
export function greyscaleColor(color: Color): Color {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const level = Math.round(luma(red, green, blue))
    .toString(16)
    .padStart(2, '0');
  return `${level}${level}${level}${color.slice(6)}` as Color;
}

/**
 * Returns a sanitized drawing with the same shapes in grey. `currentColor` stays. In filters, color matrices, channel functions
 * and noise can turn grey into a color. Matrices and noise are therefore followed by the same weights, in the filter's own color
 * space. All channels get green's function. The result is always grey, but may be another grey than the colors would have given.
 */
export function greyscaleSvg(svg: string): string {
  return svg
    .replace(
      COLOR_ATTRIBUTE,
      (_, name: string, hex: string) => ` ${name}="${cssHex(greyscaleColor(`${hex}ff` as Color))}"`,
    )
    .replace(COLOR_MATRIX, greyscaleMatrix)
    .replace(NOISE, greyscaleNoise)
    .replace(/<feComponentTransfer\b[^>]*>[\s\S]*?<\/feComponentTransfer>/g, greyscaleTransfer);
}

function luma(red: number, green: number, blue: number): number {
  return LUMA.red * red + LUMA.green * green + LUMA.blue * blue;
}

/** Changes only type `matrix`. The other types turn grey into grey, because each row sums to 1, or to 0 in `luminanceToAlpha`. */
function greyscaleMatrix(tag: string): string {
  const type = / type="([^"]*)"/.exec(tag)?.[1] ?? 'matrix';
  const values = (/ values="([^"]*)"/.exec(tag)?.[1] ?? '').split(' ').map(Number);
  if (type !== 'matrix' || values.length !== MATRIX_VALUES) return tag;
  return tag.replace(/ values="[^"]*"/, ` values="${lumaRows(values)}"`);
}

function greyscaleNoise(tag: string, attributes: string): string {
  const kept = attributes.match(/ (?:result|color-interpolation-filters)="[^"]*"/g)?.join('') ?? '';
  const { red, green, blue } = LUMA;
  const row = `${red} ${green} ${blue} 0 0`;
  return `${tag}<feColorMatrix${kept} type="matrix" values="${row} ${row} ${row} 0 0 0 1 0"/>`;
}

function greyscaleTransfer(element: string): string {
  const green = [...element.matchAll(TRANSFER)].find(([, channel]) => channel === 'G')?.[0];
  const shared =
    green === undefined ? '' : ['R', 'G', 'B'].map((name) => green.replaceAll('feFuncG', `feFunc${name}`)).join('');
  return element.replace(TRANSFER, '').replace('>', () => `>${shared}`);
}

/** Returns the product of the matrix and the weights. */
function lumaRows(values: readonly number[]): string {
  const row = Array.from({ length: MATRIX_COLUMNS }, (_, column) => {
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((line) => values[line * MATRIX_COLUMNS + column]);
    return Number(luma(red, green, blue).toFixed(6));
  });
  return [...row, ...row, ...row, ...values.slice(3 * MATRIX_COLUMNS)].join(' ');
}
