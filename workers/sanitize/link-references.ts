// Makes ids unique among all drawings. Removes unused ids.
import { createHash } from 'node:crypto';
import { TARGETS, targetId, targets, type Links } from '../svg/references.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Renames ids that are referred to, and removes all other ids. Also removes references to missing ids. */
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
  rename(nodes, serials, 'i');
  if (serials.size === 0) return;
  const digest = createHash('sha256').update(writeTree(root)).digest('hex').slice(0, 10);
  const renamed = new Map([...serials.values()].map((serial) => [`i${serial}`, serial] as const));
  rename(nodes, renamed, `b${digest}-`);
}

function rename(nodes: readonly Element[], serials: ReadonlyMap<string, number>, prefix: string): void {
  for (const node of nodes) {
    for (const attribute of Object.keys(TARGETS)) {
      const id = targetId(node, attribute);
      if (id === undefined) continue;
      const serial = serials.get(id);
      if (serial !== undefined) node.attributes.set(attribute, `url(#${prefix}${serial})`);
      else if (attribute === 'fill' || attribute === 'stroke') node.attributes.set(attribute, 'none');
      else node.attributes.delete(attribute);
    }
    const own = node.attributes.get('id');
    const serial = own === undefined ? undefined : serials.get(own);
    if (serial !== undefined) node.attributes.set('id', `${prefix}${serial}`);
  }
}
