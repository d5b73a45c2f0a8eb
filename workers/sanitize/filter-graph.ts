// Analysis of a filter's primitives: how smooth its result is, its cost, and whether it is a shadow under its object.
import { element, walk, type Element } from './tree.js';

/**
 * Cost per pixel of the primitives that cost more than the others, which take some 25 ns. feMorphology scans
 * a window for every pixel.
 */
const WEIGHTS: ReadonlyMap<string, number> = new Map([
  ['feGaussianBlur', 4],
  ['feDropShadow', 5],
  ['feMorphology', 40],
]);
const REGION = ['x', 'y', 'width', 'height'];

export function primitivesOf(filter: Element): readonly Element[] {
  return filter.children.filter(({ name }) => name.startsWith('fe'));
}

/** Cost per pixel; an ordinary primitive is 1. */
export function weightOf(filter: Element): number {
  return primitivesOf(filter).reduce((sum, { name }) => sum + (WEIGHTS.get(name) ?? 1), 0);
}

/** Whether each pixel of the result depends on the same pixel of its inputs alone. */
export function isPointwise(filter: Element): boolean {
  return primitivesOf(filter).every(({ name }) =>
    /^fe(?:Flood|Blend|ColorMatrix|ComponentTransfer|Composite|Merge|Offset)$/.test(name),
  );
}

export interface Smoothness {
  /**
   * Standard deviation of the blur that all of it has gone through, in the filter's units: 0 with hard edges, Infinity
   * for one color.
   */
  readonly blur: number;
  /** What a hard edge would be in it at most, 0..1. */
  readonly contrast: number;
}

export const HARD: Smoothness = { blur: 0, contrast: 1 };

type Input = (node: Element, attribute: string) => Smoothness;

/** Of a filter's result. */
export function smoothnessOf(filter: Element): Smoothness {
  if (filter.attributes.get('primitiveUnits') === 'objectBoundingBox') return HARD;
  const results = new Map<string, Smoothness>();
  let previous = HARD;
  for (const primitive of primitivesOf(filter)) {
    const last = previous;
    const input: Input = (node, attribute) => {
      const name = node.attributes.get(attribute);
      return name === undefined ? last : (results.get(name) ?? HARD);
    };
    previous = REGION.some((side) => primitive.attributes.has(side)) ? HARD : smoothnessAfter(primitive, input);
    const result = primitive.attributes.get('result');
    if (result !== undefined) results.set(result, previous);
  }
  return previous;
}

function smoothnessAfter(primitive: Element, input: Input): Smoothness {
  const { attributes } = primitive;
  switch (primitive.name) {
    case 'feFlood':
      return { blur: Infinity, contrast: Number(attributes.get('flood-opacity') ?? 1) };
    case 'feGaussianBlur': {
      const [x = 0, y = x] = (attributes.get('stdDeviation') ?? '0').split(' ').map(Number);
      const { blur, contrast } = input(primitive, 'in');
      return { blur: Math.hypot(blur, Math.max(0, Math.min(x, y))), contrast };
    }
    case 'feOffset':
      return input(primitive, 'in');
    case 'feColorMatrix': {
      const { blur, contrast } = input(primitive, 'in');
      const gain = gainOf(primitive);
      return { blur: blur / Math.max(1, gain), contrast: Math.min(1, contrast * gain) };
    }
    case 'feBlend':
      return both(input(primitive, 'in'), input(primitive, 'in2'));
    case 'feComposite':
      return attributes.get('operator') === 'arithmetic' ? HARD : both(input(primitive, 'in'), input(primitive, 'in2'));
    case 'feMerge':
      return primitive.children.map((node) => input(node, 'in')).reduce(both, { blur: Infinity, contrast: 0 });
    default:
      return HARD;
  }
}

function both(one: Smoothness, other: Smoothness): Smoothness {
  return { blur: Math.min(one.blur, other.blur), contrast: Math.min(1, one.contrast + other.contrast) };
}

/** How many times as large a difference may become. */
function gainOf({ attributes }: Element): number {
  const type = attributes.get('type') ?? 'matrix';
  if (type === 'luminanceToAlpha' || type === 'hueRotate') return 2;
  const values = (attributes.get('values') ?? '1').split(' ').map(Number);
  // The fifth of a row is added, whatever the input.
  return Math.max(...values.map((value, at) => (type === 'matrix' && at % 5 === 4 ? 0 : Math.abs(value))));
}

/**
 * The filter without its object on top, when that is the last it paints: a shadow, say. Undefined for any other filter.
 */
export function underlayOf(filter: Element): Element | undefined {
  const primitives = primitivesOf(filter);
  const last = primitives.at(-1);
  if (last === undefined || primitives.length < 2 || REGION.some((side) => last.attributes.has(side))) return undefined;
  const below = inputsBelowObject(last);
  if (below === undefined || primitives.some(({ attributes }) => attributes.get('result') === 'SourceGraphic'))
    return undefined;
  const merge = element(
    'feMerge',
    [...last.attributes].filter(([name]) => name === 'color-interpolation-filters'),
    below.map((name) => element('feMergeNode', [['in', name]])),
  );
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

/**
 * Whether its steps mix colors as the page does, so that painting one on another gives the same inside and outside of
 * it.
 */
export function mixesInSrgb(filter: Element): boolean {
  return walk(filter).every(({ attributes, name }) => {
    const own = attributes.get('color-interpolation-filters');
    return name === 'filter' ? own === 'sRGB' : own === undefined || own === 'sRGB';
  });
}
