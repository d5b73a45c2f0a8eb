// Converts a drawing to the normal form: groups, shapes, gradients, clips, masks, patterns and filters. usvg, a part of
// resvg, resolves `<use>` elements, symbols, markers, units and chains of references.
import { Resvg } from '@resvg/resvg-js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import { element, formatNumber, parseSvg, Rejected, svgDocument, writeTree, type Element } from '../svg/svg-tree.js';
import { applyStyles } from './apply-styles.js';
import { optimize } from 'svgo/browser';
import { RESVG_FONT } from '../svg/small-resvg.js';

/**
 * Precision of path data. The number of decimals is this value minus the decimal logarithm of the drawing's longer
 * side, rounded.
 */
const DIGITS = 4.5;

/** Returns the normal form. Throws `Rejected` if resvg cannot read the drawing. */
export function normalForm(content: Element, viewBox: ViewBox): Element {
  const [, , width, height] = viewBox;
  const document = svgDocument(viewBox, [content]);
  document.attributes.set('width', formatNumber(width)).set('height', formatNumber(height));
  const root = parseSvg(compact(resolved(document), Math.max(width, height)));
  applyStyles(root);
  return element('g', [], root.children.flatMap(withoutPlainGroups));
}

function resolved(document: Element): string {
  try {
    return new Resvg(writeTree(document), { font: RESVG_FONT }).toString();
  } catch (error) {
    throw new Rejected(
      'undrawable',
      `the rasterizer cannot read the file: ${error instanceof Error ? error.message.slice(0, 120) : ''}`,
    );
  }
}

/** Shortens the output of usvg, which contains all digits and all default values. */
function compact(svg: string, side: number): string {
  const floatPrecision = Math.min(8, Math.max(2, Math.round(DIGITS - Math.log10(side))));
  const plain = svg.replaceAll(' stroke="none"', '').replaceAll(' fill="#000000"', '');
  const params = { floatPrecision, applyTransforms: false, makeArcs: { threshold: 0.5, tolerance: 0.5 } };
  return optimize(plain, { plugins: [{ name: 'convertPathData', params }] }).data;
}

/** Removes groups without attributes. usvg writes such groups for `<use>` elements and for elements with conditions. */
function withoutPlainGroups(node: Element): Element[] {
  node.children = node.children.flatMap(withoutPlainGroups);
  if (node.name === 'defs') return node.children.length === 0 ? [] : [node];
  return node.name === 'g' && node.attributes.size === 0 ? node.children : [node];
}
