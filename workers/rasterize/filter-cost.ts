// Cost of the filters in a document: primitives times pixels.
import { linksIn, RESOURCES, targets } from '../svg/references.js';
import { parseDrawing, type Element } from '../svg/svg-tree.js';

/** Longer side of the largest picture that filters are worked out for, and of the smallest, px. */
const SIDE_PX = { most: 1536, least: 128 } as const;
/** Pixels times primitives: some 0.5 s. */
const BUDGET = 20 * 2 ** 20;
/** Cost per pixel of a primitive; all others cost 1. feMorphology looks at a window for every pixel. */
const WEIGHTS: Readonly<Record<string, number>> = { feGaussianBlur: 4, feDropShadow: 5, feMorphology: 40 };

/** Primitives that are applied in drawing an element, by their cost, each as often as it is used. */
export function filterWeights(root: Element): (node: Element) => number {
  const links = linksIn(root);
  const known = new Map<Element, number>();
  return function weightOf(node): number {
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, 0);
    const own = node.name.startsWith('fe') ? (WEIGHTS[node.name] ?? 1) : 0;
    const parts = [...node.children.filter(({ name }) => !RESOURCES.has(name)), ...targets(node, links)];
    const weight = parts.reduce((sum, part) => sum + weightOf(part), own);
    known.set(node, weight);
    return weight;
  };
}

/**
 * Longer side at which a document with filters is drawn at most, px; in steps, so that it hardly depends on details. A
 * function of the document alone, never of time: equal requests give equal bytes.
 */
export function boundedPx(svg: string): number {
  const root = parseDrawing(svg);
  const px = Math.floor(Math.sqrt(BUDGET / Math.max(1, filterWeights(root)(root))) / 32) * 32;
  return Math.min(Math.max(px, SIDE_PX.least), SIDE_PX.most);
}
