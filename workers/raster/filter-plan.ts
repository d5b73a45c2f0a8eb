// Plan of a document's filtered runs: the parts that are drawn as pictures of their own, at a size of their own.
import { IDENTITY, multiply, parseTransform, scaleOf, viewBoxTransform, type Affine } from './affine.js';
import { HARD, isPointwise, mixesInSrgb, smoothnessOf, underlayOf, weightOf } from '../sanitize/filter-graph.js';
import { RESOURCES } from '../sanitize/allow-list.js';
import { targetId, targets, type Links } from '../sanitize/references.js';
import { element, walk, writeTree, type Element } from '../sanitize/tree.js';

/** Neighbors that are painted one after the other, as one picture. */
export interface Layer {
  /** From the root to the parent. */
  readonly path: readonly Element[];
  readonly nodes: readonly Element[];
  /** From the parent's units to the root's; undefined when it is unknown or nothing is left of the area. */
  readonly toRoot: Affine | undefined;
  /** The filter to draw instead, when the object itself goes on top of it, at full size. */
  readonly underlay: Element | undefined;
  /** Of the blur that everything in it has gone through, in the root's units; 0 when it has hard edges. */
  readonly blur: number;
  /** What a hard edge in it is at most, 0..1. */
  readonly contrast: number;
  /** Primitives applied, by what they cost per pixel. */
  readonly weight: number;
}

export interface FilterPlan {
  readonly links: Links;
  /** Undefined: its parts cannot be separated, only the whole can be drawn. */
  readonly layers: readonly Layer[] | undefined;
  /** Of the whole document. */
  readonly weight: number;
  /** Of filters that cost no more than a group with opacity does. */
  readonly isCheap: boolean;
}

/** So many steps that look at one pixel at a time may be done at full size. */
const MOST_POINTWISE = 2;
const MOST_LAYERS = 32;

export function planFilters(root: Element): FilterPlan {
  const nodes = walk(root);
  const links: Links = new Map(
    nodes.toReversed().flatMap((node) => {
      const id = node.attributes.get('id');
      return id === undefined ? [] : [[id, node] as const];
    }),
  );
  const weigh = weights(links);
  const weight = weigh(root);
  const filters = nodes.filter(({ name }) => name === 'filter');
  const layers = findLayers(root, links, weigh);
  const inOrder =
    layers.length <= MOST_LAYERS &&
    layers.every(({ toRoot }) => toRoot !== undefined) &&
    isComplete(root, { links, layers, nodes });
  return {
    links,
    layers: inOrder ? layers : undefined,
    weight,
    isCheap: weight <= MOST_POINTWISE && filters.every(isPointwise),
  };
}

type Weigh = (node: Element) => number;

/** Filters applied in and by an element, each counted as often as it is used. */
function weights(links: Links): Weigh {
  const known = new Map<Element, number>();
  const weigh = (node: Element): number => {
    const before = known.get(node);
    if (before !== undefined) return before;
    known.set(node, 0);
    const filter = filterOf(node, links);
    const parts = [...node.children.filter(({ name }) => !RESOURCES.has(name)), ...targets(node, links)];
    const weight = parts.reduce(
      (sum, part) => sum + (part === filter ? 0 : weigh(part)),
      filter === undefined ? 0 : weightOf(filter),
    );
    known.set(node, weight);
    return weight;
  };
  return weigh;
}

function filterOf(node: Element, links: Links): Element | undefined {
  const id = targetId(node, 'filter');
  return id === undefined ? undefined : links.get(id);
}

function findLayers(root: Element, links: Links, weigh: Weigh): readonly Layer[] {
  const layers: Layer[] = [];
  const visit = (path: readonly Element[], toRoot: Affine | undefined): void => {
    let run: Element[] = [];
    const endRun = (): void => {
      if (run.length > 0) layers.push(layerOf({ path, nodes: run, toRoot }, links, weigh));
      run = [];
    };
    for (const child of path.at(-1)?.children ?? []) {
      if (RESOURCES.has(child.name)) continue;
      if (!isLayer(child, links, weigh)) {
        endRun();
        if (child.children.length > 0 && weigh(child) > 0) visit([...path, child], innerTransform(child, toRoot));
        continue;
      }
      if (!joins(child, run, links)) endRun();
      run.push(child);
    }
    endRun();
  };
  visit([root], IDENTITY);
  return layers;
}

/** Has a filter, or a clip or mask by the size of something that has one. */
function isLayer(node: Element, links: Links, weigh: Weigh): boolean {
  return filterOf(node, links) !== undefined || (isClippedByBox(node, links) && weigh(node) > 0);
}

/** Whether its own clip or mask is measured in its box, which a picture in its place would not have. */
export function isClippedByBox(node: Element, links: Links): boolean {
  return targets(node, links).some(({ name, attributes }) =>
    name === 'mask'
      ? (attributes.get('maskUnits') ?? 'objectBoundingBox') === 'objectBoundingBox' ||
        attributes.get('maskContentUnits') === 'objectBoundingBox'
      : name === 'clipPath' && attributes.get('clipPathUnits') === 'objectBoundingBox',
  );
}

/** Whether it may be part of the same picture as those before it, its mask included. */
function joins(node: Element, run: readonly Element[], links: Links): boolean {
  const all = [...run, node];
  if (all.length === 1) return true;
  if (all.some(({ attributes }) => attributes.has('clip-path') || attributes.has('mix-blend-mode'))) return false;
  if (all.some((one) => (filterOf(one, links) ?? false) && underlayOf(filterOf(one, links) ?? one) !== undefined))
    return false;
  const masks = new Set(all.map((one) => maskOf(one, links)));
  return (
    masks.size === 1 &&
    (!node.attributes.has('mask') ||
      all.every(
        (one) => one.attributes.get('transform') === node.attributes.get('transform') && isMaskedHard(one, links),
      ))
  );
}

/** What the mask says, whatever its id. */
function maskOf(node: Element, links: Links): string | undefined {
  const mask = links.get(targetId(node, 'mask') ?? '');
  return (
    mask &&
    writeTree(
      element(
        mask.name,
        [...mask.attributes].filter(([name]) => name !== 'id'),
        mask.children,
      ),
    )
  );
}

/**
 * Whether the mask shows a thing or does not: only then several masked by it are the same as one that is all of them.
 */
function isMaskedHard(node: Element, links: Links): boolean {
  const mask = links.get(targetId(node, 'mask') ?? '');
  if (mask === undefined || isClippedByBox(node, links)) return false;
  const fills = walk(mask).map(({ attributes }) => attributes.get('fill') ?? 'none');
  return (
    isOpaque(mask, links) &&
    (mask.attributes.get('mask-type') === 'alpha' || fills.every((fill) => fill === 'none' || fill === '#ffffff'))
  );
}

export function innerTransform(node: Element, outer: Affine | undefined): Affine | undefined {
  const own = parseTransform(node.attributes.get('transform'));
  const combined = outer && own && multiply(outer, own);
  if (node.name !== 'svg' || combined === undefined) return combined;
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(node.attributes.get(name) ?? 0),
  );
  const inner = viewBoxTransform(node.attributes.get('viewBox'), { x, y, width, height });
  return inner && multiply(combined, inner);
}

type Place = Pick<Layer, 'path' | 'nodes' | 'toRoot'>;

function layerOf(place: Place, links: Links, weigh: Weigh): Layer {
  const { nodes, toRoot } = place;
  const weight = nodes.reduce((sum, node) => sum + weigh(node), 0);
  const [first] = nodes;
  const underlay = first === undefined || nodes.length > 1 ? undefined : underlayUnder(first, place, links, weigh);
  const results = nodes.map((node) => {
    const filter = underlay ?? filterOf(node, links);
    const scale = scaleOf(innerTransform(node, toRoot) ?? IDENTITY);
    const { blur, contrast } = filter === undefined || isClippedByBox(node, links) ? HARD : smoothnessOf(filter);
    return { blur: blur * scale, contrast: contrast * Number(node.attributes.get('opacity') ?? 1) };
  });
  return {
    ...place,
    underlay,
    weight,
    blur: Math.min(...results.map(({ blur }) => blur)),
    contrast: Math.max(...results.map(({ contrast }) => contrast)),
  };
}

function underlayUnder(node: Element, { path }: Place, links: Links, weigh: Weigh): Element | undefined {
  const filter = filterOf(node, links);
  if (filter === undefined || isClippedByBox(node, links) || weigh(node) > weightOf(filter)) return undefined;
  const isExact = mixesInSrgb(filter) || (path.every(isSolid) && isOpaque(node, links));
  return isExact ? underlayOf(filter) : undefined;
}

/** Whether nothing it is painted with is translucent, its edges aside. */
function isOpaque(node: Element, links: Links): boolean {
  if (!isSolid(node) || Number(node.attributes.get('opacity') ?? 1) < 1) return false;
  return [...node.children, ...targets(node, links)].every(
    (part) => part.name !== 'mask' && part.name !== 'pattern' && isOpaque(part, links),
  );
}

function isSolid({ attributes }: Element): boolean {
  return ['fill-opacity', 'stroke-opacity', 'stop-opacity'].every((share) => Number(attributes.get(share) ?? 1) === 1);
}

/** Whether no filter is left when the layers are gone, and no layer is used in another place as well. */
function isComplete(
  root: Element,
  {
    links,
    layers,
    nodes,
  }: { readonly links: Links; readonly layers: readonly Layer[]; readonly nodes: readonly Element[] },
): boolean {
  const inLayers = new Set(layers.flatMap((layer) => layer.nodes));
  const seen = new Set<Element>();
  const isClear = (node: Element): boolean => {
    if (seen.has(node) || inLayers.has(node)) return true;
    seen.add(node);
    if (filterOf(node, links) !== undefined) return false;
    return [...node.children.filter(({ name }) => !RESOURCES.has(name)), ...targets(node, links)].every(isClear);
  };
  if (!isClear(root)) return false;
  const used = nodes.filter(({ name }) => name === 'use').flatMap((use) => targets(use, links));
  return !used.some((target) => walk(target).some((node) => inLayers.has(node)));
}
