// Copy of an element's attributes: those of the allow-list, in canonical form, with colors as `#rrggbb` and opacity.
import { BOX_ATTRIBUTES, BOX_UNITS, COLOR_ATTRIBUTES, ELEMENTS } from './allow-list.js';
import { boxLength, id, lengthOf, localUrl, transform, type Viewport } from './attribute-values.js';
import { parseColor } from '../svg/css-color.js';
import { withoutVariables } from './inline-css.js';
import { formatNumber, Rejected, type Element } from '../svg/svg-tree.js';

const MARKERS = ['marker', 'marker-start', 'marker-mid', 'marker-end'];
const REFERENCES = ['clip-path', 'mask', 'filter', 'fill', 'stroke'];
/** Only path data and point lists are longer in honest files. */
const LONG_ATTRIBUTES = new Set(['d', 'points', 'transform']);
const MAX_CHARS = 1000;

export interface Scope {
  readonly viewport: Viewport;
  /** Value of `currentColor` here. */
  readonly color: string;
}

/** Attributes that the element has as `name` in the result. Throws `Rejected`. */
export function copyAttributes(node: Element, name: string, scope: Scope): Map<string, string> {
  const readers = ELEMENTS[name] ?? {};
  const result = new Map<string, string>();
  const given = withOrigin(node.attributes, scope.viewport);
  rejectReferences(node.name, given);
  const ownId = id(given.get('id') ?? '', scope.viewport);
  if (ownId !== undefined) result.set('id', ownId);
  const ofBox = isOfBox(name, given);
  for (const [attribute, raw] of given) {
    const reader = Object.hasOwn(readers, attribute) ? readers[attribute] : undefined;
    if (reader === undefined || (raw.length > MAX_CHARS && !LONG_ATTRIBUTES.has(attribute))) continue;
    const value =
      ofBox && BOX_ATTRIBUTES.has(attribute)
        ? boxLength(raw.trim(), scope.viewport)
        : reader(raw.trim(), scope.viewport);
    if (value !== undefined) result.set(attribute, value);
  }
  for (const attribute of COLOR_ATTRIBUTES) {
    const raw = given.get(attribute);
    if (raw !== undefined && takesColor(name, attribute)) copyColor(result, attribute, { raw, color: scope.color });
  }
  return result;
}

function isOfBox(name: string, given: ReadonlyMap<string, string>): boolean {
  const units = BOX_UNITS.get(name);
  return units !== undefined && (given.get(units) ?? 'objectBoundingBox') === 'objectBoundingBox';
}

function takesColor(name: string, attribute: string): boolean {
  if (attribute === 'stop-color') return name === 'stop';
  if (attribute === 'flood-color') return name === 'feFlood' || name === 'feDropShadow';
  return Object.hasOwn(ELEMENTS[name] ?? {}, 'fill-opacity');
}

/** Sets the color as `#rrggbb`, `none` or `url(#id)`, and folds its alpha into the matching opacity. */
function copyColor(
  result: Map<string, string>,
  attribute: string,
  { raw, color }: { raw: string; color: string },
): void {
  const value = withoutVariables(raw.trim()) ?? '';
  const isPaint = attribute === 'fill' || attribute === 'stroke';
  if (isPaint && value === 'none') {
    result.set(attribute, 'none');
    return;
  }
  const target = isPaint ? localUrl(value) : undefined;
  if (target !== undefined) {
    result.set(attribute, `url(#${target})`);
    return;
  }
  const paint = value.toLowerCase() === 'currentcolor' ? { hex: color, alpha: 1 } : parseColor(value);
  if (paint === undefined) return;
  if (paint.alpha === 0 && isPaint) {
    result.set(attribute, 'none');
    return;
  }
  result.set(attribute, paint.hex);
  if (paint.alpha === 1) return;
  const opacity = attribute.replace(/-color$/, '') + '-opacity';
  result.set(opacity, formatNumber(paint.alpha * Number(result.get(opacity) ?? 1)));
}

function rejectReferences(name: string, given: ReadonlyMap<string, string>): void {
  const href = given.get('href')?.trim();
  if (name === 'use' && href !== undefined && href !== '' && !href.startsWith('#')) {
    throw new Rejected('external_reference', 'a <use> points outside of the file');
  }
  for (const attribute of REFERENCES) {
    const value = given.get(attribute);
    if (value !== undefined && /url\(/i.test(value) && localUrl(value.trim()) === undefined) {
      throw new Rejected('external_reference', `${attribute} points outside of the file`);
    }
  }
  for (const attribute of MARKERS) {
    const value = given.get(attribute);
    if (value !== undefined && value !== 'none') throw new Rejected('unsupported_element', 'it has markers');
  }
}

/** `transform-origin` written into the transform, which every renderer understands. */
function withOrigin(given: ReadonlyMap<string, string>, viewport: Viewport): ReadonlyMap<string, string> {
  const origin = given.get('transform-origin');
  const own = given.get('transform');
  if (origin === undefined || own === undefined || own.trim() === '' || origin.length > MAX_CHARS) return given;
  const keywords: Readonly<Record<string, string>> = {
    left: '0',
    top: '0',
    center: '50%',
    right: '100%',
    bottom: '100%',
  };
  const [first = '50%', second = '50%'] = origin
    .trim()
    .split(/\s+/)
    .map((part) => (Object.hasOwn(keywords, part) ? (keywords[part] ?? part) : part));
  const x = lengthOf(first, viewport.width);
  const y = lengthOf(second, viewport.height);
  if (x === undefined || y === undefined || transform(own.trim(), viewport) === undefined) return given;
  return new Map([...given, ['transform', `translate(${x} ${y})${own.trim()}translate(${-x} ${-y})`]]);
}
