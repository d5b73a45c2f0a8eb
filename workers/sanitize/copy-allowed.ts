// Copies a drawing with only the allowed elements and attributes, in canonical form. Lists the elements and attributes
// that were not copied.
import { parseColor } from '../svg/css-color.js';
import { LIMITS } from '../svg/drawing-limits.js';
import { element, formatNumber, Rejected, type Element } from '../svg/svg-tree.js';
import { BOX_ATTRIBUTES, BOX_UNITS, COLOR_ATTRIBUTES, ELEMENTS } from './allow-list.js';
import { boxLength } from './attribute-values.js';

/** Attributes that earlier steps must resolve, because a copy of the drawing could not keep their meaning. */
const UNRESOLVED = new Set([
  'href',
  'viewBox',
  'preserveAspectRatio',
  'marker-start',
  'marker-mid',
  'marker-end',
  'color',
]);
/**
 * Attributes whose values may be longer than MAX_CHARS. In real files, the values of all other attributes are shorter.
 */
const LONG_ATTRIBUTES = new Set(['d', 'points', 'transform']);
const MAX_CHARS = 1000;
/** Attribute → default value. An attribute with this value is omitted. */
const NEUTRAL: Readonly<Record<string, string>> = {
  ...{ 'mix-blend-mode': 'normal', isolation: 'auto', 'clip-path': 'none', mask: 'none', filter: 'none' },
};
/**
 * Inherited attribute → default value. An attribute with this value is omitted, unless a parent element sets the
 * attribute.
 */
const NEUTRAL_INHERITED: Readonly<Record<string, string>> = { 'stroke-miterlimit': '4', 'paint-order': 'normal' };

export interface AllowedCopy {
  readonly root: Element;
  /** Names of the elements and attributes that were not copied, for the error message. */
  readonly lost: readonly string[];
}

/** Copies the tree. Throws `Rejected` if it has too much path data. */
export function copyAllowed(source: Element): AllowedCopy {
  const lost = new Set<string>();
  let pathChars = 0;
  const copy = (node: Element, inherited: ReadonlySet<string>): Element | undefined => {
    const readers = Object.hasOwn(ELEMENTS, node.name) ? ELEMENTS[node.name] : undefined;
    if (readers === undefined) {
      lost.add(`<${node.name}>`);
      return undefined;
    }
    const attributes = copyAttributes(node, { readers, inherited }, (name) => lost.add(`${name} of <${node.name}>`));
    const passedOn = new Set(
      Object.keys(NEUTRAL_INHERITED).filter((name) => inherited.has(name) || attributes.has(name)),
    );
    pathChars += (attributes.get('d') ?? attributes.get('points') ?? '').length;
    if (pathChars > LIMITS.pathChars)
      throw new Rejected('path_too_long', `the file has more than ${LIMITS.pathChars} characters of path data`, node);
    if (drawsNothing(node.name, attributes)) return undefined;
    return element(
      node.name,
      attributes,
      node.children.map((child) => copy(child, passedOn)).filter((child) => child !== undefined),
    );
  };
  return { root: copy(source, new Set()) ?? element('g'), lost: [...lost] };
}

function drawsNothing(name: string, attributes: ReadonlyMap<string, string>): boolean {
  if (name === 'path') return !attributes.has('d');
  return (name === 'polygon' || name === 'polyline') && !attributes.has('points');
}

interface Context {
  readonly readers: NonNullable<(typeof ELEMENTS)[string]>;
  /** Names of inherited attributes that a parent element sets. */
  readonly inherited: ReadonlySet<string>;
}

// oxlint-disable-next-line complexity -- one line for each state of an attribute
function copyAttributes(
  { name, attributes: given }: Element,
  { readers, inherited }: Context,
  lose: (name: string) => void,
): Map<string, string> {
  const result = new Map<string, string>();
  const units = BOX_UNITS.get(name);
  const ofBox = units !== undefined && (given.get(units) ?? 'objectBoundingBox') === 'objectBoundingBox';
  for (const [attribute, raw] of given) {
    const reader = Object.hasOwn(readers, attribute) ? readers[attribute] : undefined;
    const isIdentity = attribute === 'id' && /^[\w-]+$/.test(raw);
    if (isIdentity) result.set('id', raw);
    else if (reader === undefined && UNRESOLVED.has(attribute)) lose(attribute);
    const neutral = inherited.has(attribute) ? undefined : (NEUTRAL[attribute] ?? NEUTRAL_INHERITED[attribute]);
    if (reader === undefined || neutral === raw.trim()) continue;
    const isRead = raw.length <= MAX_CHARS || LONG_ATTRIBUTES.has(attribute);
    const value = isRead ? (ofBox && BOX_ATTRIBUTES.has(attribute) ? boxLength : reader)(raw.trim()) : undefined;
    if (value === undefined) lose(attribute);
    else result.set(attribute, value);
  }
  for (const attribute of COLOR_ATTRIBUTES) {
    const raw = given.get(attribute);
    if (raw !== undefined && takesColor(name, attribute) && !copyColor(result, attribute, raw.trim())) lose(attribute);
  }
  return result;
}

function takesColor(name: string, attribute: string): boolean {
  if (attribute === 'stop-color') return name === 'stop';
  if (attribute === 'flood-color') return name === 'feFlood' || name === 'feDropShadow';
  if (attribute === 'lighting-color') return name === 'feDiffuseLighting' || name === 'feSpecularLighting';
  return Object.hasOwn(ELEMENTS[name] ?? {}, 'fill-opacity');
}

/**
 * Sets a color to `#rrggbb`, `none` or `url(#id)`, and moves its alpha to the opacity attribute. Returns false for any
 * other value.
 */
function copyColor(result: Map<string, string>, attribute: string, value: string): boolean {
  const isPaint = attribute === 'fill' || attribute === 'stroke';
  if (isPaint && (value === 'none' || /^url\(#[\w-]+\)$/.test(value))) {
    result.set(attribute, value);
    return true;
  }
  const paint = parseColor(value);
  if (paint === undefined) return false;
  if (paint.alpha === 0 && isPaint) {
    result.set(attribute, 'none');
    return true;
  }
  result.set(attribute, paint.hex);
  if (paint.alpha === 1) return true;
  const opacity = attribute.replace(/-color$/, '') + '-opacity';
  result.set(opacity, formatNumber(paint.alpha * Number(result.get(opacity) ?? 1)));
  return true;
}
