// Rejects filter primitives that resvg draws differently from browsers.
import { LIMITS } from '../svg/drawing-limits.js';
import { Rejected, type Element } from '../svg/svg-tree.js';

/**
 * Values of the attribute `in` that browsers don't support. Browsers use the result of the previous primitive instead.
 */
const OUTER_INPUTS = new Set(['BackgroundImage', 'BackgroundAlpha', 'FillPaint', 'StrokePaint']);
const BOX = ['x', 'y', 'width', 'height'];
const COLOR_MATRICES = new Set(['matrix', 'saturate', 'hueRotate', 'luminanceToAlpha']);

/**
 * Throws `Rejected` if a filter region is empty or cuts off a blurred object. resvg draws both cases differently from
 * browsers.
 */
export function rejectRegion(filter: Element): void {
  const side = (name: string, initial: number): number => {
    const value = filter.attributes.get(name) ?? '';
    return value === '' ? initial : Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1);
  };
  const [x, y, width, height] = [side('x', -0.1), side('y', -0.1), side('width', 1.2), side('height', 1.2)];
  const isOfBox = filter.attributes.get('filterUnits') !== 'userSpaceOnUse';
  const isCut = isOfBox && (x > 0 || y > 0 || x + width < 1 || y + height < 1);
  if (width <= 0 || height <= 0 || (isCut && filter.children.some(({ name }) => name === 'feGaussianBlur')))
    throw new Rejected('unsupported_filter', 'a filter region cuts off its element', filter);
}

/**
 * Throws `Rejected` for a filter primitive that resvg draws differently from browsers. `filter` is the filter that
 * contains the primitive.
 */
// oxlint-disable-next-line complexity -- one line for each construct that is rejected
export function rejectPrimitive(node: Element, filter: Element | undefined): void {
  const { name, attributes } = node;
  const reject = (what: string): never => {
    throw new Rejected('unsupported_filter', `a filter has ${what}`, node);
  };
  const number = (attribute: string, initial: number): number => Number(attributes.get(attribute) ?? initial);
  for (const input of ['in', 'in2']) if (OUTER_INPUTS.has(attributes.get(input) ?? '')) attributes.delete(input);
  const sides = BOX.filter((side) => attributes.has(side)).length;
  const ofBox = filter?.attributes.get('primitiveUnits') === 'objectBoundingBox';
  if (name.endsWith('Lighting') || !name.endsWith('Light')) {
    if (sides > 0 && !ofBox && (sides < BOX.length || name === 'feGaussianBlur'))
      reject(`a partial region for <${name}>`);
    if (ofBox && name.endsWith('Lighting')) reject('a light source in objectBoundingBox units');
  }
  if (name === 'feTile') reject('<feTile>');
  if (name === 'feColorMatrix') {
    if (!COLOR_MATRICES.has(attributes.get('type') ?? '')) attributes.set('type', 'matrix');
    const value = number('values', 1);
    if (attributes.get('type') === 'saturate' && (value < 0 || value > 1))
      reject('a saturation outside the range 0 to 1');
  }
  if (name === 'feMorphology' && !/^\s*[+]?[\d.]*[1-9]/.test(attributes.get('radius') ?? ''))
    reject('an <feMorphology> without a radius');
  const [cone, exponent] = [number('limitingConeAngle', 0), number('specularExponent', 1)];
  if (name === 'feSpotLight' && (cone !== 0 || (exponent > 0 && exponent < 1))) reject('a light cone');
  if (name === 'feSpecularLighting' && number('specularExponent', 1) < 1) reject('a specular exponent below 1');
  if (name === 'feTurbulence') rejectNoise(node, reject);
  if (name === 'feConvolveMatrix') rejectKernel(node, reject);
}

type Reject = (what: string) => never;

function rejectNoise(node: Element, reject: Reject): void {
  const octaves = Number(node.attributes.get('numOctaves') ?? 1);
  if (octaves > LIMITS.octaves)
    throw new Rejected('filter_too_costly', `<feTurbulence> has more than ${LIMITS.octaves} octaves`, node);
  if (octaves < 1 || node.attributes.get('stitchTiles') === 'stitch')
    reject('turbulence without octaves, or with stitching');
}

function rejectKernel(node: Element, reject: Reject): void {
  const numbers = (name: string, initial: string): number[] => {
    const given = node.attributes.get(name)?.trim() ?? '';
    return (given === '' ? initial : given).split(/[\s,]+/).map(Number);
  };
  const [across = 3, down = across] = numbers('order', '3');
  if (Math.max(across, down) > LIMITS.kernelSide)
    throw new Rejected('filter_too_costly', `<feConvolveMatrix> has a side of more than ${LIMITS.kernelSide}`, node);
  // A missing matrix counts as `1`, which passes the check of the sum. Browsers ignore an effect without a matrix, so
  // it must not be rejected.
  const sum = numbers('kernelMatrix', '1').reduce((total, part) => total + part, 0);
  const isPlain =
    Math.abs(sum) > 1e-6 &&
    Number(node.attributes.get('bias') ?? 0) === 0 &&
    Number(node.attributes.get('divisor') ?? 1) !== 0;
  const isOpaque =
    (node.attributes.get('edgeMode') ?? 'duplicate') === 'duplicate' && node.attributes.get('preserveAlpha') !== 'true';
  if (!isPlain || !isOpaque) reject('an <feConvolveMatrix> with a bias, an unsupported edge mode or a kernel sum of 0');
}
