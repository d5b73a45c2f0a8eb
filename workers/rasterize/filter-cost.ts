// Estimates the cost of a document's filters: number of filter primitives times number of pixels.
import { linksIn, RESOURCES, targets } from '../svg/references.js';
import { parseDrawing, type Element } from '../svg/svg-tree.js';

/** Maximum and minimum result of `boundedPx`, px. */
const SIDE_PX = { most: 1536, least: 128 } as const;
/**
 * Maximum product of the number of pixels and the weight of all filter primitives. At this maximum, drawing takes about
 * 0.5 s.
 */
const BUDGET = 20 * 2 ** 20;
/**
 * Filter primitive → cost per pixel. All other primitives have a cost of 1. feMorphology is costly because it reads a
 * window around each pixel.
 */
const WEIGHTS: Readonly<Record<string, number>> = { feGaussianBlur: 4, feDropShadow: 5, feMorphology: 40 };

/** Creates a function that adds up the weights of the filter primitives that an element uses or refers to. */
export function filterWeights(root: Element): (node: Element) => number {
  const links = linksIn(root);
  const known = new Map<Element, number>();
  return function weightOf(node): number {
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, 0);
    const own = node.name.startsWith('fe') ? (WEIGHTS[node.name] ?? 1) : 0;
    const parts = [...node.children.filter(({ name }) => !RESOURCES.has(name)), ...targets(node, links)];
    const sum = parts.reduce((total, part) => total + weightOf(part), own);
    const weight = node.name === 'filter' ? sum * regionShare(node, root) : sum;
    known.set(node, weight);
    return weight;
  };
}

/**
 * Returns the cost of a filter, relative to a filter whose region covers the whole picture, 0.5 to 1. It is at least
 * 0.5, because librsvg needs half of the time even for an empty region.
 */
function regionShare({ attributes }: Element, root: Element): number {
  const numbers = (text: string): number[] => text.split(' ').map(Number);
  const [left = 0, top = 0, across = 1, down = 1] = numbers(root.attributes.get('viewBox') ?? '');
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(attributes.get(name) ?? NaN),
  );
  const overlap = (from: number, length: number, start: number, side: number): number =>
    Math.max(0, Math.min(from + length, start + side) - Math.max(from, start)) / side;
  const area = overlap(x, width, left, across) * overlap(y, height, top, down);
  const isKnown = attributes.get('filterUnits') === 'userSpaceOnUse' && Number.isFinite(area);
  return isKnown ? (1 + area) / 2 : 1;
}

/**
 * Returns the maximum longer side at which a document with filters is drawn, px. The result is rounded down to a
 * multiple of 32, so that it rarely changes with small changes of the document. The result must not depend on measured
 * times, because equal requests must give equal bytes.
 */
export function boundedPx(svg: string): number {
  const root = parseDrawing(svg);
  const px = Math.floor(Math.sqrt(BUDGET / Math.max(1, filterWeights(root)(root))) / 32) * 32;
  return Math.min(Math.max(px, SIDE_PX.least), SIDE_PX.most);
}
