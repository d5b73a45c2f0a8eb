// References inside a drawing, and their targets.
import { walk, type Element } from './svg-tree.js';

/** Elements that paint. Groups and `defs` are not included, because only the elements inside them paint. */
export const SHAPES: ReadonlySet<string> = new Set([
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
]);

/** Elements that are drawn only if another element refers to them. */
export const RESOURCES: ReadonlySet<string> = new Set([
  ...['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'filter', 'marker', 'linearGradient', 'radialGradient'],
]);

const GRADIENTS = new Set(['linearGradient', 'radialGradient']);
const PAINT_SERVERS = new Set([...GRADIENTS, 'pattern']);
const MARKERS = new Set(['marker']);

/** Attribute with a reference → names of the elements to which it may refer. */
export const TARGETS: Readonly<Record<string, ReadonlySet<string>>> = {
  fill: PAINT_SERVERS,
  stroke: PAINT_SERVERS,
  'clip-path': new Set(['clipPath']),
  mask: new Set(['mask']),
  filter: new Set(['filter']),
  'marker-start': MARKERS,
  'marker-mid': MARKERS,
  'marker-end': MARKERS,
  /** The allowed targets of `href` depend on the element and are not listed here. */
  href: new Set(),
};

const LAYERING = ['clip-path', 'mask', 'filter', 'mix-blend-mode', 'isolation'];

export type Links = ReadonlyMap<string, Element>;

/** Returns the elements by id. If several elements have the same id, the first one is used. */
export function linksIn(root: Element): Links {
  const links = new Map<string, Element>();
  for (const node of walk(root)) {
    const id = node.attributes.get('id');
    if (id !== undefined && !links.has(id)) links.set(id, node);
  }
  return links;
}

/** Returns the id to which this attribute of the element refers, or undefined. */
export function targetId(node: Element, attribute: string): string | undefined {
  const value = node.attributes.get(attribute);
  if (value === undefined) return undefined;
  if (attribute === 'href') return value.slice(1);
  return value.startsWith('url(#') ? value.slice(5, value.indexOf(')')) : undefined;
}

/** Returns the elements to which this element refers. */
export function targets(node: Element, links: Links): Element[] {
  const found: Element[] = [];
  for (const attribute of Object.keys(TARGETS)) {
    const id = targetId(node, attribute);
    const target = id === undefined ? undefined : links.get(id);
    if (target !== undefined) found.push(target);
  }
  return found;
}

/** Returns true if the element is a layer: renderers draw it on a separate canvas. */
export function isLayer(node: Element): boolean {
  const { attributes } = node;
  return LAYERING.some((name) => attributes.has(name)) || Number(attributes.get('opacity') ?? 1) < 1;
}

/**
 * Removes unused resources. Repeats this, because a removed resource may have been the only user of another resource.
 */
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
