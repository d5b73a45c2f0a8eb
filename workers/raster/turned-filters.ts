// Filters with a direction that are turned: resvg offsets along the page and not along the object.
import { parseTransform } from './affine.js';
import { primitivesOf } from '../sanitize/filter-graph.js';
import { targetId } from '../sanitize/references.js';
import { parseSvg, walk, type Element } from '../sanitize/tree.js';

const DIRECTED = /<fe(?:Offset|DropShadow)|stdDeviation="[^" ]+ /;

export function hasTurnedFilters(svg: string): boolean {
  if (!DIRECTED.test(svg)) return false;
  const root = parseSvg(svg);
  const nodes = walk(root);
  const directed = new Set(idsOf(nodes.filter((node) => node.name === 'filter' && isDirected(node))));
  const hasDirected = (node: Element): boolean => directed.has(targetId(node, 'filter') ?? '');
  // They are drawn in the coordinates of what they are on.
  const holders = new Set(
    idsOf(nodes.filter((node) => (node.name === 'mask' || node.name === 'pattern') && walk(node).some(hasDirected))),
  );
  const visit = (node: Element, isTurned: boolean): boolean => {
    const turned = isTurned || turns(node);
    // What is used may have such a filter, or stand within one.
    if (turned && (node.name === 'use' || hasDirected(node))) return true;
    if (turned && ['mask', 'fill', 'stroke'].some((name) => holders.has(targetId(node, name) ?? ''))) return true;
    return node.children.some((child) => visit(child, turned));
  };
  return visit(root, false);
}

function idsOf(nodes: readonly Element[]): readonly string[] {
  return nodes.flatMap(({ attributes }) => attributes.get('id') ?? []);
}

function isDirected(filter: Element): boolean {
  return primitivesOf(filter).some(
    ({ name, attributes }) =>
      name === 'feOffset' || name === 'feDropShadow' || attributes.get('stdDeviation')?.includes(' ') === true,
  );
}

function turns({ attributes }: Element): boolean {
  const transform = attributes.get('transform');
  if (transform === undefined) return false;
  const [a, b, c, d] = parseTransform(transform) ?? [1, 1, 1, 1];
  return Math.abs(b) > 1e-6 || Math.abs(c) > 1e-6 || a < 0 || d < 0;
}
