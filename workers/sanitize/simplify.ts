// Simplification of filters: those that hardly change the picture, and cost most of its time, are left out.
import { Resvg } from '@resvg/resvg-js';
import type { ViewBox } from './bounds.js';
import { walk, writeTree, type Element } from './tree.js';

/** Side at which pictures are compared, px: half of it takes a quarter of the time, and is as strict by the margin below. */
const COMPARED_PX = 64;
/** Mean difference of a channel that is allowed, 0..1. The promise is 1 % at 256 px; here it is kept with a margin. */
const MAX_DIFFERENCE = 0.008;
/** Filters tried one by one. */
const MAX_TRIED = 24;

/** Takes filters out of the tree as long as the picture stays the same. Resources that nothing uses stay in it. */
export function simplifyFilters(document: Element, viewBox: ViewBox): void {
  const filtered = walk(document).filter(({ attributes }) => attributes.has('filter'));
  if (filtered.length === 0) return;
  const original = draw(document, viewBox);
  if (original === undefined) return;
  const isFine = (): boolean => isSame(original, draw(document, viewBox));
  const gone = removeAll(filtered, isFine);
  if (!gone && filtered.length > 1 && filtered.length <= MAX_TRIED)
    for (const node of filtered) removeAll([node], isFine);
  dropFilters(document);
}

/** False, and all as before, when `isFine` finds the picture changed. */
function removeAll(nodes: readonly Element[], isFine: () => boolean): boolean {
  const values = nodes.map(({ attributes }) => attributes.get('filter') ?? '');
  for (const { attributes } of nodes) attributes.delete('filter');
  if (isFine()) return true;
  nodes.forEach(({ attributes }, at) => attributes.set('filter', values[at] ?? ''));
  return false;
}

/** Filters that nothing uses any more. */
function dropFilters(document: Element): void {
  const used = new Set(walk(document).map(({ attributes }) => attributes.get('filter')));
  for (const node of walk(document))
    node.children = node.children.filter(
      ({ name, attributes }) => name !== 'filter' || used.has(`url(#${attributes.get('id') ?? ''})`),
    );
}

function draw(document: Element, [, , width, height]: ViewBox): Uint8Array | undefined {
  try {
    const mode = width >= height ? 'width' : 'height';
    return new Resvg(writeTree(document), {
      fitTo: { mode, value: COMPARED_PX },
      font: { loadSystemFonts: false },
    }).render().pixels;
  } catch {
    return undefined;
  }
}

function isSame(one: Uint8Array, other: Uint8Array | undefined): boolean {
  if (other?.length !== one.length) return false;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length / 255 <= MAX_DIFFERENCE;
}
