// What is drawn in a browser and cannot be kept in every format: rejected by its name, never dropped.
import type { DrawingRejectionCode } from '../../src/domain/catalog/drawing-rejections.js';
import { DRAWING_REJECTIONS } from '../../src/domain/catalog/drawing-rejections.js';
import { LIMITS } from '../svg/drawing-limits.js';
import { Rejected, walk, type Element } from '../svg/svg-tree.js';
import { rejectExternal } from './resolve-references.js';

const BY_ELEMENT: ReadonlyMap<string, DrawingRejectionCode> = new Map(
  (['text', 'embedded_image', 'foreign_object', 'animation', 'unsupported_element'] as const).flatMap((code) =>
    DRAWING_REJECTIONS[code].elements.map((name) => [name, code] as const),
  ),
);
const BLEND_MODES = new Set([
  ...['normal', 'multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light'],
  ...['soft-light', 'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity'],
]);
/** Those that usvg writes as filters. */
const FILTER_FUNCTIONS =
  /^(?:(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)\((?:[^()]|\([^()]*\))*\)\s*)+$/i;
const OUTER_INPUTS = new Set(['FillPaint', 'StrokePaint']);

/** Of a tree in which only drawn elements are left. Throws `Rejected`. */
export function rejectUnsupported(root: Element): void {
  const visit = (node: Element, isVisible: boolean): void => {
    const visibility = node.attributes.get('visibility');
    const visible = visibility === undefined ? isVisible : visibility === 'visible';
    if (drawsNothing(node, visible)) {
      node.children = [];
      node.name = 'g';
      return;
    }
    rejectElement(node);
    rejectExternal(node);
    rejectStyle(node);
    if (node.name.startsWith('fe')) rejectPrimitive(node);
    for (const child of node.children) visit(child, visible);
  };
  visit(root, true);
}

/** Empty text, images without a size, and what is hidden. */
function drawsNothing(node: Element, isVisible: boolean): boolean {
  if (!BY_ELEMENT.has(node.name)) return false;
  if (node.name === 'text') return !isVisible || !walk(node).some(({ text }) => text.trim() !== '');
  if (node.name === 'foreignObject') return !isVisible || node.text.trim() === '';
  if (node.name !== 'image') return false;
  return (
    !isVisible || !node.attributes.has('href') || ['width', 'height'].some((side) => node.attributes.get(side) === '0')
  );
}

function rejectElement(node: Element): void {
  const code = BY_ELEMENT.get(node.name);
  if (code === undefined) return;
  throw new Rejected(code, `it has <${node.name}>`, node);
}

function rejectStyle(node: Element): void {
  const { name, attributes } = node;
  if (name === 'marker' && attributes.get('orient') === 'auto-start-reverse')
    throw new Rejected('unsupported_style', '<marker> has orient: auto-start-reverse', node);
  const reject = (property: string, value: string | undefined): never => {
    throw new Rejected('unsupported_style', `<${name}> has ${property}: ${(value ?? '').slice(0, 60)}`, node);
  };
  for (const property of ['clip-path', 'mask', 'filter']) {
    const value = attributes.get(property) ?? 'none';
    const isKept = /^(?:none|url\([^)]*\))$/i.test(value) || (property === 'filter' && FILTER_FUNCTIONS.test(value));
    if (!isKept) reject(property, value);
  }
  for (const property of ['fill', 'stroke'])
    if (attributes.get(property)?.includes('context-') === true) reject(property, attributes.get(property));
  const blend = attributes.get('mix-blend-mode');
  if (blend !== undefined && !BLEND_MODES.has(blend)) reject('mix-blend-mode', blend);
  if (attributes.has('pathLength') && attributes.has('stroke-dasharray'))
    reject('pathLength', attributes.get('pathLength'));
  if (name === 'mask' && attributes.get('color-interpolation') === 'linearRGB')
    reject('color-interpolation', 'linearRGB');
  if (attributes.get('paint-order')?.startsWith('markers') === true && hasMarkers(attributes))
    reject('paint-order', 'markers');
}

function hasMarkers(attributes: ReadonlyMap<string, string>): boolean {
  return ['marker-start', 'marker-mid', 'marker-end'].some((name) => attributes.has(name));
}

function rejectPrimitive(node: Element): void {
  const reject = (what: string): never => {
    throw new Rejected('unsupported_filter', `a filter has ${what}`, node);
  };
  if (['in', 'in2'].some((input) => OUTER_INPUTS.has(node.attributes.get(input) ?? '')))
    reject('an input from outside of it');
  if (node.name === 'feTile') reject('<feTile>');
  if (node.name === 'feTurbulence' && Number(node.attributes.get('numOctaves') ?? 1) > LIMITS.octaves)
    throw new Rejected('filter_too_costly', `<feTurbulence> has more than ${LIMITS.octaves} octaves`, node);
  const order = (node.attributes.get('order') ?? '3').split(/[\s,]+/).map(Number);
  if (node.name === 'feConvolveMatrix' && order.some((side) => side > LIMITS.kernelSide))
    throw new Rejected('filter_too_costly', `<feConvolveMatrix> has a side of more than ${LIMITS.kernelSide}`, node);
}
