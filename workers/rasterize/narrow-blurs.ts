// Changes blurs with a standard deviation of less than two pixels, so that librsvg draws them like browsers.
import { linksIn, targetId } from '../svg/references.js';
import { element, parseDrawing, walk, writeTree, type Element } from '../svg/svg-tree.js';
import { placed, type Size } from './device-scale.js';

/**
 * Minimum standard deviation of a blur that librsvg draws like browsers, px. librsvg extends narrower blurs one pixel
 * too far.
 */
const NARROW_PX = 2;
/**
 * Upper bound of a range of standard deviations → the deviation with which librsvg must draw this range, px. Browsers
 * blur with a window of whole pixels, so all deviations within a range look equal in browsers.
 */
const WINDOWS = [
  [1.5 / 1.88, 0],
  [2.5 / 1.88, 1.5],
  [3.5 / 1.88, 1.88],
  [NARROW_PX, NARROW_PX],
] as const;

/** Returns a copy of the document in which librsvg draws blurs like browsers, for a picture of this size. */
export function widenNarrowBlurs(svg: string, size: Size): string {
  const root = parseDrawing(svg);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  const links = linksIn(root);
  const copies = new Map<string, Element>();
  for (const { node, matrix } of placed(root, size)) {
    const filter = links.get(targetId(node, 'filter') ?? '');
    if (filter === undefined || filter.attributes.get('primitiveUnits') === 'objectBoundingBox') continue;
    const [a, b, c, d] = matrix;
    const scale = Math.sqrt(Math.abs(a * d - b * c));
    const id = `${filter.attributes.get('id') ?? ''}-${copies.size}`;
    const key = `${filter.attributes.get('id') ?? ''} ${scale}`;
    const copy = copies.get(key) ?? widened(filter, id, scale);
    copies.set(key, copy);
    node.attributes.set('filter', `url(#${copy.attributes.get('id') ?? ''})`);
  }
  root.children.unshift(element('defs', [], [...copies.values()]));
  return writeTree(root);
}

function widened(filter: Element, id: string, scale: number): Element {
  const copy = (node: Element): Element => element(node.name, node.attributes, node.children.map(copy));
  const result = copy(filter);
  result.attributes.set('id', id);
  for (const { name, attributes } of walk(result)) {
    if (name !== 'feGaussianBlur' && name !== 'feDropShadow') continue;
    const deviations = (attributes.get('stdDeviation') ?? (name === 'feDropShadow' ? '2' : '0')).split(/[\s,]+/);
    const values = deviations.map((text) => {
      const [, drawn = Number(text) * scale] = WINDOWS.find(([below]) => Number(text) * scale < below) ?? [];
      return String(drawn / scale);
    });
    attributes.set('stdDeviation', values.join(' '));
  }
  return result;
}
