// Filters run over whole canvases, so only few and small ones may stay.
import { LIMITS } from './sanitize-limits.js';
import { Refused, walk, type Element } from './sanitize-tree.js';

/** Attributes that say how far a primitive reaches. */
const REACH = ['stdDeviation', 'radius', 'dx', 'dy'];

/** `side` is the viewBox's longer one. Throws `Refused`. */
export function refuseCostlyFilters(root: Element, side: number): void {
  const filters = walk(root).filter((node) => node.name === 'filter');
  if (filters.length > LIMITS.filters) throw new Refused('filter-too-costly', `${filters.length} filters; at most ${LIMITS.filters}`);
  refuseMorphologies(root, filters);
  for (const filter of filters) {
    const primitives = walk(filter).slice(1);
    if (primitives.length > LIMITS.primitivesPerFilter) {
      throw new Refused('filter-too-costly', `a filter of ${primitives.length} primitives; at most ${LIMITS.primitivesPerFilter}`);
    }
    refuseRegion(filter);
    const unit = filter.attributes.get('primitiveUnits') === 'objectBoundingBox' ? 1 : side;
    for (const primitive of primitives) refuseReach(primitive, unit);
  }
}

function refuseRegion({ attributes }: Element): void {
  if (attributes.get('filterUnits') === 'userSpaceOnUse') return;
  const sides = ['width', 'height'].map((name) => Number(attributes.get(name) ?? 1.2));
  if (sides.some((side) => side > LIMITS.filterRegion)) {
    throw new Refused('filter-too-costly', `a filter's region is ${Math.max(...sides)} times its object`);
  }
}

function refuseMorphologies(root: Element, filters: readonly Element[]): void {
  let total = 0;
  for (const filter of filters) {
    const own = walk(filter).filter(({ name }) => name === 'feMorphology').length;
    const address = `url(#${filter.attributes.get('id') ?? ''})`;
    if (own > 0) total += own * walk(root).filter(({ attributes }) => attributes.get('filter') === address).length;
  }
  if (total > LIMITS.morphologies) throw new Refused('filter-too-costly', `<feMorphology> is applied ${total} times; at most ${LIMITS.morphologies}`);
}

function refuseReach(primitive: Element, side: number): void {
  for (const attribute of REACH) {
    const values = (primitive.attributes.get(attribute) ?? '0').split(' ').map(Number);
    const most = primitive.name === 'feMorphology' ? LIMITS.morphologyReach : LIMITS.filterReach;
    if (values.some((value) => Math.abs(value) > side * most)) {
      throw new Refused('filter-too-costly', `<${primitive.name}> reaches ${values.join(' ')} units far in a drawing of ${side}`);
    }
  }
}
