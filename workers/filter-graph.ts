// What a filter does, read from its primitives: how smooth its result is, what it costs, and whether it is a shadow under its object.
import { element, walk, type Element } from './sanitize-tree.js';

/** feMorphology looks at a window for every pixel. */
const MORPHOLOGY_WEIGHT = 12;
const REGION = ['x', 'y', 'width', 'height'];

export function primitivesOf(filter: Element): readonly Element[] {
  return filter.children.filter(({ name }) => name.startsWith('fe'));
}

/** Cost per pixel; an ordinary primitive is 1. */
export function weightOf(filter: Element): number {
  return primitivesOf(filter).reduce((sum, { name }) => sum + (name === 'feMorphology' ? MORPHOLOGY_WEIGHT : 1), 0);
}

/** Whether each pixel of the result depends on the same pixel of its inputs alone. */
export function isPointwise(filter: Element): boolean {
  return primitivesOf(filter).every(({ name }) => /^fe(?:Flood|Blend|ColorMatrix|ComponentTransfer|Composite|Merge|Offset)$/.test(name));
}

/**
 * Standard deviation, in the filter's units, of the blur that everything in the result has gone through: 0 for a result
 * with hard edges, Infinity for one of a single colour.
 */
export function smoothnessOf(filter: Element): number {
  if (filter.attributes.get('primitiveUnits') === 'objectBoundingBox') return 0;
  const results = new Map<string, number>();
  let previous = 0;
  for (const primitive of primitivesOf(filter)) {
    const last = previous;
    const input = (node: Element, attribute: string): number => {
      const name = node.attributes.get(attribute);
      return name === undefined ? last : (results.get(name) ?? 0);
    };
    previous = REGION.some((side) => primitive.attributes.has(side)) ? 0 : smoothnessAfter(primitive, input);
    const result = primitive.attributes.get('result');
    if (result !== undefined) results.set(result, previous);
  }
  return previous;
}

function smoothnessAfter(primitive: Element, input: (node: Element, attribute: string) => number): number {
  switch (primitive.name) {
    case 'feFlood':
      return Infinity;
    case 'feGaussianBlur': {
      const [x = 0, y = x] = (primitive.attributes.get('stdDeviation') ?? '0').split(' ').map(Number);
      return Math.hypot(input(primitive, 'in'), Math.max(0, Math.min(x, y)));
    }
    case 'feOffset':
      return input(primitive, 'in');
    case 'feColorMatrix':
      return input(primitive, 'in') / steepness(primitive);
    case 'feBlend':
      return Math.min(input(primitive, 'in'), input(primitive, 'in2'));
    case 'feComposite':
      return primitive.attributes.get('operator') === 'arithmetic' ? 0 : Math.min(input(primitive, 'in'), input(primitive, 'in2'));
    case 'feMerge':
      return Math.min(Infinity, ...primitive.children.map((node) => input(node, 'in')));
    default:
      return 0;
  }
}

/** How many times as steep an edge may become. */
function steepness({ attributes }: Element): number {
  const type = attributes.get('type') ?? 'matrix';
  if (type === 'luminanceToAlpha' || type === 'hueRotate') return 2;
  const values = (attributes.get('values') ?? '1').split(' ').map(Number);
  // The fifth of a row is added, whatever the input.
  return Math.max(1, ...values.map((value, at) => (type === 'matrix' && at % 5 === 4 ? 0 : Math.abs(value))));
}

/** The filter without its object on top, when that is the last it paints: a shadow, say. Undefined for any other filter. */
export function underlayOf(filter: Element): Element | undefined {
  const primitives = primitivesOf(filter);
  const last = primitives.at(-1);
  if (last === undefined || primitives.length < 2 || REGION.some((side) => last.attributes.has(side))) return undefined;
  const below = inputsBelowObject(last);
  if (below === undefined || primitives.some(({ attributes }) => attributes.get('result') === 'SourceGraphic')) return undefined;
  const merge = element('feMerge', [...last.attributes].filter(([name]) => name === 'color-interpolation-filters'), below.map((name) => element('feMergeNode', [['in', name]])));
  return element(filter.name, filter.attributes, [...primitives.slice(0, -1), merge]);
}

function inputsBelowObject({ name, attributes, children }: Element): readonly string[] | undefined {
  if (name === 'feBlend') {
    const below = attributes.get('in2');
    const isNormal = (attributes.get('mode') ?? 'normal') === 'normal';
    return isNormal && attributes.get('in') === 'SourceGraphic' && below !== undefined ? [below] : undefined;
  }
  if (name !== 'feMerge' || children.at(-1)?.attributes.get('in') !== 'SourceGraphic') return undefined;
  const inputs = children.slice(0, -1).map((node) => node.attributes.get('in'));
  return inputs.every((input) => input !== undefined) ? inputs : undefined;
}

/** Whether its steps mix colours as the page does, so that painting one on another gives the same inside and outside of it. */
export function mixesInSrgb(filter: Element): boolean {
  return walk(filter).every(({ attributes, name }) => {
    const own = attributes.get('color-interpolation-filters');
    return name === 'filter' ? own === 'sRGB' : own === undefined || own === 'sRGB';
  });
}
