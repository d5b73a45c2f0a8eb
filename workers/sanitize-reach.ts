// Keeps from the renderer what would make it abort the process rather than fail.
//
// Each layer (opacity, clip, mask, filter, blending) is fitted to the box from -2 to +2 pictures, counted from where the
// layer around it begins; one that lies wholly outside of that box is a panic in native code (resvg, geom.rs,
// fit_to_rect), which no handler catches. If everything drawn spans less than two pictures, no layer can lie there,
// however layers are nested and however the picture is flipped, turned or padded.
import { Resvg } from '@resvg/resvg-js';
import { isLayer, refuseHiddenLayers } from './sanitize-links.js';
import { LIMITS } from './sanitize-limits.js';
import { element, Refused, walk, writeTree, type Element } from './sanitize-tree.js';

/** `document` has a viewBox and ids. Throws `Refused`. */
export function refuseFarLayers(document: Element, viewBox: readonly [x: number, y: number, width: number, height: number]): void {
  const nodes = walk(document);
  if (!nodes.some(isLayer)) return;
  refuseHiddenLayers(document);
  const filters = nodes.filter(({ name }) => name === 'filter');
  const box = drawnBox(filters.length === 0 ? document : withRegions(document, filters));
  if (box === undefined) return;
  const [, , width, height] = viewBox;
  const margin = 1 + 2 * Math.max(0, ...filters.map(regionMargin));
  const span = Math.max((box.width * margin) / width, (box.height * margin) / height);
  if (!(span < LIMITS.span)) throw new Refused('far-outside', 'masked, filtered or translucent parts of it lie far outside of the picture');
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Of everything drawn, strokes included, and of the picture itself. */
function drawnBox(document: Element): Box | undefined {
  try {
    const resvg = new Resvg(writeTree(document), { font: { loadSystemFonts: false } });
    return resvg.getBBox();
  } catch {
    throw new Refused('undrawable', 'the renderer cannot read it');
  }
}

/** How much a region in units of its object adds on a side, in sizes of the object. */
function regionMargin({ attributes }: Element): number {
  if (attributes.get('filterUnits') === 'userSpaceOnUse') return 0;
  const share = (name: string, fallback: number): number => Number(attributes.get(name) ?? fallback);
  const [x, y] = [share('x', -0.1), share('y', -0.1)];
  return Math.max(-x, -y, x + share('width', 1.2) - 1, y + share('height', 1.2) - 1);
}

/** A copy in which the region of each filter in user space is drawn where it applies, and no filter, clip or mask is left. */
function withRegions(document: Element, filters: readonly Element[]): Element {
  const regions = new Map(filters.filter(({ attributes }) => attributes.get('filterUnits') === 'userSpaceOnUse').map((filter) => [filter.attributes.get('id'), filter]));
  const copy = (node: Element): Element => {
    const { filter, ...attributes } = Object.fromEntries(node.attributes);
    const plain = element(node.name, Object.entries(attributes), node.children.map(copy));
    const region = regions.get(filter?.slice(5, -1));
    if (region === undefined) return plain;
    const sides = ['x', 'y', 'width', 'height'].map((name) => [name, region.attributes.get(name) ?? '0'] as const);
    const transform = node.attributes.get('transform');
    const drawn = element('g', transform === undefined ? [] : [['transform', transform]], [element('rect', [...sides, ['fill', '#000'], ['stroke', 'none']])]);
    return element('g', [], [plain, drawn]);
  };
  return copy(document);
}
