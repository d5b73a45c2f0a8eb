// Documents with filters of bounded resolution: each run of filtered elements is painted at a bounded size and placed,
// enlarged, in the document; all else is drawn at full size. Why: docs/adr/0009-filter-resolution.md.
import { invert, multiply, viewBoxTransform, type Affine } from './affine.js';
import { crop, enlarge, type Crop } from './enlarge.js';
import { innerTransform, isClippedByBox, planFilters, type FilterPlan, type Layer } from './filter-plan.js';
import { isolate, ON_PLACE } from './filter-isolate.js';
import { simplifyMasks } from './filter-masks.js';
import type { Pixels } from '../pixels.js';
import { encodePng } from './png.js';
import { element, parseSvg, writeTree, type Element } from '../sanitize/tree.js';

/** Longer side up to which only filters that become blurs of a wide area are painted smaller, px. */
export const SMALL_PX = 512;
/** Longer side of the largest picture that filters are worked out for, and of the smallest, px. */
const LIMITS_PX = { most: 1024, least: 128, leastOfSmall: 64 } as const;
/** Longer side from which filters can be painted at half the size, px. */
export const HALVED_PX = 2 * LIMITS_PX.leastOfSmall;
/** Longer side of the largest picture that is enlarged before it is placed, px. */
const ENLARGED_PX = 2048;
/** Layers that the renderer may enlarge smoothly, which takes it four times as long as repeating pixels. */
const MOST_SLOW = 2;
/** Pixels times primitives of all layers together: some 0.3 s. */
const BUDGET = 12 * 2 ** 20;
/** Pixels that all layers cover in the document they are placed in: three times one of 2048 x 2048 px. */
const PLACED_BUDGET = 12 * 2 ** 20;
/** Px; a blur so wide loses nothing when it is enlarged. */
const WIDE_BLUR_PX = 4;
/**
 * Px; neighbors under a blur so wide differ by two or three levels of 255 at a full edge, so that none between them
 * are missed.
 */
const STEPLESS_BLUR_PX = 40;
/** Pixels of all enlarged layers together: enlarging and placing 2048 x 2048 of them takes some 0.25 s. */
const ENLARGED_BUDGET = 3 * 2 ** 20;
/** Cropping, encoding and placing a layer cost as much per pixel as so many primitives. */
const PLACING_WEIGHT = 4;
const MARGIN_PX = 2;

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Draw = (drawing: Size & { readonly svg: string }) => Pixels | Promise<Pixels>;

/** Draw what they are given as it is. */
export interface Drawers {
  readonly drawDocument: Draw;
  /** What `isolate` gives. */
  readonly drawLayer: Draw;
}

/** A document to be drawn as it is; or a picture. Both are enlarged when they are smaller than requested. */
export type Bounded =
  | { readonly kind: 'document'; readonly svg: string; readonly size: Size }
  | { readonly kind: 'picture'; readonly pixels: Pixels };

export async function boundFilters(svg: string, full: Size, { drawDocument, drawLayer }: Drawers): Promise<Bounded> {
  const root = parseSvg(svg);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  simplifyMasks(root);
  const plan = planFilters(root);
  if (plan.isCheap) return { kind: 'document', svg: writeTree(root), size: { width: full.width, height: full.height } };
  const toViewport = viewBoxTransform(root.attributes.get('viewBox'), { x: 0, y: 0, ...full });
  const layers = isSmall(full)
    ? (plan.layers ?? []).filter((layer) => pxForBlur(layer, full, toViewport) <= longerSide(full) / 2)
    : plan.layers;
  if (layers === undefined) {
    const size = within(full, pxFor(plan.weight, full));
    return { kind: 'picture', pixels: await drawDocument({ svg: sized(root, size), ...size }) };
  }
  if (layers.length === 0 && isSmall(full))
    return { kind: 'document', svg, size: { width: full.width, height: full.height } };
  const shared = layers
    .filter((layer) => pxForBlur(layer, full, toViewport) > SMALL_PX / 2)
    .reduce((sum, { weight }) => sum + weight + PLACING_WEIGHT, 0);
  const paints: Paint[] = [];
  for (const layer of layers) {
    const size = within(full, Math.min(pxForBlur(layer, full, toViewport), pxFor(shared, full)));
    paints.push(await paint(layer, { root, plan, full, size, drawLayer }));
  }
  const enlarged = paints.reduce(
    (sum, { seen, times }) => sum + (seen === undefined ? 0 : seen.pixels.width * seen.pixels.height * times ** 2),
    0,
  );
  const share = Math.sqrt(Math.min(1, ENLARGED_BUDGET / enlarged));
  const places = new Map<Element, readonly Element[]>();
  for (const one of paints) {
    const placed = await place({ ...one, times: Math.max(1, one.times * share) }, root);
    one.layer.nodes.forEach((node, at) => places.set(node, at === 0 ? placed : []));
  }
  for (const parent of new Set(layers.map(({ path }) => path.at(-1)))) {
    if (parent) parent.children = parent.children.flatMap((child) => places.get(child) ?? [child]);
  }
  const size = within(full, pxForPlaces(paints));
  return { kind: 'document', svg: sized(root, size), size };
}

/** Longer side of the document that the layers are placed in, px. */
function pxForPlaces(paints: readonly Paint[]): number {
  const canvases = paints.reduce(
    (sum, { seen, size }) =>
      sum +
      (seen === undefined ? 0 : (seen.pixels.width * seen.pixels.height) / Math.max(size.width, size.height) ** 2),
    0,
  );
  return Math.floor(Math.sqrt(PLACED_BUDGET / canvases) / 64) * 64;
}

/** Longer side for so many primitives, px; in steps, so that it hardly depends on details. */
function pxFor(weight: number, { width, height }: Size): number {
  const px = Math.floor(Math.sqrt(BUDGET / Math.max(1, weight)) / 32) * 32;
  return Math.min(Math.max(px, LIMITS_PX.least), LIMITS_PX.most, Math.max(width, height));
}

/** Longer side at which nothing is lost, px: a blur is without detail, so that it may be small. */
function pxForBlur({ blur }: Layer, { width, height }: Size, toViewport: Affine | undefined): number {
  const full = Math.max(width, height);
  const blurPx = blur * (toViewport?.[0] ?? 0);
  const px = blurPx === 0 ? Infinity : 2 ** Math.ceil(Math.log2((full * WIDE_BLUR_PX) / blurPx));
  return Math.min(
    Math.max(px, isSmall({ width, height }) ? LIMITS_PX.leastOfSmall : LIMITS_PX.least),
    LIMITS_PX.most,
    full,
  );
}

const longerSide = ({ width, height }: Size): number => Math.max(width, height);
const isSmall = (full: Size): boolean => longerSide(full) <= SMALL_PX;

interface Canvas {
  readonly root: Element;
  readonly plan: FilterPlan;
  readonly full: Size;
  /** Of the picture that the layer is painted in. */
  readonly size: Size;
  readonly drawLayer: Draw;
}

/** A layer that is painted and not yet placed. */
interface Paint {
  readonly layer: Layer;
  readonly size: Size;
  /** Undefined when nothing is to be seen. */
  readonly seen: Crop | undefined;
  /** Enlarged by repeating pixels, after it was enlarged so many times smoothly. */
  readonly isFast: boolean;
  readonly times: number;
  /** Attributes that the picture in its place is to have. */
  readonly onPlace: readonly string[];
}

async function paint(layer: Layer, { root, plan: { links, layers }, full, size, drawLayer }: Canvas): Promise<Paint> {
  const [node] = layer.nodes;
  const onPlace =
    node === undefined || isClippedByBox(node, links) ? [] : ON_PLACE.filter((name) => node.attributes.has(name));
  const isolated = isolate(layer, { links, without: layer.underlay === undefined ? onPlace : [...onPlace, 'opacity'] });
  const seen = crop(await drawLayer({ svg: sized(isolated, size), ...size }), MARGIN_PX);
  const blurPx = layer.blur * (viewBoxTransform(root.attributes.get('viewBox'), { x: 0, y: 0, ...size })?.[0] ?? 0);
  const most = Math.floor(Math.min(ENLARGED_PX, Math.max(full.width, full.height)) / Math.max(size.width, size.height));
  const stepless = Math.max(1, Math.ceil((STEPLESS_BLUR_PX * layer.contrast) / blurPx));
  // The renderer's fast way to enlarge repeats pixels, which cannot be seen where neighbors are nearly the same, or
  // are small. In small documents the smooth way takes no longer.
  const isFast = !isSmall(full) && (stepless <= most || (layers?.length ?? 0) > MOST_SLOW);
  return { layer, size, seen, isFast, times: isFast ? Math.min(stepless, most) : 1, onPlace };
}

const IN_WRAPPER = new Set([...ON_PLACE, 'opacity', 'transform']);

/** What stands in the document instead of the layer. */
async function place(painted: Paint, root: Element): Promise<readonly Element[]> {
  const { layer, onPlace } = painted;
  const [node] = layer.nodes;
  const isWrapped = layer.underlay !== undefined || onPlace.length > 0;
  const images = await imagesOf(painted, root, isWrapped && node ? innerTransform(node, layer.toRoot) : layer.toRoot);
  if (!isWrapped || node === undefined) return images;
  const own =
    layer.underlay === undefined
      ? []
      : [
          element(
            node.name,
            [...node.attributes].filter(([name]) => !IN_WRAPPER.has(name) && name !== 'filter'),
            node.children,
          ),
        ];
  return [
    element(
      'g',
      [...node.attributes].filter(
        ([name]) => IN_WRAPPER.has(name) && (name !== 'opacity' || layer.underlay !== undefined),
      ),
      [...images, ...own],
    ),
  ];
}

async function imagesOf(
  { seen, size, isFast, times }: Paint,
  root: Element,
  toRoot: Affine | undefined,
): Promise<readonly Element[]> {
  const toPicture = viewBoxTransform(root.attributes.get('viewBox'), { x: 0, y: 0, ...size });
  const fromRoot = toRoot && invert(toRoot);
  const fromPicture = toPicture && invert(toPicture);
  if (!seen || !fromRoot || !fromPicture) return [];
  const [width, height] = [seen.pixels.width, seen.pixels.height].map((side) => Math.round(side * times)) as [
    number,
    number,
  ];
  const pixels = isFast ? await enlarge(seen.pixels, { width, height }) : seen.pixels;
  const href = `data:image/png;base64,${Buffer.from(encodePng(pixels)).toString('base64')}`;
  const rendering: [string, string][] = isFast ? [['image-rendering', 'optimizeSpeed']] : [];
  return [
    element('image', [
      ...rendering,
      ['x', String(seen.x)],
      ['y', String(seen.y)],
      ['width', String(seen.pixels.width)],
      ['height', String(seen.pixels.height)],
      ['preserveAspectRatio', 'none'],
      ['transform', `matrix(${multiply(fromRoot, fromPicture).join(' ')})`],
      ['href', href],
    ]),
  ];
}

/** The same proportions, the longer side so long. */
function within({ width, height }: Size, px: number): Size {
  const scale = Math.min(1, px / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function sized(root: Element, { width, height }: Size): string {
  return writeTree(
    element('svg', [...root.attributes, ['width', String(width)], ['height', String(height)]], root.children),
  );
}
