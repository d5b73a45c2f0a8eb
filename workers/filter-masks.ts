// Masks that a filter paints white, so that only their alpha counts: as masks of that alpha they need no filter.
import { primitivesOf } from './filter-graph.js';
import { walk, type Element } from './sanitize-tree.js';

/** Red, green and blue 1, alpha as it is. */
const ALL_WHITE = '0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0';
const SIDES = ['x', 'y', 'width', 'height'];

export function alphaForLuminance(root: Element): void {
  const nodes = walk(root);
  const white = new Map(nodes.filter(isAllWhite).map((filter) => [`url(#${filter.attributes.get('id') ?? ''})`, filter]));
  if (white.size === 0) return;
  for (const mask of nodes.filter(({ name, attributes }) => name === 'mask' && attributes.get('mask-type') !== 'alpha')) {
    const filters = mask.children.map((child) => white.get(child.attributes.get('filter') ?? ''));
    if (filters.length === 0 || !filters.every((filter) => filter !== undefined && cutsNothing(filter, mask))) continue;
    mask.attributes.set('mask-type', 'alpha');
    for (const child of mask.children) child.attributes.delete('filter');
  }
}

function isAllWhite(filter: Element): boolean {
  const [only, ...others] = filter.name === 'filter' ? primitivesOf(filter) : [];
  if (only?.name !== 'feColorMatrix' || others.length > 0 || SIDES.some((side) => only.attributes.has(side))) return false;
  return (only.attributes.get('type') ?? 'matrix') === 'matrix' && only.attributes.get('values') === ALL_WHITE;
}

/** Whether all that it paints is within the filter's region anyway: of its box, or of the mask. */
function cutsNothing(filter: Element, mask: Element): boolean {
  if (filter.attributes.get('filterUnits') === 'userSpaceOnUse') {
    return mask.attributes.get('maskUnits') === 'userSpaceOnUse' && SIDES.every((side) => filter.attributes.get(side) === mask.attributes.get(side));
  }
  const [x = 0, y = 0, width = 0, height = 0] = SIDES.map((side, at) => Number(filter.attributes.get(side) ?? [-0.1, -0.1, 1.2, 1.2][at]));
  const hasStroke = walk(mask).some(({ attributes }) => (attributes.get('stroke') ?? 'none') !== 'none');
  return !hasStroke && x <= 0 && y <= 0 && x + width >= 1 && y + height >= 1;
}
