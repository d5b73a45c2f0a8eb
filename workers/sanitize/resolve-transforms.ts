// Writes every transform as one attribute without units, origins and reference boxes. All renderers then draw it in the
// same way.
import { elementBox } from '../svg/element-box.js';
import { element, formatNumber, Rejected, type Element } from '../svg/svg-tree.js';
import { lengthOf } from './attribute-values.js';
import {
  around,
  cssTransform,
  IDENTITY,
  individualCalls,
  isInSpace,
  matrixText,
  multiply,
  originOf,
  svgTransform,
  type Box,
  type Matrix,
} from './css-transform.js';

const INDIVIDUAL = ['translate', 'rotate', 'scale'] as const;
const SPECIAL = [...INDIVIDUAL, 'transform-origin', 'transform-box'];
/**
 * Element → attribute that replaces the CSS property `transform`. For all other elements, this attribute is
 * `transform`.
 */
const TRANSFORM: ReadonlyMap<string, string> = new Map([
  ['linearGradient', 'gradientTransform'],
  ['radialGradient', 'gradientTransform'],
  ['pattern', 'patternTransform'],
]);

/** Resolves the transforms in the tree. Percentages refer to `viewport`. Throws `Rejected`. */
export function resolveTransforms(root: Element, viewport: Box): void {
  const visit = (node: Element, outer: Box, matrix: Matrix): void => {
    if (node !== root) resolveOne(node, outer, root);
    const inner = node === root ? outer : viewportOf(node, outer);
    const own = node.attributes.get('transform');
    const total = own === undefined ? matrix : multiply(matrix, cssTransform(own) ?? IDENTITY);
    if (node.attributes.get('vector-effect') === 'non-scaling-stroke') scaleStroke(node, total, viewport);
    if (node.attributes.has('filter') && isSkewed(total))
      throw new Rejected('unsupported_filter', 'a filter is applied to a skewed element', node);
    for (const child of node.children) visit(child, inner, total);
    node.children = node.children.map(withGroup);
  };
  visit(root, viewport, IDENTITY);
}

const OF_GROUP = ['transform', 'opacity', 'clip-path', 'mask', 'filter', 'mix-blend-mode', 'isolation'];

/**
 * Puts a `<g>` around a nested `<svg>`, and moves the attributes in OF_GROUP from the `<svg>` to the `<g>`. Otherwise,
 * usvg would ignore the transform and apply the other attributes twice.
 */
function withGroup(node: Element): Element {
  // A mask on a `<mask>` has no effect in browsers.
  if (node.name === 'mask') node.attributes.delete('mask');
  const moved = node.name === 'svg' ? [...node.attributes].filter(([name]) => OF_GROUP.includes(name)) : [];
  if (moved.length === 0) return node;
  for (const [name] of moved) node.attributes.delete(name);
  return element('g', moved, [node]);
}

/**
 * Returns true if the transformed axes are not perpendicular. A filter would then look wrong, because renderers apply
 * filters only along the axes of the picture.
 */
function isSkewed([a, b, c, d]: Matrix): boolean {
  return Math.abs(a * c + b * d) > 1e-3 * Math.hypot(a, b) * Math.hypot(c, d);
}

/** Default longer side of a picture, px. */
const PICTURE_PX = 256;

/**
 * Replaces a non-scaling stroke by a normal stroke with the width that it would have in a picture of the default size.
 */
function scaleStroke(node: Element, [a, b, c, d]: Matrix, { width, height }: Box): void {
  const { attributes } = node;
  attributes.delete('vector-effect');
  if (attributes.get('stroke') === 'none') return;
  const [across, down] = [Math.hypot(a, b), Math.hypot(c, d)];
  const isEven = Math.abs(across - down) <= across * 0.01 && Math.abs(a * c + b * d) <= across * down * 0.01;
  if (!isEven || across === 0)
    throw new Rejected(
      'unsupported_style',
      'the element has vector-effect: non-scaling-stroke with a non-uniform scale',
      node,
    );
  const unit = Math.max(width, height) / PICTURE_PX / across;
  for (const name of ['stroke-width', 'stroke-dasharray', 'stroke-dashoffset']) {
    const value = attributes.get(name) ?? (name === 'stroke-width' ? '1' : 'none');
    if (value === 'none') continue;
    const scaled = value.split(/[\s,]+/).map((part) => formatNumber(Number.parseFloat(part) * unit));
    attributes.set(name, scaled.join(' '));
  }
}

function viewportOf({ name, attributes }: Element, outer: Box): Box {
  if (name !== 'svg' && name !== 'symbol') return outer;
  const [, , width, height] = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (width !== undefined && height !== undefined && width > 0 && height > 0) return { x: 0, y: 0, width, height };
  if (name !== 'svg') return outer;
  const side = (of: 'width' | 'height'): number => lengthOf(attributes.get(of)?.trim() ?? '', outer[of]) ?? outer[of];
  return { x: 0, y: 0, width: side('width'), height: side('height') };
}

// oxlint-disable-next-line complexity -- one line for each notation of a transform
function resolveOne(node: Element, viewport: Box, root: Element): void {
  const { attributes } = node;
  const name = TRANSFORM.get(node.name) ?? 'transform';
  if (name !== 'transform' && svgTransform(attributes.get(name) ?? '') === undefined) attributes.delete(name);
  const given = attributes.get('transform') ?? attributes.get(name);
  if (name !== 'transform') attributes.delete('transform');
  const isPlain = !SPECIAL.some((special) => attributes.has(special)) && !/[a-z%]\s*[,)]/i.test(given ?? '');
  if (given !== undefined && isPlain) {
    if (isInSpace(given)) throw inSpace(node);
    if (cssTransform(given) === undefined || given.trim() === 'none') attributes.delete(name);
    else attributes.set(name, given);
    return;
  }
  const special = Object.fromEntries(SPECIAL.map((property) => [property, attributes.get(property)]));
  for (const property of SPECIAL) if (!node.name.startsWith('fe')) attributes.delete(property);
  if (given === undefined && !INDIVIDUAL.some((property) => special[property] !== undefined)) return;
  const matrix = matrixOf(given ?? '', special, () => referenceBox(node, special['transform-box'], { viewport, root }));
  if (matrix === undefined) throw inSpace(node);
  attributes.set(name, matrixText(matrix));
}

export function inSpace(node: Element): Rejected {
  return new Rejected('unsupported_style', 'the element has a 3D transform', node);
}

type Special = Readonly<Record<string, string | undefined>>;

export function matrixOf(given: string, special: Special, boxOf: () => Box, origin = '0 0'): Matrix | undefined {
  const box = boxOf();
  const matrix = cssTransform(`${individualCalls(special)} ${given.replace(/^\s*none\s*$/i, '')}`, box);
  if (matrix === undefined) return undefined;
  const start = originOf(special['transform-origin'] ?? origin, box) ?? originOf(origin, box) ?? [0, 0];
  return around(matrix, ...start);
}

interface Place {
  readonly viewport: Box;
  readonly root: Element;
}

function referenceBox(node: Element, kind: string | undefined, { viewport, root }: Place): Box {
  if (kind === undefined || kind === 'view-box') return viewport;
  const box = elementBox(node, root);
  return box ?? { x: 0, y: 0, width: 0, height: 0 };
}
