// Limits of single filters: the size of the region, and the radii and offsets of filter primitives. drawing-cost.ts
// measures the total cost of all filters.
import { LIMITS } from '../svg/drawing-limits.js';
import { Rejected, walk, type Element } from '../svg/svg-tree.js';

/** Attributes with the radius or offset of a filter primitive. */
const REACH = ['stdDeviation', 'radius', 'dx', 'dy'];

/** Throws `Rejected` if a filter exceeds a limit. `side` is the longer side of the viewBox. */
export function rejectCostlyFilters(root: Element, side: number): void {
  for (const filter of walk(root).filter((node) => node.name === 'filter')) {
    rejectRegion(filter);
    const unit = filter.attributes.get('primitiveUnits') === 'objectBoundingBox' ? 1 : side;
    for (const primitive of walk(filter).slice(1)) rejectReach(primitive, unit);
  }
}

function rejectRegion({ attributes }: Element): void {
  if (attributes.get('filterUnits') === 'userSpaceOnUse') return;
  const sides = ['width', 'height'].map((name) => Number(attributes.get(name) ?? 1.2));
  if (sides.some((side) => side > LIMITS.filterRegion)) {
    throw new Rejected('filter_too_costly', `a filter region is ${Math.max(...sides)} times as large as its element`);
  }
}

function rejectReach(primitive: Element, side: number): void {
  for (const attribute of REACH) {
    const values = (primitive.attributes.get(attribute) ?? '0').split(' ').map(Number);
    const most = primitive.name === 'feMorphology' ? LIMITS.morphologyReach : LIMITS.filterReach;
    if (values.some((value) => Math.abs(value) > side * most)) {
      throw new Rejected(
        'filter_too_costly',
        `<${primitive.name}> reaches ${values.join(' ')} units far in a drawing with a side of ${side}`,
      );
    }
  }
}
