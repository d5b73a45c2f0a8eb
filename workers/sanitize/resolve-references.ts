// Resolves the references in a parsed drawing, and renames all ids to `n0`, `n1` and so on. Removes elements that are
// neither drawn nor referenced. Broken references have the same effect as in browsers.
import { RESOURCES, SHAPES, targetId, targets, TARGETS, linksIn, type Links } from '../svg/references.js';
import { Rejected, walk, type Element } from '../svg/svg-tree.js';

const ANIMATIONS = ['animate', 'animateTransform', 'animateMotion', 'animateColor', 'set'];
/**
 * Elements that stay in the drawing even without a reference to them. Most are drawn or have drawn children. Others are
 * a part of another element, such as `stop`, or cause a later rejection, such as `animate`. Resources, such as
 * gradients, stay only if they are referenced.
 */
const DRAWN: ReadonlySet<string> = new Set([
  ...SHAPES,
  ...['svg', 'g', 'a', 'use', 'switch', 'text', 'tspan', 'textPath', 'tref', 'image', 'foreignObject', 'stop'],
  ...ANIMATIONS,
  ...['video', 'audio', 'canvas', 'iframe', 'mesh', 'meshgradient', 'hatch'],
]);
const LINKING = new Set(['use', 'linearGradient', 'radialGradient', 'pattern']);

/**
 * Resolves the references in the tree, and renames the ids. Returns the elements by their new ids. Throws `Rejected`.
 */
export function resolveReferences(root: Element): Links {
  root.attributes.delete('display');
  dropUnavailable(root, true);
  const nodes = walk(root);
  const links = linksIn(root);
  const serials = new Map([...links].map(([id, node], at) => [id, { node, name: `n${at}` }]));
  for (const node of nodes) {
    for (const attribute of Object.keys(TARGETS)) resolveOne(node, attribute, serials);
    const own = serials.get(node.attributes.get('id') ?? '');
    if (own?.node === node) node.attributes.set('id', own.name);
    else node.attributes.delete('id');
  }
  for (const { name, attributes } of nodes) {
    const isReversed = name === 'marker' && attributes.get('orient') === 'auto-start-reverse';
    // resvg does not support `auto-start-reverse`. Replaces it by `auto` if no path has this marker at its start,
    // because the two values differ only there.
    if (
      isReversed &&
      !nodes.some((node) => node.attributes.get('marker-start') === `url(#${attributes.get('id') ?? ''})`)
    )
      attributes.set('orient', 'auto');
  }
  const renamed = new Map([...serials.values()].map(({ node, name }) => [name, node]));
  breakCycles(root, renamed);
  prune(root, renamed);
  return renamed;
}

/** Elements that can have conditional attributes. */
const CONDITIONAL = new Set([...DRAWN, 'defs']);

/**
 * Removes elements that browsers ignore: elements with a false condition, and resources inside parents with `display:
 * none`.
 */
function dropUnavailable(node: Element, isDisplayed: boolean): void {
  const isAvailable = (child: Element): boolean => {
    if (CONDITIONAL.has(child.name) && !isChosen(child)) return false;
    return !isResource(child) || (isDisplayed && child.attributes.get('display') !== 'none');
  };
  node.children = node.children.filter(isAvailable);
  // With `display: none`, Chromium keeps the resources inside a `<g>`, but not inside other elements.
  for (const child of node.children)
    dropUnavailable(child, isDisplayed && (child.name === 'g' || child.attributes.get('display') !== 'none'));
}

function isResource({ name }: Element): boolean {
  return RESOURCES.has(name) && name !== 'defs' && name !== 'symbol';
}

/** Removes references from an element to one of its ancestors, like browsers do. */
function breakCycles(root: Element, links: Links): void {
  const open = new Set<Element>();
  const done = new Set<Element>();
  const visit = (node: Element): void => {
    if (done.has(node)) return;
    open.add(node);
    for (const attribute of Object.keys(TARGETS)) {
      const target = links.get(targetId(node, attribute) ?? '');
      if (target === undefined) continue;
      if (!open.has(target)) visit(target);
      else if (node.name === 'use') hide(node);
      else if (attribute === 'fill' || attribute === 'stroke')
        node.attributes.set(attribute, partsOfUrl(node.attributes.get(attribute) ?? '').fallback || 'none');
      else node.attributes.delete(attribute);
    }
    for (const child of node.children) visit(child);
    open.delete(node);
    done.add(node);
  };
  visit(root);
}

type Serials = ReadonlyMap<string, { readonly node: Element; readonly name: string }>;

// oxlint-disable-next-line complexity -- one line for each kind of reference
function resolveOne(node: Element, attribute: string, serials: Serials): void {
  const value = node.attributes.get(attribute)?.trim();
  if (value === undefined) return;
  const isLink = attribute === 'href';
  if (isLink && !LINKING.has(node.name)) {
    if (node.name !== 'image' && node.name !== 'feImage') node.attributes.delete(attribute);
    return;
  }
  const { address, fallback } = isLink ? { address: value, fallback: '' } : partsOfUrl(value);
  const id = address === undefined ? undefined : idOf(address);
  // Keeps an attribute without `url(…)`, with a reference to another file, or with a list of filters. If the element is
  // drawn, a later step rejects references to other files, and lists that contain `url(…)`.
  if (id === undefined || (attribute === 'filter' && fallback !== '')) return;
  const target = serials.get(id);
  if (target !== undefined && targetNames(node, attribute).has(target.node.name)) {
    const hasFallback = fallback !== '' && (attribute === 'fill' || attribute === 'stroke');
    node.attributes.set(
      attribute,
      isLink ? `#${target.name}` : `url(#${target.name})${hasFallback ? ` ${fallback}` : ''}`,
    );
    if (target.node.name === 'symbol') takeSize(node, target.node);
  } else if (attribute === 'fill' || attribute === 'stroke')
    node.attributes.set(attribute, fallback === '' ? 'none' : fallback);
  else if (isLink && node.name === 'use') hide(node);
  else node.attributes.delete(attribute);
}

/** Splits `url(…) fallback` into its parts. `address` is undefined if the value contains no `url(…)`. */
export function partsOfUrl(value: string): { readonly address: string | undefined; readonly fallback: string } {
  if (!/^url\(/i.test(value)) return { address: undefined, fallback: '' };
  const inside = value.slice(4).trimStart();
  const quote = /^["']/.exec(inside)?.[0] ?? '';
  const end = quote === '' ? 0 : inside.indexOf(quote, 1);
  const close = inside.indexOf(')', Math.max(0, end));
  if (end === -1 || close === -1) return { address: undefined, fallback: '' };
  const address = quote === '' ? inside.slice(0, close) : inside.slice(1, end);
  return { address: address.trim(), fallback: inside.slice(close + 1).trim() };
}

/** Copies the size of a symbol to the `<use>` element, unless this element has a size. */
function takeSize(use: Element, symbol: Element): void {
  for (const side of ['width', 'height']) {
    const value = symbol.attributes.get(side);
    if (value !== undefined && !use.attributes.has(side)) use.attributes.set(side, value);
  }
}

function targetNames({ name }: Element, attribute: string): ReadonlySet<string> {
  if (attribute === 'href' && name === 'pattern') return new Set(['pattern']);
  if (attribute === 'href' && name !== 'use') return new Set(['linearGradient', 'radialGradient']);
  return attribute === 'href' ? new Set([...DRAWN, 'symbol']) : (TARGETS[attribute] ?? new Set());
}

/** Returns the id in an address, or undefined if the address refers to another file. */
function idOf(address: string): string | undefined {
  if (address === '') return '';
  if (!address.startsWith('#')) return undefined;
  try {
    return decodeURIComponent(address.slice(1));
  } catch {
    return address.slice(1);
  }
}

/** Turns an element into `<defs>`. It is not removed, because it may contain an element that is used elsewhere. */
function hide(node: Element): void {
  node.name = 'defs';
  for (const attribute of [...Object.keys(TARGETS), 'display', 'transform', 'opacity', 'x', 'y', 'width', 'height'])
    node.attributes.delete(attribute);
}

/** Removes all elements except drawn elements, referenced elements, and ancestors of both. */
function prune(root: Element, links: Links): void {
  const live = new Set<Element>();
  const mark = (node: Element, isTarget: boolean): void => {
    if (live.has(node) || (!isTarget && !isDrawn(node)) || !isShown(node)) return;
    live.add(node);
    for (const target of targets(node, links)) mark(target, true);
    for (const child of drawnChildren(node)) mark(child, isPart(child, node));
  };
  mark(root, true);
  const keep = (node: Element): boolean => {
    node.children = node.children.filter(keep);
    if (live.has(node)) return true;
    if (node.children.length > 0) hide(node);
    return node.children.length > 0;
  };
  root.children = root.children.filter(keep);
  for (const node of live) if (node.name === 'switch' || node.name === 'a') node.name = 'g';
}

/** Returns the children that can have an effect. A `<use>` draws its target instead of its children. */
function drawnChildren({ name, children }: Element): Element[] {
  if (name === 'use') return children.filter((child) => ANIMATIONS.includes(child.name));
  return name === 'switch' ? children.slice(0, 1) : children;
}

function isDrawn({ name }: Element): boolean {
  return DRAWN.has(name);
}

/** Returns true for a filter primitive, and for a part of a filter primitive. */
function isPart({ name }: Element, parent: Element): boolean {
  return name.startsWith('fe') && (parent.name === 'filter' || parent.name.startsWith('fe'));
}

/** Returns true if the element can have an effect. Resources have an effect even with `display: none`. */
function isShown(node: Element): boolean {
  return RESOURCES.has(node.name) || node.attributes.get('display') !== 'none';
}

const EXTENSIONS = new Set(['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']);

/** Returns true if the conditional attributes of the element match a user who reads English. */
function isChosen({ attributes }: Element): boolean {
  const language = attributes.get('systemLanguage');
  if (language !== undefined && !language.split(',').some((one) => /^en(?:-|$)/i.test(one.trim()))) return false;
  const extensions = attributes.get('requiredExtensions');
  return (
    extensions === undefined ||
    (extensions.trim() !== '' &&
      extensions
        .trim()
        .split(/\s+/)
        .every((one) => EXTENSIONS.has(one)))
  );
}

/** Throws `Rejected` if a drawn element refers to another file. */
export function rejectExternal(node: Element): void {
  for (const attribute of Object.keys(TARGETS)) {
    const value = node.attributes.get(attribute)?.trim();
    if (value === undefined || value === '') continue;
    const isOutside = attribute === 'href' ? !value.startsWith('#') : /^url\((?!#n\d+\)(?:\s|$))/i.test(value);
    if (isOutside)
      throw new Rejected('external_reference', `${attribute} of <${node.name}> refers to another file`, node);
  }
}
