// Counts elements, layers and filter primitives as if every reference in a drawing were replaced by its target.
import { LIMITS } from '../svg/drawing-limits.js';
import { isLayer, targets, type Links } from '../svg/references.js';
import { Rejected, type Element } from '../svg/svg-tree.js';

export interface ExpandedCost {
  readonly elements: number;
  readonly depth: number;
  readonly layers: number;
  readonly nestedLayers: number;
  readonly primitives: number;
  readonly morphologies: number;
}

/**
 * Returns the costs of the drawing as if each reference were replaced by a copy of its target. Throws `Rejected` if a
 * cost exceeds its limit. Takes linear time, because the costs of each element are cached.
 */
export function rejectExpansion(root: Element, links: Links): ExpandedCost {
  const costs = new Map<Element, ExpandedCost | 'open'>();
  const measure = (node: Element, depth: number): ExpandedCost => {
    const known = costs.get(node);
    if (known === 'open') throw new Rejected('too_costly', 'the references form a cycle', node);
    if (known !== undefined) return known;
    if (depth > 2 * LIMITS.depth) throw new Rejected('too_deep', 'the references are nested too deep');
    costs.set(node, 'open');
    // Filters cost time where they are used, not where they are defined.
    const children = node.children.filter(({ name }) => name !== 'filter');
    const used = targets(node, links).flatMap((target) => repeated(target, node));
    const parts = [...children, ...used].map((part) => measure(part, depth + 1));
    const own = isLayer(node) ? 1 : 0;
    const total = (of: (part: ExpandedCost) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
    const cost = {
      elements: 1 + total((part) => part.elements),
      depth: 1 + Math.max(0, ...parts.map((part) => part.depth)),
      layers: own + total((part) => part.layers),
      primitives: Number(isPrimitive(node)) + total((part) => part.primitives),
      morphologies: Number(node.name === 'feMorphology') + total((part) => part.morphologies),
      nestedLayers: own + Math.max(0, ...parts.map((part) => part.nestedLayers)),
    };
    costs.set(node, cost);
    return cost;
  };
  const cost = measure(root, 0);
  if (cost.elements > LIMITS.expandedElements)
    throw new Rejected('too_costly', `the references expand to ${cost.elements} elements`);
  if (cost.depth > 2 * LIMITS.depth) throw new Rejected('too_deep', 'the references are nested too deep');
  if (cost.primitives > LIMITS.primitives)
    throw new Rejected(
      'filter_too_costly',
      `the file applies ${cost.primitives} filter primitives; at most ${LIMITS.primitives} are allowed`,
    );
  if (cost.morphologies > LIMITS.morphologies) {
    throw new Rejected(
      'filter_too_costly',
      `the file applies <feMorphology> ${cost.morphologies} times; at most ${LIMITS.morphologies} are allowed`,
    );
  }
  if (cost.layers > LIMITS.layers || cost.nestedLayers > LIMITS.nestedLayers) {
    throw new Rejected('too_costly', `the file has ${cost.layers} layers, ${cost.nestedLayers} of them nested`);
  }
  return cost;
}

/** Returns the target once for each time that it is drawn. A marker is drawn at each vertex of the path. */
function repeated(target: Element, { attributes }: Element): Element[] {
  if (target.name !== 'marker') return [target];
  const points = (attributes.get('d') ?? attributes.get('points') ?? '').split(/[\s,a-zA-Z]+/).length;
  return Array.from({ length: Math.min(points + 2, LIMITS.expandedElements) }, () => target);
}

/** Returns true for filter primitives. Each of them processes the whole region of its filter. */
function isPrimitive({ name }: Element): boolean {
  return name.startsWith('fe') && name !== 'feMergeNode';
}
