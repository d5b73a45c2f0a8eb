// Draws a blurred part of a drawing as a bitmap. The bitmap has the smallest size from which it can be enlarged without
// visible loss.
import { IDENTITY, invert, multiply, parseTransform, type Affine } from './affine.js';
import { drawWithResvg } from './svg-pixels.js';
import { resize } from './libvips.js';
import { encodePng } from './png.js';
import { words, type Pixels } from '../pixels.js';
import { RESOURCES } from '../svg/references.js';
import { element, writeTree, type Element } from '../svg/svg-tree.js';

/** Adjacent elements that one bitmap replaces. */
export interface Run {
  /** Ancestors of the elements, from the root to the parent. */
  readonly path: readonly Element[];
  readonly nodes: readonly Element[];
}

interface RunBitmap {
  /** `<image>` element that replaces the adjacent elements of a `Run`. */
  readonly element: Element;
  /** Area of the bitmap as a share of the drawing's area. */
  readonly canvases: number;
}

/**
 * Sizes that are tried for the bitmap, in this order. At size 64, the bitmap has about 64 × 64 pixels in total, in the
 * aspect ratio of the drawing.
 */
const SIDES_PX = [64, 128, 256, 512] as const;
/**
 * Bitmaps are tried in the ascending sizes of SIDES_PX. Each one is compared with the previous bitmap, which is
 * enlarged for the comparison. A bitmap is used if no channel differs by more than this, 0 to 255. The bitmap's own
 * error is about a quarter of the difference. `largest` applies to the last size if the difference decreases from the
 * size before (see FALLING). Otherwise, `any` applies.
 */
const MAX_DIFFERENCE = { any: 24, largest: 64 } as const;
/**
 * Maximum difference between a bitmap and the previous, smaller bitmap, measured as for MAX_DIFFERENCE. A greater
 * difference means that the elements have a sharp edge. Larger bitmaps would not reduce it. Applies from size 256 on.
 */
const EDGE = 110;
/**
 * Applies to the differences at the last two sizes in SIDES_PX. The difference counts as decreasing if the later one is
 * less than this share of the earlier one.
 */
const FALLING = 0.75;
const MARGIN_PX = 2;

/**
 * Attributes that are removed from the ancestors before the bitmap is drawn, because they apply to the finished bitmap.
 */
const AFTER_PAINTING = new Set(['clip-path', 'mask', 'opacity', 'mix-blend-mode', 'isolation', 'filter']);
/**
 * DIRECTED matches filters with a direction, such as shadows. TURNED matches transforms that change directions. If the
 * elements of a `Run` match both, no bitmap replaces them, because resvg applies the filter's direction to the page
 * instead of the object.
 */
const DIRECTED = /<feDropShadow|<feOffset[^>]* d[xy]="|stdDeviation="[^" ]+ /;
const TURNED = / transform="[^"]*(?:rotate|skew|matrix|scale\([^)]*-)/;

/**
 * Returns a bitmap that can replace the adjacent elements in `run`. Returns undefined if no bitmap can replace them,
 * for example because they have sharp edges.
 */
export async function paintRun(run: Run): Promise<RunBitmap | undefined> {
  const alone = isolated(run);
  const fromRoot = invert(
    run.path.map(({ attributes }) => parseTransform(attributes.get('transform'))).reduce(multiply, IDENTITY),
  );
  const text = writeTree(alone);
  if (fromRoot === undefined || (DIRECTED.test(text) && TURNED.test(text))) return undefined;
  const pixels = await smoothPixels(alone);
  return pixels && bitmapOf(pixels, alone, fromRoot);
}

/** Returns a document that shows only the adjacent elements in `nodes`, in their position in the drawing. */
function isolated({ path, nodes }: Run): Element {
  const copy = (node: Element, depth: number): Element =>
    element(
      node.name,
      [...node.attributes].filter(([name]) => !AFTER_PAINTING.has(name)),
      node.children.map((child) => {
        if (child === path[depth + 1]) return copy(child, depth + 1);
        const isPainted = depth === path.length - 1 && nodes.includes(child);
        // Moves all other elements into `defs`, where they are not drawn. They are not removed, because the drawn
        // elements may refer to them.
        return isPainted || RESOURCES.has(child.name) ? child : element('defs', [], [child]);
      }),
    );
  return copy(path[0] ?? element('svg'), 0);
}

/** Returns the smallest bitmap without visible loss, or undefined if no size is large enough. */
async function smoothPixels(document: Element): Promise<Pixels | undefined> {
  let [smaller, lastDifference]: [Pixels | undefined, number] = [undefined, 255];
  for (const side of SIDES_PX) {
    const pixels = pixelsAt(side, document);
    if (smaller !== undefined) {
      const difference = differenceOf(await resize(smaller, pixels), pixels);
      const isLargest = side === SIDES_PX.at(-1) && difference < lastDifference * FALLING;
      if (difference <= MAX_DIFFERENCE[isLargest ? 'largest' : 'any']) return pixels;
      if (side > 128 && difference > EDGE) return undefined;
      lastDifference = difference;
    }
    smaller = pixels;
  }
  return undefined;
}

function viewBoxOf({ attributes }: Element): readonly [x: number, y: number, width: number, height: number] {
  const [x = 0, y = 0, width = 1, height = 1] = (attributes.get('viewBox') ?? '').split(' ').map(Number);
  return [x, y, width, height];
}

/** Draws the document in its own aspect ratio, with about `side` × `side` pixels in total. */
function pixelsAt(side: number, document: Element): Pixels {
  const [, , across, down] = viewBoxOf(document);
  const scale = side / Math.sqrt(across * down);
  const [width, height] = [Math.ceil(across * scale), Math.ceil(down * scale)];
  const size: [string, string][] = [
    ['width', String(width)],
    ['height', String(height)],
  ];
  const svg = writeTree(element('svg', [...document.attributes, ...size], document.children));
  return drawWithResvg({ svg, width, height });
}

/** Returns the largest difference of a channel on a black background, 0 to 255. */
function differenceOf(one: Pixels, other: Pixels): number {
  const shown = ({ bytes, premultiplied }: Pixels, at: number): number =>
    premultiplied || at % 4 === 3 ? (bytes[at] ?? 0) : ((bytes[at | 3] ?? 0) / 255) * (bytes[at] ?? 0);
  let most = 0;
  for (let at = 0; at < one.bytes.length; at++) most = Math.max(most, Math.abs(shown(one, at) - shown(other, at)));
  return most;
}

/**
 * Crops the bitmap to its visible pixels, and creates the `<image>` element. `pixels` is the picture of the whole
 * document.
 */
function bitmapOf(pixels: Pixels, document: Element, fromRoot: Affine): RunBitmap | undefined {
  const [left, top, right, bottom] = inkOf(pixels);
  if (right <= left) return undefined;
  const [width, height] = [right - left, bottom - top];
  const rows = Array.from({ length: height }, (_, row) => {
    const start = ((top + row) * pixels.width + left) * 4;
    return pixels.bytes.subarray(start, start + width * 4);
  });
  const png = encodePng({ ...pixels, width, height, bytes: Uint8Array.from(Buffer.concat(rows)) });
  const [x, y, across, down] = viewBoxOf(document);
  const fromPicture: Affine = [across / pixels.width, 0, 0, down / pixels.height, x, y];
  const attributes = {
    x: String(left),
    y: String(top),
    width: String(width),
    height: String(height),
    preserveAspectRatio: 'none',
    transform: `matrix(${multiply(fromRoot, fromPicture).join(' ')})`,
    href: `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
  };
  return {
    element: element('image', Object.entries(attributes)),
    canvases: (width * height) / (pixels.width * pixels.height),
  };
}

/** Returns the box of all visible pixels with a margin, in px. */
function inkOf(pixels: Pixels): readonly [left: number, top: number, right: number, bottom: number] {
  const { width, height } = pixels;
  let [left, top, right, bottom] = [width, height, 0, 0];
  words(pixels).forEach((color, at) => {
    if (color >>> 24 === 0) return;
    const x = at % width;
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    bottom = (at - x) / width + 1;
    top = Math.min(top, bottom - 1);
  });
  return [
    Math.max(0, left - MARGIN_PX),
    Math.max(0, top - MARGIN_PX),
    Math.min(width, right + MARGIN_PX),
    Math.min(height, bottom + MARGIN_PX),
  ];
}
