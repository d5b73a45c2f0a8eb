// A document that paints one layer of another and nothing else, in the same place.
import type { Layer } from './filter-plan.js';
import { RESOURCES } from '../sanitize/allow-list.js';
import { targets, type Links } from '../sanitize/references.js';
import { element, walk, type Element } from '../sanitize/tree.js';

/** Of what is around a layer, what is done to it only after it is painted. */
const AROUND = new Set(['opacity', 'clip-path', 'mask', 'mix-blend-mode', 'isolation', 'filter']);
/** Of a layer that stands alone, what the picture in its place is to have. */
export const ON_PLACE: readonly string[] = ['clip-path', 'mask', 'mix-blend-mode'];
const UNDERLAY_ID = 'underlay';

interface Options {
  readonly links: Links;
  /** Attributes of the layer's elements that are left out. */
  readonly without: readonly string[];
}

export function isolate({ path, nodes, underlay }: Layer, { links, without }: Options): Element {
  const needed = neededBy([...path.map(around), ...nodes], links);
  const holders = new Map<Element, boolean>();
  const holds = (node: Element): boolean => {
    const known = holders.get(node) ?? (needed.has(node) || node.children.some(holds));
    holders.set(node, known);
    return known;
  };
  const resource = (node: Element): Element =>
    needed.has(node) ? node : element(node.name, node.attributes, node.children.filter(holds).map(resource));
  const copy = (depth: number): Element => {
    const node = path[depth] ?? element('g');
    const children = node.children.flatMap((child) => {
      if (child === path[depth + 1]) return [copy(depth + 1)];
      if (depth === path.length - 1 && nodes.includes(child)) return [painted(child)];
      if (!holds(child)) return [];
      return [RESOURCES.has(child.name) ? resource(child) : element('defs', [], [resource(child)])];
    });
    return element(node.name, around(node).attributes, children);
  };
  const painted = (node: Element): Element => {
    const attributes = [...node.attributes].filter(([name]) => !without.includes(name));
    return element(
      node.name,
      underlay === undefined ? attributes : [...attributes, ['filter', `url(#${UNDERLAY_ID})`]],
      node.children,
    );
  };
  const root = copy(0);
  if (underlay !== undefined)
    root.children.push(element('filter', [...underlay.attributes, ['id', UNDERLAY_ID]], underlay.children));
  return root;
}

/**
 * A shadow needs the shape and the filter's colors of its surroundings; clips around it are for the picture in its
 * place.
 */
function around(node: Element): Element {
  const kept = [...node.attributes].filter(([name]) => !AROUND.has(name));
  // A nested svg is clipped where the picture is placed.
  return element(
    node.name,
    node.name === 'svg' && node.attributes.has('x') ? [...kept, ['overflow', 'visible']] : kept,
  );
}

function neededBy(nodes: readonly Element[], links: Links): ReadonlySet<Element> {
  const needed = new Set<Element>();
  const need = (node: Element): void => {
    for (const part of walk(node))
      for (const target of targets(part, links)) {
        if (needed.has(target)) continue;
        needed.add(target);
        need(target);
      }
  };
  nodes.forEach(need);
  return needed;
}
