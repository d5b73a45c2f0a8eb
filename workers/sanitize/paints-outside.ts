// Detects paint outside of the viewBox. Browsers hide it, so a document that contains the drawing must hide it too.
import type { Bounds, Extent, ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Share of a side up to which an overlap is a rounding error. */
const TOLERANCE = 0.002;

interface View {
  /** Side of the examined area, as a multiple of the viewBox's side. */
  readonly zoom: number;
  /** The view is skipped if the drawing stays within this multiple of the viewBox's side. */
  readonly beyond: number;
  /** Longer side of the bitmap, px. */
  readonly px: number;
}

/**
 * Areas to examine: one near the edge, where little may be visible, and one as large as the largest padding can show.
 */
const VIEWS: readonly View[] = [
  { zoom: 1.1, beyond: 1 + 2 * TOLERANCE, px: 120 },
  { zoom: 5, beyond: 1.1, px: 100 },
];
/** Minimum alpha of visible ink, 0..255. */
const INK_ALPHA = 25;

/**
 * Returns true if the drawing paints outside of the viewBox. Bounding boxes are computed first, because they are cheap.
 * Boxes ignore clips and miter tips, so drawings that may paint outside are also rasterized.
 */
export function paintsOutside(document: Element, { viewBox, bounds }: Extent): boolean {
  const isKnown = bounds !== undefined && !walk(document).some(hasTips);
  const views = VIEWS.filter(({ beyond }) => !isKnown || reaches(bounds, viewBox, beyond));
  if (views.length === 0) return false;
  const inside = document.children.map(writeTree).join('');
  return views.some((view) => hasInkAround(inside, viewBox, view));
}

/** Returns true if a stroke has miter joins, which may extend beyond its box. */
function hasTips({ attributes }: Element): boolean {
  const isStroked = (attributes.get('stroke') ?? 'none') !== 'none';
  return isStroked && (attributes.get('stroke-linejoin') ?? 'miter') === 'miter';
}

/** Returns true if the bounds exceed the viewBox, scaled by `zoom` around its center. */
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
  // A pixel on the edge may contain ink from inside, so it is ignored.
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
