// Grayscale of colors and drawings. No filter is needed: every color in a drawing is replaced with the gray of equal
// luma.
import { cssHex, type Color } from '../platform/text/color.js';

/**
 * Weights for sRGB values without conversion to linear light. CSS `filter: grayscale(1)` (Filter Effects Module Level
 * 1, section 13.1) and ImageMagick's Rec709Luma use these weights. Gradients, antialiasing, opacity and luminance masks
 * (CSS Masking 1, section 7.10.1) are linear in sRGB values. Replacing the colors of a drawing therefore gives the same
 * picture as the CSS filter.
 */
const LUMA = { red: 0.2126, green: 0.7152, blue: 0.0722 } as const;

/** Matches colors. A sanitized drawing has no CSS, and every color in it is `#rrggbb` (workers/sanitize). */
const COLOR_ATTRIBUTE = / (fill|stroke|stop-color|flood-color|lighting-color)="#([0-9a-f]{6})"/g;
const TRANSFER = /<feFunc([RGB])(?:[^>]*\/>|[^>]*><\/feFunc[RGB]>)/g;
const NOISE = /<feTurbulence\b([^>]*)\/>/g;
const COLOR_MATRIX = /<feColorMatrix\b[^>]*>/g;
const MATRIX_COLUMNS = 5;
const MATRIX_VALUES = 4 * MATRIX_COLUMNS;

/** Returns the gray of a color, with unchanged alpha. */
export function greyscaleColor(color: Color): Color {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const level = Math.round(luma(red, green, blue))
    .toString(16)
    .padStart(2, '0');
  return `${level}${level}${level}${color.slice(6)}` as Color;
}

/**
 * Returns a sanitized drawing in gray, with `currentColor` unchanged. Color matrices, noise and channel functions of a
 * filter can turn gray into a color. The luma weights are therefore applied after each matrix and each noise, in the
 * color space of the filter. If a filter has channel functions, all channels get the function of green. The result is
 * always gray, but its brightness may differ from the luma of the original colors.
 */
export function greyscaleSvg(svg: string): string {
  return greyscaleImages(svg)
    .replace(
      COLOR_ATTRIBUTE,
      (_, name: string, hex: string) => ` ${name}="${cssHex(greyscaleColor(`${hex}ff` as Color))}"`,
    )
    .replace(COLOR_MATRIX, greyscaleMatrix)
    .replace(NOISE, greyscaleNoise)
    .replace(/<feComponentTransfer\b[^>]*>[\s\S]*?<\/feComponentTransfer>/g, greyscaleTransfer);
}

const GREYSCALE_FILTER =
  '<filter id="greyscale" x="0" y="0" width="1" height="1" color-interpolation-filters="sRGB">' +
  '<feColorMatrix type="matrix" values="1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0"/></filter>';

/**
 * Adds a color-matrix filter to each bitmap. Of the drawings that come here, only website icons contain bitmaps.
 * Drawings of the kind `painted` also contain bitmaps, but become gray later, after rasterizing. `greyscaleMatrix`
 * later changes all matrices of the drawing, including this one, so that they produce gray.
 */
function greyscaleImages(svg: string): string {
  return svg.includes('<image ')
    ? svg.replaceAll('<image ', `${GREYSCALE_FILTER}<image filter="url(#greyscale)" `)
    : svg;
}

function luma(red: number, green: number, blue: number): number {
  return LUMA.red * red + LUMA.green * green + LUMA.blue * blue;
}

/**
 * Changes only matrices of type `matrix`. The input is already gray, and matrices of other types keep it gray. The
 * reason is that all color rows of these matrices have the same sum: 1, or 0 for `luminanceToAlpha`.
 */
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

/** Returns the rows of the matrix that applies `values` and then the luma weights. */
function lumaRows(values: readonly number[]): string {
  const row = Array.from({ length: MATRIX_COLUMNS }, (_, column) => {
    const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((line) => values[line * MATRIX_COLUMNS + column]);
    return Number(luma(red, green, blue).toFixed(6));
  });
  return [...row, ...row, ...row, ...values.slice(3 * MATRIX_COLUMNS)].join(' ');
}
