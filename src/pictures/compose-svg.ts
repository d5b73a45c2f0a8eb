// Composes an SVG picture from a drawing, a size and a background. The SVG route serves this document, and PNG and WebP
// are rasterized from it.
import type { InkBox } from '../catalog/entry.js';
import { alphaOf, cssHex, type Color } from '../platform/text/color.js';
import { greyscaleSvg } from './greyscale.js';
import type { Geometry } from './geometry.js';
import type { PictureSpec } from './picture-spec.js';

/**
 * Matches the start tag of a sanitized drawing. Sanitized drawings have no XML declaration, and all values are quoted.
 */
const ROOT_PATTERN = /^\s*<svg((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/;
const ATTRIBUTE_PATTERN = /\s([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g;
/** Attributes that are removed from the drawing's root element, because the composition sets them itself. */
const PLACED = new Set(['x', 'y', 'width', 'height', 'preserveAspectRatio', 'overflow']);
export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

interface ParsedDrawing {
  /** Attributes of the root element as text, each with a leading space. */
  readonly attributes: string;
  /** True if parts outside the viewBox must be hidden. */
  readonly clipped: boolean;
  /** Everything after the start tag of the root element, including its end tag. */
  readonly rest: string;
}

export function composeSvg(text: string, picture: PictureSpec): string {
  const { geometry, paint, darkPaint, background, greyscale } = picture;
  const toned = greyscale ? greyscaleSvg(text) : text;
  const isPainted = paint !== null && paint !== 'currentColor' && darkPaint === undefined;
  const drawing = parseDrawing(isPainted ? toned.replaceAll('currentColor', cssHex(paint)) : toned, geometry.crop);
  const opacity = isPainted ? alphaOf(paint) / 255 : 1;
  const { box, sized, content } = geometry;
  const size = sized ? ` width="${box.width}" height="${box.height}"` : '';
  const touches = [content.x, content.y].filter((gap) => Math.abs(gap) < 1e-6).length;
  // If these conditions hold, the drawing's own viewBox puts the drawing in the right place, without a nested `<svg>`.
  // A document without a nested `<svg>` is cheaper to rasterize.
  if (
    touches >= (drawing.clipped ? 2 : 1) &&
    background === null &&
    opacity === 1 &&
    darkPaint === undefined &&
    geometry.rotate === 0 &&
    !geometry.flip
  ) {
    return `<svg xmlns="${SVG_NAMESPACE}"${size}${drawing.attributes}>${drawing.rest}`;
  }
  return (
    `<svg xmlns="${SVG_NAMESPACE}"${size} viewBox="0 0 ${decimal(box.width)} ` +
    `${decimal(box.height)}"${inkOf(picture)}${backdrop(geometry, background)}` +
    `${group(geometry, opacity, nestedSvg(drawing, content))}</svg>`
  );
}

/**
 * Returns the end of the root element's start tag. If the drawing gets another color on dark pages, adds a class and a
 * style sheet with both colors. The class name contains the colors, so that the style sheets of several SVGs in one web
 * page don't conflict.
 */
function inkOf({ paint, darkPaint }: PictureSpec): string {
  if (paint === null || paint === 'currentColor' || darkPaint === undefined) return '>';
  const name = `ink-${paint}-${darkPaint}`;
  const dark = `@media (prefers-color-scheme:dark){.${name}{color:#${darkPaint}}}`;
  return ` class="${name}"><style>.${name}{color:#${paint}}${dark}</style>`;
}

/**
 * Returns a sanitized drawing as a nested `<svg>` at this place. `crop`: visible part of the drawing; null shows all of
 * it.
 */
export function placedDrawing(text: string, place: Place, crop: Geometry['crop']): string {
  return nestedSvg(parseDrawing(text, crop), place);
}

type Place = Geometry['content'];

function nestedSvg({ attributes, clipped, rest }: ParsedDrawing, { x, y, width, height }: Place): string {
  // Clips only if necessary, because the rasterizer needs an extra layer for clipping.
  const overflow = clipped ? '' : ' overflow="visible"';
  const place = ` x="${decimal(x)}" y="${decimal(y)}" width="${decimal(width)}" height="${decimal(height)}"`;
  return `<svg${place}${overflow}${attributes}>${rest}`;
}

function parseDrawing(text: string, crop: Geometry['crop']): ParsedDrawing {
  const root = ROOT_PATTERN.exec(text);
  if (!root) throw new Error('a drawing does not start with an svg element');
  let attributes = '';
  let clipped = false;
  for (const [attribute, name = '', value = ''] of (root[1] ?? '').matchAll(ATTRIBUTE_PATTERN)) {
    if (name === 'overflow' && value.slice(1, -1) === 'hidden') clipped = true;
    if (name === 'viewBox' && crop !== null) attributes += ` viewBox="${cropped(value.slice(1, -1), crop)}"`;
    else if (name !== 'xmlns' && !PLACED.has(name)) attributes += attribute;
  }
  const rest = root[2] === '/' ? '</svg>' : text.slice(root[0].length);
  return { attributes, clipped, rest };
}

function cropped(viewBox: string, [left, top, width, height]: InkBox): string {
  const [x = 0, y = 0] = viewBox.split(/[\s,]+/).map(Number);
  return [x + left, y + top, width, height].map(decimal).join(' ');
}

function backdrop({ box, cornerRadius }: Geometry, background: Color | null): string {
  if (background === null) return '';
  const corners = cornerRadius === 0 ? '' : ` rx="${decimal(cornerRadius)}"`;
  const alpha = alphaOf(background);
  const opacity = alpha === 255 ? '' : ` fill-opacity="${decimal(alpha / 255)}"`;
  return (
    `<rect width="${decimal(box.width)}" height="${decimal(box.height)}"${corners} ` +
    `fill="${cssHex(background)}"${opacity}/>`
  );
}

/** Applies the opacity to the drawing as a whole. If each shape were translucent, overlapping parts would be darker. */
function group({ box, rotate, flip }: Geometry, opacity: number, inner: string): string {
  const [x, y] = [decimal(box.width / 2), decimal(box.height / 2)];
  const transforms: string[] = [];
  if (rotate !== 0) transforms.push(`rotate(${rotate} ${x} ${y})`);
  if (flip) transforms.push(`matrix(-1 0 0 1 ${decimal(box.width)} 0)`);
  const transform = transforms.length === 0 ? '' : ` transform="${transforms.join(' ')}"`;
  const translucent = opacity === 1 ? '' : ` opacity="${decimal(opacity)}"`;
  return transform === '' && translucent === '' ? inner : `<g${transform}${translucent}>${inner}</g>`;
}

/**
 * Rounds to four decimals: smaller differences are invisible, and JavaScript engines could print long fractions
 * differently.
 */
export function decimal(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}
