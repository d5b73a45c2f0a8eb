// Computes the bounds of a drawing. They include the areas that its filters may paint.
import { Resvg } from '@resvg/resvg-js';
import { element, walk, writeTree, type Element } from './svg-tree.js';
import { RESVG_FONT } from './small-resvg.js';

export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const NOWHERE: Bounds = { x: 0, y: 0, width: 0, height: 0 };

export type ViewBox = readonly [x: number, y: number, width: number, height: number];

export interface Extent {
  readonly viewBox: ViewBox;
  /** Bounds of the drawing, or undefined if they can only be found by drawing it. */
  readonly bounds: Bounds | undefined;
}

type Regions = ReadonlyMap<string, Element | undefined>;

const PLAIN_NUMBER = /^-?[\d.]+$/;

/**
 * Returns the bounds in units of the viewBox, as if there were no clips. Returns zeros if nothing is drawn. Returns
 * undefined if a filter makes the bounds unknown.
 */
export function boundsOf(document: Element): Bounds | undefined {
  const nodes = walk(document);
  const regions = regionsOf(nodes);
  // Filter regions are measured as additional rectangles. A `<use>` draws its target in another position, but without
  // the rectangle of the target's filter region. The bounds are then unknown.
  if (regions.size > 0 && nodes.some(({ name }) => name === 'use')) return undefined;
  const measured = regions.size === 0 ? document : withRegions(document, regions);
  if (measured === undefined) return undefined;
  const box = new Resvg(writeTree(measured), { font: RESVG_FONT }).getBBox();
  return box === undefined ? NOWHERE : { x: box.x, y: box.y, width: box.width, height: box.height };
}

/**
 * Returns the filter regions by the value of the attribute `filter`. A region is undefined if it is not a plain
 * rectangle in units of the drawing.
 */
function regionsOf(nodes: readonly Element[]): Regions {
  const filters = nodes.filter(({ name }) => name === 'filter');
  return new Map(filters.map(({ attributes }) => [`url(#${attributes.get('id') ?? ''})`, rectangle(attributes)]));
}

function rectangle(attributes: ReadonlyMap<string, string>): Element | undefined {
  if (attributes.get('filterUnits') !== 'userSpaceOnUse') return undefined;
  const sides = ['x', 'y', 'width', 'height'].map((name): [string, string] => [name, attributes.get(name) ?? '']);
  return sides.every(([, value]) => PLAIN_NUMBER.test(value))
    ? element('rect', [...sides, ['fill', '#000'], ['stroke', 'none']])
    : undefined;
}

/**
 * Adds a rectangle to each filtered element: the region of its filter. The paint of the element stays inside this
 * region.
 */
function withRegions(node: Element, regions: Regions): Element | undefined {
  const children: Element[] = [];
  for (const child of node.children) {
    const copy = withRegions(child, regions);
    if (copy === undefined) return undefined;
    children.push(copy);
    const filter = copy.attributes.get('filter');
    if (filter === undefined) continue;
    const region = regions.get(filter);
    if (region === undefined) return undefined;
    copy.attributes.delete('filter');
    const transform = copy.attributes.get('transform');
    children.push(element('g', transform === undefined ? [] : [['transform', transform]], [region]));
  }
  return element(node.name, node.attributes, children);
}
