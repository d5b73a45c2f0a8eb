// Computes the bounding box of one element, in the units of this element.
import { Resvg } from '@resvg/resvg-js';
import { element, svgDocument, walk, writeTree, type Element } from './svg-tree.js';
import type { Bounds } from './drawing-bounds.js';
import { RESVG_FONT } from './small-resvg.js';

/**
 * Returns the bounding box. Returns undefined if the element draws nothing, or if it is a line whose box has no width
 * or no height.
 */
export function elementBox(node: Element, root: Element): Bounds | undefined {
  const alone = element(node.name, node.attributes, node.children);
  for (const gone of ['transform', 'id', 'fill', 'stroke', 'clip-path', 'mask', 'filter', 'opacity'])
    alone.attributes.delete(gone);
  // resvg needs the referenced elements to measure a <use>.
  const resources = walk(node).some(({ name }) => name === 'use') ? root.children : [];
  const document = svgDocument([0, 0, 100, 100], [element('defs', [], resources), alone]);
  return new Resvg(writeTree(document), { font: RESVG_FONT }).getBBox();
}
