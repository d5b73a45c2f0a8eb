// Rejects features that browsers draw, but that not every picture format can show. They are never omitted silently.
import type { DrawingRejectionCode } from '../../src/platform/drawing-rejections.js';
import { DRAWING_REJECTIONS } from '../../src/platform/drawing-rejections.js';
import { Rejected, walk, type Element } from '../svg/svg-tree.js';
import { rejectExternal } from './resolve-references.js';
import { rejectPrimitive, rejectRegion } from './unsupported-filters.js';

const BY_ELEMENT: ReadonlyMap<string, DrawingRejectionCode> = new Map(
  (['text', 'embedded_image', 'foreign_object', 'animation', 'unsupported_element'] as const).flatMap((code) =>
    DRAWING_REJECTIONS[code].elements.map((name) => [name, code] as const),
  ),
);
/** Matches the filter functions that usvg can convert to filter elements. */
const FILTER_FUNCTIONS =
  /^(?:(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)\((?:[^()]|\([^()]*\))*\)\s*)+$/i;
/** Units that depend on a font or on the window size. */
const FOREIGN_UNITS = /^[+-]?[\d.]+(?:rem|ex|rex|ch|rch|ic|ric|cap|rcap|lh|rlh|[sld]?v(?:w|h|i|b|min|max))$/i;

/** Throws `Rejected` for unsupported features. The tree must contain only drawn elements. */
export function rejectUnsupported(root: Element): void {
  const withMarkers = walk(root).some(({ attributes }) => hasMarkers(attributes));
  const visit = (node: Element, isVisible: boolean, filter: Element | undefined): void => {
    const visibility = node.attributes.get('visibility');
    const visible = visibility === undefined ? isVisible : visibility === 'visible';
    if (drawsNothing(node, visible)) {
      node.children = [];
      node.name = 'g';
      return;
    }
    if (node.name === 'rect' || node.name === 'circle' || node.name === 'ellipse')
      for (const marker of MARKERS) node.attributes.delete(marker);
    if (hasInvalidPoints(node)) node.attributes.delete('points');
    rejectElement(node);
    rejectStyle(node, withMarkers);
    rejectExternal(node);
    if (node.name === 'filter') rejectRegion(node);
    if (node.name.startsWith('fe')) rejectPrimitive(node, filter);
    for (const child of node.children) visit(child, visible, node.name === 'filter' ? node : filter);
  };
  if (root.attributes.has('clip-path')) throw new Rejected('unsupported_style', 'the root has a clip-path', root);
  visit(root, true, undefined);
}

/** Returns true for elements without a visible effect: empty text, images without a size, and hidden elements. */
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
  throw new Rejected(code, `the file has <${node.name}>`, node);
}

// oxlint-disable-next-line complexity -- one line for each construct that is rejected
function rejectStyle(node: Element, withMarkers: boolean): void {
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
  const foreign = [...attributes].find(([, value]) => FOREIGN_UNITS.test(value));
  if (foreign !== undefined) reject(...foreign);
  if (name === 'symbol' && attributes.has('transform')) reject('transform', attributes.get('transform'));
  if (attributes.get('mix-blend-mode') === 'plus-lighter') reject('mix-blend-mode', 'plus-lighter');
  if (attributes.has('pathLength') && attributes.has('stroke-dasharray'))
    reject('pathLength', attributes.get('pathLength'));
  if (name === 'mask' && attributes.get('color-interpolation') === 'linearRGB')
    reject('color-interpolation', 'linearRGB');
  if (withMarkers && /markers(?!$)|^\w+ markers$|^markers$/.test(attributes.get('paint-order') ?? ''))
    reject('paint-order', 'markers');
}

/**
 * Returns true if browsers draw nothing because the list of points contains an invalid character. A last number without
 * a partner is valid: browsers ignore it.
 */
function hasInvalidPoints({ attributes }: Element): boolean {
  return /[^\d\s,.eE+-]/.test(attributes.get('points') ?? '');
}

const MARKERS = ['marker-start', 'marker-mid', 'marker-end'];

function hasMarkers(attributes: ReadonlyMap<string, string>): boolean {
  return MARKERS.some((name) => attributes.has(name));
}
