// Simplification of filters: those that hardly change the picture, and cost most of its time, are left out. What blurs
// an object itself stays: without it the object has edges, which are seen however little of the picture they are, and
// wide blurs cost little (docs/adr/0009-filter-resolution.md).
import type { ViewBox } from '../svg/drawing-bounds.js';
import { targetId } from '../svg/references.js';
import { smallResvg } from '../svg/small-resvg.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Side at which pictures are compared, px: half of it takes a quarter of the time, and is as strict by the margin below. */
const COMPARED_PX = 64;
/** Mean difference of a channel that is allowed, 0..1. The promise is 1 % at 256 px; here it is kept with a margin. */
const MAX_DIFFERENCE = 0.008;
/** Largest difference of a channel, 0..255, that is allowed when a blur is taken out: where edges appear, more differs. */
const MAX_EDGE = 16;

/** Takes filters out of the tree as long as the picture stays the same. Resources that nothing uses stay in it. */
export function simplifyFilters(document: Element, viewBox: ViewBox): void {
  const nodes = walk(document);
  const filtered = nodes.filter(({ attributes }) => attributes.has('filter'));
  if (filtered.length === 0) return;
  const original = draw(document, viewBox);
  if (original === undefined) return;
  const isFine = (maxEdge: number): boolean => isSame(original, draw(document, viewBox), maxEdge);
  const blurs = new Set(nodes.filter(isBlur).map(({ attributes }) => attributes.get('id')));
  const others = filtered.filter((node) => !blurs.has(targetId(node, 'filter')));
  const allGone = removeAll(filtered, () => isFine(others.length === filtered.length ? Infinity : MAX_EDGE));
  if (!allGone && others.length < filtered.length) removeAll(others, () => isFine(Infinity));
  const used = new Set(walk(document).map(({ attributes }) => attributes.get('filter')));
  for (const node of walk(document))
    node.children = node.children.filter(
      ({ name, attributes }) => name !== 'filter' || used.has(`url(#${attributes.get('id') ?? ''})`),
    );
}

/** The result has no edges: after its first blur, nothing from before it is used. */
function isBlur({ name, children }: Element): boolean {
  const blur = children.findIndex((primitive) => primitive.name === 'feGaussianBlur');
  const results = children.slice(0, blur + 1).map(({ attributes }) => attributes.get('result') ?? '');
  const sharp = ['SourceGraphic', 'SourceAlpha', ...results.slice(0, -1)];
  const inputs = children
    .slice(blur + 1)
    .flatMap(walk)
    .flatMap(({ attributes }) => [attributes.get('in'), attributes.get('in2')]);
  return name === 'filter' && blur !== -1 && !inputs.some((input) => input !== undefined && sharp.includes(input));
}

/** False, and all as before, when `isFine` finds the picture changed. */
function removeAll(nodes: readonly Element[], isFine: () => boolean): boolean {
  const values = nodes.map(({ attributes }) => attributes.get('filter') ?? '');
  for (const { attributes } of nodes) attributes.delete('filter');
  if (isFine()) return true;
  nodes.forEach(({ attributes }, at) => attributes.set('filter', values[at] ?? ''));
  return false;
}

function draw(document: Element, [, , width, height]: ViewBox): Uint8Array | undefined {
  try {
    return smallResvg(writeTree(document), [width, height], COMPARED_PX).render().pixels;
  } catch {
    return undefined;
  }
}

function isSame(one: Uint8Array, other: Uint8Array | undefined, maxEdge: number): boolean {
  if (other?.length !== one.length) return false;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) {
    const difference = Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    if (difference > maxEdge) return false;
    sum += difference;
  }
  return sum / one.length / 255 <= MAX_DIFFERENCE;
}
