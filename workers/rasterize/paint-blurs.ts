// Makes the painted form of a drawing with filters: a copy in which small bitmaps replace the blurs. The import makes
// this form once, and pictures are then drawn from it. Reasons: docs/adr/0009-filter-resolution.md.
import { paintRun, type Run } from './blur-bitmap.js';
import { filterWeights } from './filter-cost.js';
import { dropUnused, isLayer, linksIn, RESOURCES, targets, type Links } from '../svg/references.js';
import { element, parseDrawing, walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Maximum length of a drawing with bitmaps, UTF-16 units. The longest known one (`meta-ai`) has 635,000. */
const MAX_CHARS = 800_000;
/**
 * Maximum total area of the bitmaps, as a multiple of the drawing's area. The area is limited because drawing a bitmap
 * costs as much as drawing a layer.
 */
const MAX_CANVASES = 3;
/**
 * Attributes that move to a group around the element. `transform` sets the coordinate system of the element. All other
 * attributes apply after the element's filter.
 */
const OF_GROUP = new Set(['clip-path', 'mask', 'opacity', 'mix-blend-mode', 'isolation', 'transform']);
const OF_GROUPS_ALIKE = new Set(['clip-path', 'mask', 'transform']);

/**
 * Returns the drawing with bitmaps in place of blurs. Returns undefined if the drawing has no blurs, or if the bitmaps
 * or the text would be too large.
 */
export async function paintBlurs(svg: string): Promise<string | undefined> {
  const root = parseDrawing(svg);
  root.attributes.set('xmlns', 'http://www.w3.org/2000/svg');
  const links = linksIn(root);
  groupFiltered(root, links);
  const weightOf = filterWeights(root);
  const isFiltered = (node: Element): boolean => weightOf(node) > 0;
  const used = new Set(walk(root).flatMap((node) => (node.name === 'use' ? targets(node, links) : [])));
  /**
   * Returns true for a group whose children can be replaced separately: it has no filter, and no clip or mask that
   * depends on the group's box.
   */
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

  /**
   * Processes the children of the last element in `path`. One bitmap replaces the children from the first child with a
   * filter to the last child with a filter. If this is not possible, replaces each child with a filter separately.
   */
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
 * Moves the attributes in OF_GROUP from elements with filters to groups around them, because these attributes must also
 * apply to the bitmaps that replace the elements. Adjacent elements with equal attributes share a group.
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

/**
 * Returns true if several elements can share this clip or mask. This is the case if it has no partial transparency, and
 * does not depend on the box of the element that it is applied to.
 */
function isHard(node: Element, links: Links): boolean {
  const text = [node, ...walk(node).flatMap((part) => targets(part, links))].map(writeTree).join('');
  const isMask =
    node.name === 'mask' &&
    (/opacity="(?!1")/.test(text) ||
      (node.attributes.get('mask-type') !== 'alpha' && / fill="(?!#ffffff")/.test(text)));
  return !isMask && !isInBox(node);
}

/**
 * Returns true if a clip or mask uses the box of the element as its unit. A bitmap in place of the element would have a
 * different box.
 */
function isInBox({ attributes }: Element): boolean {
  return ['clipPathUnits', 'maskContentUnits'].some((units) => attributes.get(units) === 'objectBoundingBox');
}

function isBlended(node: Element): boolean {
  return walk(node).some(({ attributes }) => attributes.has('mix-blend-mode'));
}
