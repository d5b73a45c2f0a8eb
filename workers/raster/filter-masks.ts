// Filters in masks that do nothing, or paint all white so that only alpha counts: such masks need no filter.
import { primitivesOf } from '../sanitize/filter-graph.js';
import { walk, type Element } from '../sanitize/tree.js';

/** Red, green and blue 1, alpha as it is. */
const ALL_WHITE = '0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0';
const UNCHANGED = '1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0';
const SIDES = ['x', 'y', 'width', 'height'];

export function simplifyMasks(root: Element): void {
  const nodes = walk(root);
  const simple = new Map<string, Element>(
    nodes.flatMap((node) =>
      matrixOf(node) === undefined ? [] : [[`url(#${node.attributes.get('id') ?? ''})`, node] as const],
    ),
  );
  if (simple.size === 0) return;
  for (const mask of nodes.filter(({ name }) => name === 'mask')) {
    const filters = mask.children.map((child) => simple.get(child.attributes.get('filter') ?? ''));
    const [first] = filters;
    const matrix = first && matrixOf(first);
    if (
      matrix === undefined ||
      !filters.every((filter) => filter !== undefined && matrixOf(filter) === matrix && cutsNothing(filter, mask))
    )
      continue;
    if (matrix === ALL_WHITE) mask.attributes.set('mask-type', 'alpha');
    for (const child of mask.children) child.attributes.delete('filter');
  }
}

/** Of a filter that is one of the two and nothing else. */
function matrixOf(filter: Element): string | undefined {
  const [only, ...others] = filter.name === 'filter' ? primitivesOf(filter) : [];
  if (only?.name !== 'feColorMatrix' || others.length > 0 || SIDES.some((side) => only.attributes.has(side)))
    return undefined;
  const values = (only.attributes.get('type') ?? 'matrix') === 'matrix' ? only.attributes.get('values') : undefined;
  return [ALL_WHITE, UNCHANGED].find((matrix) => matrix === values);
}

/** Whether all that it paints is within the filter's region anyway: of its box, or of the mask. */
function cutsNothing(filter: Element, mask: Element): boolean {
  if (filter.attributes.get('filterUnits') === 'userSpaceOnUse') {
    return (
      mask.attributes.get('maskUnits') === 'userSpaceOnUse' &&
      SIDES.every((side) => filter.attributes.get(side) === mask.attributes.get(side))
    );
  }
  const [x = 0, y = 0, width = 0, height = 0] = SIDES.map((side, at) =>
    Number(filter.attributes.get(side) ?? [-0.1, -0.1, 1.2, 1.2][at]),
  );
  const hasStroke = walk(mask).some(({ attributes }) => (attributes.get('stroke') ?? 'none') !== 'none');
  return !hasStroke && x <= 0 && y <= 0 && x + width >= 1 && y + height >= 1;
}
