// References inside a drawing and their targets.
import { walk, type Element } from './svg-tree.js';

/** Elements that paint. Elements such as `defs` only pass paint on by inheritance. */
export const SHAPES: ReadonlySet<string> = new Set([
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
]);

/** Elements that are only drawn by reference. */
export const RESOURCES: ReadonlySet<string> = new Set([
  ...['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'filter', 'marker', 'linearGradient', 'radialGradient'],
]);

const GRADIENTS = new Set(['linearGradient', 'radialGradient']);
const PAINT_SERVERS = new Set([...GRADIENTS, 'pattern']);
const MARKERS = new Set(['marker']);

/** Attributes that refer to elements, with the allowed targets. */
export const TARGETS: Readonly<Record<string, ReadonlySet<string>>> = {
  fill: PAINT_SERVERS,
  stroke: PAINT_SERVERS,
  'clip-path': new Set(['clipPath']),
  mask: new Set(['mask']),
  filter: new Set(['filter']),
  'marker-start': MARKERS,
  'marker-mid': MARKERS,
  'marker-end': MARKERS,
  /** The targets of `href` depend on the element. */
  href: new Set(),
};

const LAYERING = ['clip-path', 'mask', 'filter', 'mix-blend-mode', 'isolation'];

export type Links = ReadonlyMap<string, Element>;

/** Elements by id. The first one wins for duplicate ids. */
export function linksIn(root: Element): Links {
  const links = new Map<string, Element>();
  for (const node of walk(root)) {
    const id = node.attributes.get('id');
    if (id !== undefined && !links.has(id)) links.set(id, node);
  }
  return links;
}

/** Returns the id that an attribute of this element refers to. */
export function targetId(node: Element, attribute: string): string | undefined {
  const value = node.attributes.get(attribute);
  if (value === undefined) return undefined;
  if (attribute === 'href') return value.slice(1);
  return value.startsWith('url(#') ? value.slice(5, value.indexOf(')')) : undefined;
}

/** Returns the elements that this element needs for drawing. */
export function targets(node: Element, links: Links): Element[] {
  const found: Element[] = [];
  for (const attribute of Object.keys(TARGETS)) {
    const id = targetId(node, attribute);
    const target = id === undefined ? undefined : links.get(id);
    if (target !== undefined) found.push(target);
  }
  return found;
}

/** Returns whether the element is drawn on a separate canvas. */
export function isLayer(node: Element): boolean {
  const { attributes } = node;
  return LAYERING.some((name) => attributes.has(name)) || Number(attributes.get('opacity') ?? 1) < 1;
}

/** Removes unused resources, repeatedly, because a removed resource may have been the last user of another. */
export function dropUnused(root: Element, links: Links): void {
  for (let before = -1, nodes = walk(root); nodes.length !== before;) {
    before = nodes.length;
    const used = new Set(nodes.flatMap((node) => targets(node, links)));
    for (const node of nodes)
      node.children = node.children.filter(
        (child) => used.has(child) || (child.name === 'defs' ? child.children.length > 0 : !RESOURCES.has(child.name)),
      );
    nodes = walk(root);
  }
}
