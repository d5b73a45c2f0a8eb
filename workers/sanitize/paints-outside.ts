// Detects paint outside of the viewBox. Browsers clip it, so a document that nests the drawing must clip it too.
import type { Bounds, Extent, ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Share of a side. Smaller overlaps are rounding errors. */
const TOLERANCE = 0.002;

interface View {
  /** Side of the drawn area, in sides of the viewBox. */
  readonly zoom: number;
  /** Drawings that stay within this many sides skip this view. */
  readonly beyond: number;
  /** Longer side of the bitmap, px. */
  readonly px: number;
}

/** One view near the edge, where little may be visible, and one as far as padding can show. */
const VIEWS: readonly View[] = [
  { zoom: 1.1, beyond: 1 + 2 * TOLERANCE, px: 120 },
  { zoom: 5, beyond: 1.1, px: 100 },
];
/** Minimum alpha of visible ink, 0..255. */
const INK_ALPHA = 25;

/** Returns whether the drawing paints outside. Boxes are cheap but ignore clips and miter tips, so candidates are rasterized. */
export function paintsOutside(document: Element, { viewBox, bounds }: Extent): boolean {
  const isKnown = bounds !== undefined && !walk(document).some(hasTips);
  const views = VIEWS.filter(({ beyond }) => !isKnown || reaches(bounds, viewBox, beyond));
  if (views.length === 0) return false;
  const inside = document.children.map(writeTree).join('');
  return views.some((view) => hasInkAround(inside, viewBox, view));
}

/** Returns whether a stroke has corners that may extend beyond its box. */
function hasTips({ attributes }: Element): boolean {
  const isStroked = (attributes.get('stroke') ?? 'none') !== 'none';
  return isStroked && (attributes.get('stroke-linejoin') ?? 'miter') === 'miter';
}

/** Returns whether the bounds exceed the viewBox scaled by `zoom` around its center. */
function reaches(bounds: Bounds, [x, y, width, height]: ViewBox, zoom: number): boolean {
  if (bounds.width === 0 && bounds.height === 0) return false;
  const [dx, dy] = [(width * (zoom - 1)) / 2, (height * (zoom - 1)) / 2];
  return (
    bounds.x < x - dx ||
    bounds.y < y - dy ||
    bounds.x + bounds.width > x + width + dx ||
    bounds.y + bounds.height > y + height + dy
  );
}

function hasInkAround(inside: string, [x, y, width, height]: ViewBox, { zoom, px }: View): boolean {
  const frame = [x - (width * (zoom - 1)) / 2, y - (height * (zoom - 1)) / 2, width * zoom, height * zoom].join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame}">${inside}</svg>`;
  const { pixels, width: columns, height: rows } = smallResvg(svg, [width, height], px).render();
  // A pixel on the edge contains ink of the inside, so it does not count.
  const isAround = (at: number, side: number): boolean => {
    const margin = (side * (1 - 1 / zoom)) / 2;
    return at + 1 <= margin || at >= side - margin;
  };
  for (let at = 0; at < columns * rows; at += 1) {
    if ((pixels[at * 4 + 3] ?? 0) < INK_ALPHA) continue;
    const column = at % columns;
    if (isAround(column, columns) || isAround((at - column) / columns, rows)) return true;
  }
  return false;
}
