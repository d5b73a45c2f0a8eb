// References inside a drawing: what they may point to, what following them costs, and the ids they need.
import { createHash } from 'node:crypto';
import { RESOURCES, SHAPES } from './allow-list.js';
import { LIMITS } from './limits.js';
import { Rejected, walk, writeTree, type Element } from './tree.js';

const GRADIENTS = new Set(['linearGradient', 'radialGradient']);
const PAINT_SERVERS = new Set([...GRADIENTS, 'pattern']);
const USABLE = new Set([...SHAPES, 'g', 'symbol', 'use']);

/** Attribute, and the elements it may point to. */
const TARGETS: Readonly<Record<string, ReadonlySet<string>>> = {
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

/** The id that an attribute of this element points to. */
export function targetId(node: Element, attribute: string): string | undefined {
  const value = node.attributes.get(attribute);
  if (value === undefined) return undefined;
  if (attribute === 'href') return value.slice(1);
  return value.startsWith('url(#') ? value.slice(5, -1) : undefined;
}

interface Linked {
  readonly links: Links;
  /** Layers that are drawn when every reference is followed. */
  readonly layers: number;
  /** Elements, likewise. */
  readonly elements: number;
}

/** Mends or removes references that lead nowhere; rejects cycles and what is too costly; drops what nothing uses. */
export function linkReferences(root: Element): Linked {
  const links = new Map<string, Element>();
  for (const node of walk(root)) {
    const id = node.attributes.get('id');
    if (id !== undefined && !links.has(id)) links.set(id, node);
    else node.attributes.delete('id');
  }
  for (const node of walk(root)) mendReferences(node, links);
  const { layers, elements } = rejectCostly(root, links);
  // What goes may have been the last to use something else; the bound keeps even a long chain of such linear.
  for (let round = 0; round < MAX_ROUNDS; round += 1) if (!dropUnused(root, links)) break;
  return { links, layers, elements };
}

function mendReferences(node: Element, links: Links): void {
  for (const [attribute, allowed] of Object.entries(TARGETS)) {
    const id = targetId(node, attribute);
    if (id === undefined) continue;
    const wanted = attribute === 'href' && GRADIENTS.has(node.name) ? GRADIENTS : allowed;
    if (wanted.has(links.get(id)?.name ?? '')) continue;
    if (attribute === 'fill' || attribute === 'stroke') node.attributes.set(attribute, 'none');
    else removeReference(node, attribute);
  }
}

/** A <use> of nothing is a group: it may be around something that is used. */
function removeReference(node: Element, attribute: string): void {
  node.attributes.delete(attribute);
  if (node.name !== 'use' || attribute !== 'href') return;
  node.name = 'g';
  for (const own of ['x', 'y', 'width', 'height']) node.attributes.delete(own);
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

interface Cost {
  readonly elements: number;
  readonly depth: number;
  readonly layers: number;
  readonly nestedLayers: number;
  readonly primitives: number;
  readonly morphologies: number;
}

/** Follows every reference once; a cost is cached, so that the work is linear however often a thing is used. */
function rejectCostly(root: Element, links: Links): Cost {
  const costs = new Map<Element, Cost | 'open'>();
  const measure = (node: Element, depth: number): Cost => {
    const known = costs.get(node);
    if (known === 'open') throw new Rejected('reference-cycle', 'a reference leads back to itself');
    if (known !== undefined) return known;
    if (depth > 2 * LIMITS.depth) throw new Rejected('too-deep', 'references are nested too deep');
    costs.set(node, 'open');
    const used = targets(node, links);
    const parts = [...node.children, ...used].map((part) => measure(part, depth + 1));
    // A filter costs where something is drawn with it, not where it stands.
    const drawn = [...node.children.filter(({ name }) => name !== 'filter'), ...used].map((part) =>
      measure(part, depth + 1),
    );
    const own = isLayer(node) ? 1 : 0;
    const total = (of: (part: Cost) => number, all = parts): number => all.reduce((sum, part) => sum + of(part), 0);
    const cost = {
      elements: 1 + total((part) => part.elements),
      depth: 1 + Math.max(0, ...parts.map((part) => part.depth)),
      layers: own + total((part) => part.layers),
      primitives: Number(isPrimitive(node)) + total((part) => part.primitives, drawn),
      morphologies: Number(node.name === 'feMorphology') + total((part) => part.morphologies, drawn),
      nestedLayers: own + Math.max(0, ...parts.map((part) => part.nestedLayers)),
    };
    costs.set(node, cost);
    return cost;
  };
  const cost = measure(root, 0);
  if (cost.elements > LIMITS.expandedElements)
    throw new Rejected('too-costly', `references expand to ${cost.elements} elements`);
  if (cost.depth > 2 * LIMITS.depth) throw new Rejected('too-deep', 'references are nested too deep');
  if (cost.primitives > LIMITS.primitives)
    throw new Rejected(
      'filter-too-costly',
      `${cost.primitives} filter primitives are applied; at most ${LIMITS.primitives}`,
    );
  if (cost.morphologies > LIMITS.morphologies) {
    throw new Rejected(
      'filter-too-costly',
      `<feMorphology> is applied ${cost.morphologies} times; at most ${LIMITS.morphologies}`,
    );
  }
  if (cost.layers > LIMITS.layers || cost.nestedLayers > LIMITS.nestedLayers) {
    throw new Rejected('too-costly', `${cost.layers} layers, ${cost.nestedLayers} of them one in another`);
  }
  return cost;
}

/** A step of a filter, each over the filter's whole region. */
function isPrimitive({ name }: Element): boolean {
  return name.startsWith('fe') && name !== 'feMergeNode' && !name.startsWith('feFunc');
}

/** Drawn on a canvas of its own. */
export function isLayer(node: Element): boolean {
  const { attributes } = node;
  return LAYERING.some((name) => attributes.has(name)) || Number(attributes.get('opacity') ?? 1) < 1;
}

/** False when there was nothing to drop. */
function dropUnused(root: Element, links: Links): boolean {
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
    // What is not live stays only around something live.
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

/** Gives referenced elements ids that no other drawing has, and removes all other ids. */
export function nameIds(root: Element, links: Links): void {
  const nodes = walk(root);
  const wanted = new Set(nodes.flatMap((node) => targets(node, links)));
  const serials = new Map<string, number>();
  for (const node of nodes) {
    const id = node.attributes.get('id');
    if (id === undefined) continue;
    if (wanted.has(node)) serials.set(id, serials.size);
    else node.attributes.delete('id');
  }
  if (serials.size === 0) return;
  rename(nodes, serials, 'i');
  const digest = createHash('sha256').update(writeTree(root)).digest('hex').slice(0, 10);
  const renamed = new Map([...serials.values()].map((serial) => [`i${serial}`, serial] as const));
  rename(nodes, renamed, `b${digest}-`);
}

function rename(nodes: readonly Element[], serials: ReadonlyMap<string, number>, prefix: string): void {
  for (const node of nodes) {
    for (const attribute of Object.keys(TARGETS)) {
      const id = targetId(node, attribute);
      const serial = id === undefined ? undefined : serials.get(id);
      if (serial === undefined) continue;
      node.attributes.set(attribute, attribute === 'href' ? `#${prefix}${serial}` : `url(#${prefix}${serial})`);
    }
    const own = node.attributes.get('id');
    const serial = own === undefined ? undefined : serials.get(own);
    if (serial !== undefined) node.attributes.set('id', `${prefix}${serial}`);
  }
}
