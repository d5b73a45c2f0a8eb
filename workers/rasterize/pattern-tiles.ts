// Replaces patterns by bitmaps as large as the picture. resvg would round the size of a pattern's tile to whole pixels,
// and this error would add up from tile to tile.
import type { Pixels } from '../pixels.js';
import { elementBox } from '../svg/element-box.js';
import { linksIn, RESOURCES, targetId } from '../svg/references.js';
import { element, parseDrawing, writeTree, type Element } from '../svg/svg-tree.js';
import { invert, multiply, parseTransform, type Affine } from './affine.js';
import { placed, type Size } from './device-scale.js';
import { encodePng } from './png.js';

type Draw = (svg: string, size: Size) => Pixels;

/** Maximum number of pixels, and of bitmaps, per document. Further patterns are not replaced. */
const MAX = { pixels: 2 ** 22, bitmaps: 12 } as const;
/** Maximum longer side of a tile, px. */
const MAX_TILE_PX = 2048;
/**
 * Maximum displacement of a pattern's last tile by rounding, px. A pattern with a larger displacement is replaced by a
 * bitmap.
 */
const MAX_DRIFT_PX = 0.25;

interface Tile {
  /** Position and size of the tile in the coordinates of the pattern, and the tile's pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Pixels;
}

/** Returns the document with bitmaps in place of patterns whose tiles would be displaced. */
export function withPatternBitmaps(svg: string, size: Size, draw: Draw): string {
  const root = parseDrawing(svg);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  const links = linksIn(root);
  const most = Math.min(MAX.bitmaps, Math.max(1, Math.floor(MAX.pixels / (size.width * size.height))));
  const bitmaps: Element[] = [];
  for (const { node, matrix, isDrawn } of placed(root, size)) {
    if (!isDrawn || node.name === 'g' || node.name === 'svg') continue;
    for (const name of ['fill', 'stroke']) {
      const pattern = links.get(targetId(node, name) ?? '');
      if (pattern?.name !== 'pattern' || bitmaps.length >= most) continue;
      const bitmap = bitmapOf({ pattern, node, matrix, root }, { size, draw, id: `tiles-${bitmaps.length}` });
      if (bitmap === undefined) continue;
      bitmaps.push(bitmap);
      node.attributes.set(name, `url(#tiles-${bitmaps.length - 1})`);
    }
  }
  if (bitmaps.length === 0) return svg;
  root.children.unshift(element('defs', [], bitmaps));
  return writeTree(root);
}

interface Painted {
  readonly pattern: Element;
  readonly node: Element;
  readonly matrix: Affine;
  readonly root: Element;
}

/**
 * Returns a pattern that contains one bitmap in the resolution of the picture. Returns undefined if the original
 * pattern is accurate enough.
 */
function bitmapOf(
  { pattern, node, matrix, root }: Painted,
  { size, draw, id }: { size: Size; draw: Draw; id: string },
): Element | undefined {
  const toPixels = multiply(matrix, parseTransform(pattern.attributes.get('patternTransform')));
  const fromPixels = invert(toPixels);
  const toUser = invert(matrix);
  if (fromPixels === undefined || toUser === undefined) return undefined;
  const tile = tileOf({ pattern, node, root }, { toPixels, size, draw });
  if (tile === undefined) return undefined;
  const png = encodePng({ ...size, bytes: repeated(tile, fromPixels, size), premultiplied: true });
  const sides: [string, string][] = [
    ['width', String(size.width)],
    ['height', String(size.height)],
  ];
  const href = `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
  const image = element('image', [...sides, ['href', href]]);
  return element(
    'pattern',
    [
      ['id', id],
      ['x', '0'],
      ['y', '0'],
      ...sides,
      ['patternUnits', 'userSpaceOnUse'],
      ['patternTransform', `matrix(${toUser.join(' ')})`],
    ],
    [image],
  );
}

function tileOf(
  { pattern, node, root }: Omit<Painted, 'matrix'>,
  { toPixels: [a, b, c, d], size, draw }: { toPixels: Affine; size: Size; draw: Draw },
): Tile | undefined {
  const { attributes } = pattern;
  const number = (name: string): number => Number(attributes.get(name) ?? 0);
  const ofBox = (units: string, initial: string): boolean => (attributes.get(units) ?? initial) === 'objectBoundingBox';
  const isBoxed = ofBox('patternUnits', 'objectBoundingBox');
  const isContentBoxed = ofBox('patternContentUnits', 'userSpaceOnUse');
  const box = isBoxed || isContentBoxed ? elementBox(node, root) : { x: 0, y: 0, width: 1, height: 1 };
  if (box === undefined) return undefined;
  const [x, y, width, height] = isBoxed
    ? [
        box.x + number('x') * box.width,
        box.y + number('y') * box.height,
        number('width') * box.width,
        number('height') * box.height,
      ]
    : [number('x'), number('y'), number('width'), number('height')];
  const [across, down] = [width * Math.hypot(a, b), height * Math.hypot(c, d)];
  if (!(across > 0 && down > 0 && Math.max(across, down) <= MAX_TILE_PX)) return undefined;
  const longer = Math.max(size.width, size.height);
  const drift = (side: number): number => (Math.abs(side - Math.round(side)) / side) * longer;
  if (Math.max(drift(across), drift(down)) <= MAX_DRIFT_PX) return undefined;
  const pixels = { width: Math.ceil(across), height: Math.ceil(down) };
  const viewBox = attributes.get('viewBox');
  const inner = viewBox === undefined ? pattern.children : [framed(pattern, [width, height])];
  const transform = `scale(${box.width} ${box.height})`;
  const content = isContentBoxed && viewBox === undefined ? [element('g', [['transform', transform]], inner)] : inner;
  const kept = [...attributes].filter(([name]) => PAINT.test(name));
  const document = element(
    'svg',
    [
      ['xmlns', 'http://www.w3.org/2000/svg'],
      ['width', String(pixels.width)],
      ['height', String(pixels.height)],
      ['viewBox', `0 0 ${width} ${height}`],
      ['preserveAspectRatio', 'none'],
    ],
    [element('defs', [], resourcesIn(root)), element('g', kept, content)],
  );
  return { x, y, width, height, pixels: draw(writeTree(document), pixels) };
}

/** Returns the resources inside an element, such as gradients. Omits resources inside other resources. */
function resourcesIn(node: Element): Element[] {
  return node.children.flatMap((child) => (RESOURCES.has(child.name) ? [child] : resourcesIn(child)));
}

/** Matches attributes that the elements inside a pattern inherit from it. */
const PAINT = /^(?:fill|stroke|clip-rule|paint-order|shape-rendering|visibility)/;

function framed({ attributes, children }: Element, sides: readonly number[]): Element {
  const place = ['width', 'height'].map((name, at): [string, string] => [name, String(sides[at] ?? 0)]);
  const kept = [...attributes].filter(([name]) => name === 'viewBox' || name === 'preserveAspectRatio');
  return element('svg', [...place, ...kept], children);
}

/**
 * Returns the whole picture filled with tiles, as premultiplied RGBA. Each pixel is interpolated from the four nearest
 * pixels of the tile.
 */
function repeated(tile: Tile, [a, b, c, d, e, f]: Affine, { width, height }: Size): Uint8Array {
  const { bytes, width: across, height: down } = tile.pixels;
  const result = new Uint8Array(width * height * 4);
  const [scaleX, scaleY] = [across / tile.width, down / tile.height];
  for (let row = 0, to = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1, to += 4) {
      const [px, py] = [column + 0.5, row + 0.5];
      const u = wrapped((a * px + c * py + e - tile.x) * scaleX - 0.5, across);
      const v = wrapped((b * px + d * py + f - tile.y) * scaleY - 0.5, down);
      const [left, top] = [Math.floor(u), Math.floor(v)];
      const [shareX, shareY] = [u - left, v - top];
      const right = (left + 1) % across;
      const [upper, lower] = [(top % down) * across, ((top + 1) % down) * across];
      const [one, two, three, four] = [upper + left, upper + right, lower + left, lower + right];
      for (let channel = 0; channel < 4; channel += 1) {
        const above = (bytes[one * 4 + channel] ?? 0) * (1 - shareX) + (bytes[two * 4 + channel] ?? 0) * shareX;
        const below = (bytes[three * 4 + channel] ?? 0) * (1 - shareX) + (bytes[four * 4 + channel] ?? 0) * shareX;
        result[to + channel] = Math.round(above * (1 - shareY) + below * shareY);
      }
    }
  }
  return result;
}

function wrapped(value: number, side: number): number {
  const rest = value % side;
  return rest < 0 ? (rest + side) % side : rest;
}
