// Removes filters without a visible effect, because filters take most of the time of a picture
// (docs/adr/0009-filter-resolution.md).
import type { ViewBox } from '../svg/drawing-bounds.js';
import { pictureDifference, type Picture } from '../svg/picture-difference.js';
import { smallResvg } from '../svg/small-resvg.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Side of the compared pictures, px. */
const COMPARED_PX = 64;
/** Maximum number of filters that are removed one at a time, if not all filters can be removed at once. */
const MAX_TRIED = 12;
/**
 * Maximum differences of a color channel that are invisible, on a light and on a dark background. MAX_MEAN: mean
 * difference, 0 to 1. MAX_LARGEST: largest difference, 0 to 255.
 */
const MAX_MEAN = 0.002;
const MAX_LARGEST = 10;

/** Removes filters without a visible effect. Elements that only the removed filters used stay in the tree. */
export function simplifyFilters(document: Element, viewBox: ViewBox): void {
  const filtered = walk(document).filter(({ attributes }) => attributes.has('filter'));
  if (filtered.length === 0) return;
  const original = draw(document, viewBox);
  if (original === undefined) return;
  const isFine = (): boolean => isSame(original, draw(document, viewBox));
  if (!removeAll(filtered, isFine)) for (const node of filtered.slice(0, MAX_TRIED)) removeAll([node], isFine);
  const used = new Set(walk(document).map(({ attributes }) => attributes.get('filter')));
  for (const node of walk(document))
    node.children = node.children.filter(
      ({ name, attributes }) => name !== 'filter' || used.has(`url(#${attributes.get('id') ?? ''})`),
    );
}

/**
 * Removes the filters of these elements. If `isFine` then returns false, restores them. Returns the result of `isFine`.
 */
function removeAll(nodes: readonly Element[], isFine: () => boolean): boolean {
  const values = nodes.map(({ attributes }) => attributes.get('filter') ?? '');
  for (const { attributes } of nodes) attributes.delete('filter');
  if (isFine()) return true;
  nodes.forEach(({ attributes }, at) => attributes.set('filter', values[at] ?? ''));
  return false;
}

function draw(document: Element, [, , width, height]: ViewBox): Picture | undefined {
  try {
    return smallResvg(writeTree(document), [width, height], COMPARED_PX).render();
  } catch {
    return undefined;
  }
}

function isSame(one: Picture, other: Picture | undefined): boolean {
  if (other === undefined) return false;
  const { mean, largest } = pictureDifference(one, other);
  return mean <= MAX_MEAN && largest <= MAX_LARGEST;
}
