// Greyscale of colors and drawings: every color by its luma, written into the drawing, without a filter.
import { cssHex, type Color } from '../platform/text/color.js';

/**
 * Weights of the sRGB values as they are encoded, not of light: CSS `filter: grayscale(1)` (Filter Effects Module
 * Level 1, section 13.1, "grayscale") and ImageMagick's Rec709Luma, its default for `-colorspace Gray`. Gradients,
 * antialiasing, opacity and luminance masks (CSS Masking 1, section 7.10.1) are linear in the same values, so that grey
 * stops give the grey of the gradient, grey shapes that of what they overlap, and masks let through what they did. By
 * relative luminance, which is not linear in them, all of that would differ.
 */
const LUMA = { red: 0.2126, green: 0.7152, blue: 0.0722 } as const;

/** Wherever a sanitized drawing has a color, it is `#rrggbb`: no CSS, no other notation (workers/sanitize). */
const COLOR_ATTRIBUTE = / (fill|stroke|stop-color|flood-color|lighting-color)="#([0-9a-f]{6})"/g;
const TRANSFER = /<feFunc([RGB])(?:[^>]*\/>|[^>]*><\/feFunc[RGB]>)/g;
const NOISE = /<feTurbulence\b([^>]*)\/>/g;
const COLOR_MATRIX = /<feColorMatrix\b[^>]*>/g;
const MATRIX_COLUMNS = 5;
const MATRIX_VALUES = 4 * MATRIX_COLUMNS;

/** Its alpha stays. */
export function greyscaleColor(color: Color): Color {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const level = Math.round(luma(red, green, blue))
    .toString(16)
    .padStart(2, '0');
  return `${level}${level}${level}${color.slice(6)}` as Color;
}

/**
 * A sanitized drawing with the same shapes in grey; `currentColor` stays. Of the steps of filters color matrices,
 * functions of channels and noise make a color of grey: the same weights follow matrices and noise, in the filter's own color space,
 * and all channels get green's function. Grey always, though not the grey of what
 * colors would have given.
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

/** The other types give grey of grey: each of their rows sums to 1, or to 0 in `luminanceToAlpha`. */
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

/** The matrix, then the weights. */
function lumaRows(values: readonly number[]): string {
  const row = Array.from({ length: MATRIX_COLUMNS }, (_, column) => {
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((line) => values[line * MATRIX_COLUMNS + column]);
    return Number(luma(red, green, blue).toFixed(6));
  });
  return [...row, ...row, ...row, ...values.slice(3 * MATRIX_COLUMNS)].join(' ');
}
