// Detects paint outside the viewBox. Browsers hide this paint, so a document that embeds the drawing must hide it.
import type { Bounds, Extent, ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { walk, writeTree, type Element } from '../svg/svg-tree.js';

/** Maximum distance between paint and the viewBox that counts as a rounding error, as a share of the viewBox's side. */
const TOLERANCE = 0.002;

interface View {
  /** Side of the examined area, as a multiple of the viewBox's side. */
  readonly zoom: number;
  /**
   * Factor by which the viewBox is enlarged. If the drawing is known to stay within the enlarged viewBox, the drawing
   * is not rasterized for this view.
   */
  readonly beyond: number;
  /** Longer side of the bitmap, px. */
  readonly px: number;
}

/**
 * Examined areas around the viewBox. The small area is drawn precisely, to detect paint slightly outside the viewBox.
 * The large area is the area that a picture with the largest padding shows.
 */
const VIEWS: readonly View[] = [
  { zoom: 1.1, beyond: 1 + 2 * TOLERANCE, px: 120 },
  { zoom: 5, beyond: 1.1, px: 100 },
];
/** Minimum alpha of a visible pixel, 0 to 255. */
const INK_ALPHA = 25;

/**
 * Returns true if the drawing paints outside the viewBox. First compares boxes, because this is cheap. Boxes ignore
 * clips and the tips of miter joins, so a drawing that may paint outside is then rasterized.
 */
export function paintsOutside(document: Element, { viewBox, bounds }: Extent): boolean {
  const isKnown = bounds !== undefined && !walk(document).some(hasTips);
  const views = VIEWS.filter(({ beyond }) => !isKnown || reaches(bounds, viewBox, beyond));
  if (views.length === 0) return false;
  const inside = document.children.map(writeTree).join('');
  return views.some((view) => hasInkAround(inside, viewBox, view));
}

/** Returns true if a stroke has miter joins. Their tips may extend beyond the computed box. */
function hasTips({ attributes }: Element): boolean {
  const isStroked = (attributes.get('stroke') ?? 'none') !== 'none';
  return isStroked && (attributes.get('stroke-linejoin') ?? 'miter') === 'miter';
}

/** Returns true if the bounds exceed the viewBox after the viewBox is scaled by `zoom` around its center. */
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
  // Ignores pixels on the viewBox's border, because they may also contain paint from inside the viewBox.
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
