// Form of a drawing with filters that its pictures are rasterized from, made once, at import: small bitmaps stand in the place
// of its blurs, all else is as it was. Why: docs/adr/0009-filter-resolution.md.
import { paintRun, type Run } from './blur-bitmap.js';
import { filterWeights } from './filter-cost.js';
import { dropUnused, isLayer, linksIn, RESOURCES, targets, type Links } from '../svg/references.js';
import { element, parseDrawing, walk, writeTree, type Element } from '../svg/svg-tree.js';

/** UTF-16 units; the longest known (`meta-ai`) takes 635,000. */
const MAX_CHARS = 800_000;
/** Area of all bitmaps together, in areas of the drawing: each takes as long as a layer. */
const MAX_CANVASES = 3;
/** Attributes that are applied after an element's filter, or that set the coordinates in which it paints. */
const OF_GROUP = new Set(['clip-path', 'mask', 'opacity', 'mix-blend-mode', 'isolation', 'transform']);
const OF_GROUPS_ALIKE = new Set(['clip-path', 'mask', 'transform']);

/** Undefined when it has nothing that is blurred, or too much. */
export async function paintBlurs(svg: string): Promise<string | undefined> {
  const root = parseDrawing(svg);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  const links = linksIn(root);
  groupFiltered(root, links);
  const weightOf = filterWeights(root);
  const isFiltered = (node: Element): boolean => weightOf(node) > 0;
  const used = new Set(walk(root).flatMap((node) => (node.name === 'use' ? targets(node, links) : [])));
  /** All filters that are applied in it are on its children or below, whose boxes do not matter to it. */
  const isGroup = (node: Element): boolean =>
    node.name === 'g' && !targets(node, links).some((target) => isFiltered(target) || isInBox(target));
  let canvases = 0;

  async function replace({ path, nodes }: Run): Promise<boolean> {
    const parent = path.at(-1);
    const isUsed = nodes.some((node) => walk(node).some((part) => used.has(part)));
    const bitmap = isUsed ? undefined : await paintRun({ path, nodes });
    if (bitmap === undefined || parent === undefined) return false;
    parent.children = parent.children.flatMap((child) => {
      if (child === nodes[0]) return [bitmap.element];
      return nodes.includes(child) ? [] : [child];
    });
    canvases += bitmap.canvases;
    return true;
  }

  /** Replaces what is filtered in the last of the path: from the first to the last of it together, else its parts. */
  async function paintIn(path: readonly Element[]): Promise<void> {
    const parent = path.at(-1);
    const drawn = parent?.children.filter(({ name }) => !RESOURCES.has(name)) ?? [];
    const filtered = drawn.filter(isFiltered);
    const nodes = drawn.slice(drawn.findIndex(isFiltered), drawn.findLastIndex(isFiltered) + 1);
    const areAlone = (parent && isLayer(parent)) === true || !nodes.some(isBlended);
    if (filtered.length > 1 && areAlone && (await replace({ path, nodes }))) return;
    for (const node of filtered) {
      if (isGroup(node)) await paintIn([...path, node]);
      else await replace({ path, nodes: [node] });
    }
  }

  await paintIn([root]);
  if (canvases === 0 || canvases > MAX_CANVASES) return undefined;
  dropUnused(root, links);
  const painted = writeTree(root);
  return painted.length > MAX_CHARS ? undefined : painted;
}

/**
 * Moves what is done after a filter to a group around its element, so that it is done to the bitmap in its place.
 * Neighbors to which the same is done share a group.
 */
function groupFiltered(parent: Element, links: Links): void {
  const children: Element[] = [];
  let lastGroup: string | undefined;
  for (const child of parent.children) {
    const ofGroup = [...child.attributes].filter(([name]) => OF_GROUP.has(name));
    if (!child.attributes.has('filter') || ofGroup.length === 0) {
      if (!RESOURCES.has(child.name)) groupFiltered(child, links);
      children.push(child);
      lastGroup = undefined;
      continue;
    }
    const targetsOfGroup = targets(element('g', ofGroup), links);
    const isShared =
      ofGroup.every(([name]) => OF_GROUPS_ALIKE.has(name)) && targetsOfGroup.every((target) => isHard(target, links));
    for (const [name] of ofGroup) child.attributes.delete(name);
    const group = isShared ? JSON.stringify(ofGroup) : undefined;
    if (group !== undefined && group === lastGroup) children.at(-1)?.children.push(child);
    else children.push(element('g', ofGroup, [child]));
    lastGroup = group;
  }
  parent.children = children;
}

/** A clip or mask that shows a thing or does not, and not in its box: only then can several share it. */
function isHard(node: Element, links: Links): boolean {
  const text = [node, ...walk(node).flatMap((part) => targets(part, links))].map(writeTree).join('');
  const isMask =
    node.name === 'mask' &&
    (/opacity="(?!1")/.test(text) ||
      (node.attributes.get('mask-type') !== 'alpha' && / fill="(?!#ffffff")/.test(text)));
  return !isMask && !isInBox(node);
}

/** Measured in the box of what it is on, which a bitmap in its place does not have. */
function isInBox({ attributes }: Element): boolean {
  return ['clipPathUnits', 'maskContentUnits'].some((units) => attributes.get(units) === 'objectBoundingBox');
}

function isBlended(node: Element): boolean {
  return walk(node).some(({ attributes }) => attributes.has('mix-blend-mode'));
}
