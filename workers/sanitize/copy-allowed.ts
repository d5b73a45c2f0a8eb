// Copy of a parsed drawing, with only what the allow-list has, in canonical form.
import { parseColor } from '../svg/css-color.js';
import { ELEMENTS } from './allow-list.js';
import { LIMITS } from '../svg/drawing-limits.js';
import type { ViewBox } from '../svg/drawing-bounds.js';
import type { DrawingRejectionCode } from '../../src/domain/catalog/drawing-rejections.js';
import { element, formatNumber, Rejected, type Element } from '../svg/svg-tree.js';
import { lengthOf, numbersIn, type Viewport } from './attribute-values.js';
import { copyAttributes, type Scope } from './copy-attributes.js';

/** Elements without which the drawing would not be what its author meant. */
const REJECTED: Readonly<Record<string, readonly [DrawingRejectionCode, string]>> = {
  text: ['text', 'it has <text>, which looks different wherever its font is missing'],
  textPath: ['text', 'it has <textPath>'],
  image: ['embedded_image', 'it has an <image> inside'],
  feImage: ['embedded_image', 'a filter has an <feImage>'],
  animate: ['animation', 'it is animated'],
  animateTransform: ['animation', 'it is animated'],
  animateMotion: ['animation', 'it is animated'],
  animateColor: ['animation', 'it is animated'],
  set: ['animation', 'it is animated'],
  feComponentTransfer: ['unsupported_element', 'a filter has <feComponentTransfer>'],
  feTurbulence: ['filter_too_costly', 'a filter has <feTurbulence>'],
  feDiffuseLighting: ['filter_too_costly', 'a filter has <feDiffuseLighting>'],
  feSpecularLighting: ['filter_too_costly', 'a filter has <feSpecularLighting>'],
  feConvolveMatrix: ['filter_too_costly', 'a filter has <feConvolveMatrix>'],
  feDisplacementMap: ['filter_too_costly', 'a filter has <feDisplacementMap>'],
  feTile: ['filter_too_costly', 'a filter has <feTile>'],
};

export interface CleanDocument {
  /** Its attributes are presentation only. */
  readonly root: Element;
  readonly viewBox: ViewBox;
}

/** Throws `Rejected`. */
export function cleanDocument(source: Element): CleanDocument {
  const viewBox = readViewBox(source);
  const budget = { pathChars: 0, nested: 0 };
  const scope = { viewport: { width: viewBox[2], height: viewBox[3] }, color: '#000000' };

  const copy = (node: Element, outer: Scope): Element | undefined => {
    const rejection = Object.hasOwn(REJECTED, node.name) ? REJECTED[node.name] : undefined;
    if (rejection !== undefined) throw new Rejected(...rejection, node);
    const name = node.name === 'a' || node.name === 'switch' ? 'g' : node.name;
    if (!Object.hasOwn(ELEMENTS, name)) return undefined;
    const inner = scopeOf(node, outer);
    const attributes = copyAttributes(node, name, inner);
    budget.pathChars += (attributes.get('d') ?? attributes.get('points') ?? '').length;
    if (budget.pathChars > LIMITS.pathChars)
      throw new Rejected('path_too_long', `more than ${LIMITS.pathChars} characters of path data`);
    if (drawsNothing(name, attributes)) return undefined;
    let children = node.children.map((child) => copy(child, inner)).filter((child) => child !== undefined);
    if (node.name === 'switch') children = children.slice(0, 1);
    const result = element(name, attributes, children);
    return name === 'svg' ? asSymbol(result, ++budget.nested, inner.viewport) : result;
  };

  const inner = scopeOf(source, scope);
  const attributes = copyAttributes(source, 'svg', { ...inner, viewport: scope.viewport });
  for (const own of ['x', 'y', 'width', 'height', 'viewBox', 'preserveAspectRatio', 'overflow', 'id'])
    attributes.delete(own);
  const children = source.children.map((child) => copy(child, { ...inner, viewport: scope.viewport }));
  return {
    root: element(
      'svg',
      attributes,
      children.filter((child) => child !== undefined),
    ),
    viewBox,
  };
}

function readViewBox(root: Element): ViewBox {
  const given = root.attributes.get('viewBox');
  const size = ['width', 'height'].map((name) => lengthOf(root.attributes.get(name)?.trim() ?? '', undefined));
  const numbers = given === undefined ? [0, 0, ...size] : numbersIn(given);
  const [x, y, width, height] = numbers;
  if (given === undefined && size.includes(undefined))
    throw new Rejected('no_viewbox', 'it has neither a viewBox nor a width and height');
  if (x === undefined || y === undefined || width === undefined || height === undefined || numbers.length !== 4) {
    throw new Rejected('bad_viewbox', 'its viewBox is not four numbers');
  }
  const { min, max } = LIMITS.viewBoxSide;
  const sane = [width, height].every((side) => side >= min && side <= max) && [x, y].every((at) => Math.abs(at) <= max);
  if (!sane)
    throw new Rejected('bad_viewbox', `its viewBox ${[x, y, width, height].join(' ')} is outside of what can be drawn`);
  if (Math.max(width / height, height / width) > LIMITS.aspect) {
    throw new Rejected('bad_viewbox', `its sides differ by more than 1:${LIMITS.aspect}`);
  }
  return [x, y, width, height];
}

function scopeOf(node: Element, outer: Scope): Scope {
  const color = node.attributes.get('color');
  const isFrame = node.name === 'symbol' || node.name === 'svg';
  const [, , width, height] = isFrame ? numbersIn(node.attributes.get('viewBox') ?? '') : [];
  const sized = width !== undefined && height !== undefined && width > 0 && height > 0;
  return {
    viewport: sized ? { width, height } : outer.viewport,
    color: (color === undefined ? undefined : parseColor(color)?.hex) ?? outer.color,
  };
}

function drawsNothing(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (name === 'path') return !attributes.has('d');
  if (name === 'polygon' || name === 'polyline') return !attributes.has('points');
  return name === 'use' && !attributes.has('href');
}

/**
 * A nested <svg> is, by definition, a <symbol> used at its place (SVG 2, 5.6). The id has a space, so that no file can
 * have it.
 */
function asSymbol(nested: Element, serial: number, viewport: Viewport): Element {
  const name = `nested ${serial}`;
  const symbol = element('symbol', [['id', name]], nested.children);
  const use = element('use', [['href', `#${name}`]]);
  for (const [attribute, value] of nested.attributes) {
    const isFrame = attribute === 'viewBox' || attribute === 'preserveAspectRatio' || attribute === 'overflow';
    (isFrame ? symbol : use).attributes.set(attribute, value);
  }
  if (!use.attributes.has('width')) use.attributes.set('width', formatNumber(viewport.width));
  if (!use.attributes.has('height')) use.attributes.set('height', formatNumber(viewport.height));
  return element('g', [], [symbol, use]);
}
