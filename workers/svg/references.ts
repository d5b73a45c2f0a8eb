// References inside a drawing: what they point to.
import { walk, type Element } from './svg-tree.js';

/** Elements that take a paint; of `defs` and the like it is inherited. */
export const SHAPES: ReadonlySet<string> = new Set([
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
]);

/** Elements that are drawn only where something refers to them. */
export const RESOURCES: ReadonlySet<string> = new Set([
  'defs',
  'symbol',
  'clipPath',
  'mask',
  'pattern',
  'filter',
  'linearGradient',
  'radialGradient',
]);

export const GRADIENTS = new Set(['linearGradient', 'radialGradient']);
const PAINT_SERVERS = new Set([...GRADIENTS, 'pattern']);
const USABLE = new Set([...SHAPES, 'g', 'symbol', 'use']);

/** Attribute, and the elements it may point to. */
export const TARGETS: Readonly<Record<string, ReadonlySet<string>>> = {
  fill: PAINT_SERVERS,
  stroke: PAINT_SERVERS,
  'clip-path': new Set(['clipPath']),
  mask: new Set(['mask']),
  filter: new Set(['filter']),
  href: USABLE,
};

const LAYERING = ['clip-path', 'mask', 'filter', 'mix-blend-mode', 'isolation'];
const MAX_ROUNDS = 20;

export type Links = ReadonlyMap<string, Element>;

/** Elements by id; the first of equal ones. */
export function linksIn(root: Element): Links {
  const links = new Map<string, Element>();
  for (const node of walk(root)) {
    const id = node.attributes.get('id');
    if (id !== undefined && !links.has(id)) links.set(id, node);
  }
  return links;
}

/** The id that an attribute of this element points to. */
export function targetId(node: Element, attribute: string): string | undefined {
  const value = node.attributes.get(attribute);
  if (value === undefined) return undefined;
  if (attribute === 'href') return value.slice(1);
  return value.startsWith('url(#') ? value.slice(5, -1) : undefined;
}

/** Elements that this one draws with or through. */
export function targets(node: Element, links: Links): Element[] {
  const found: Element[] = [];
  for (const attribute of Object.keys(TARGETS)) {
    const id = targetId(node, attribute);
    const target = id === undefined ? undefined : links.get(id);
    if (target !== undefined) found.push(target);
  }
  return found;
}

/** The element is drawn on a canvas of its own. */
export function isLayer(node: Element): boolean {
  const { attributes } = node;
  return LAYERING.some((name) => attributes.has(name)) || Number(attributes.get('opacity') ?? 1) < 1;
}

/** A <use> of nothing is a group: it may be around something that is used. */
export function removeReference(node: Element, attribute: string): void {
  node.attributes.delete(attribute);
  if (node.name !== 'use' || attribute !== 'href') return;
  node.name = 'g';
  for (const own of ['x', 'y', 'width', 'height']) node.attributes.delete(own);
}

/** Drops what nothing uses any more. */
export function dropUnused(root: Element, links: Links): void {
  // A dropped element may have been the last to use something else; the bound keeps even a long chain of such linear.
  for (let round = 0; round < MAX_ROUNDS; round += 1) if (!dropOnce(root, links)) break;
}

/** False when there was nothing to drop. */
function dropOnce(root: Element, links: Links): boolean {
  const live = new Set<Element>();
  const used = new Set<Element>();
  const mark = (node: Element): void => {
    if (live.has(node)) return;
    live.add(node);
    for (const target of targets(node, links)) {
      used.add(target);
      mark(target);
    }
    for (const child of node.children) if (!RESOURCES.has(child.name)) mark(child);
  };
  mark(root);
  let dropped = false;
  const keep = (node: Element): boolean => {
    // An element that is not live stays only around one that is.
    const kept = node.children.filter((child) => keep(child));
    if (kept.length < node.children.length) dropped = true;
    node.children = kept;
    // Kept only around something live, it draws nothing, and what it pointed to may be gone.
    if (!live.has(node))
      for (const attribute of Object.keys(TARGETS))
        if (targetId(node, attribute) !== undefined) removeReference(node, attribute);
    if (node.children.length > 0 || used.has(node)) return true;
    return live.has(node) && node.name !== 'g' && node.name !== 'defs';
  };
  keep(root);
  return dropped;
}
