// References of a drawing, mended, within their limits, and by ids that no other drawing has.
import { createHash } from 'node:crypto';
import { rejectExpansion } from '../cost-limits/expanded-cost.js';
import {
  dropUnused,
  GRADIENTS,
  linksIn,
  removeReference,
  TARGETS,
  targetId,
  targets,
  type Links,
} from '../svg/references.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

interface Linked {
  readonly links: Links;
  /** Layers and elements that are drawn when every reference is followed. */
  readonly layers: number;
  readonly elements: number;
}

/** Mends or removes references that lead nowhere; rejects cycles and what is too costly; drops what nothing uses. */
export function linkReferences(root: Element): Linked {
  const links = linksIn(root);
  for (const node of walk(root)) {
    if (links.get(node.attributes.get('id') ?? '') !== node) node.attributes.delete('id');
    mendReferences(node, links);
  }
  const { layers, elements } = rejectExpansion(root, links);
  dropUnused(root, links);
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
