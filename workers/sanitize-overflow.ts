// Whether a drawing paints outside of its viewBox, which a browser cuts off, and so must whoever nests the drawing.
import { Resvg } from '@resvg/resvg-js';
import { walk, writeTree, type Element } from './sanitize-tree.js';

type ViewBox = readonly [x: number, y: number, width: number, height: number];

/** Shares of a side; what reaches less far is a rounded number, not a drawing. */
const TOLERANCE = 0.002;
/** Sides of the viewBox that are looked at: near its edge, where little may be, and as far as padding lets one see. */
const VIEWS = [1.1, 5];
/** Longer side of such a look, px. */
const LOOK_PX = 160;
/** Alpha from which a pixel is ink, 0..255. */
const INK_ALPHA = 25;

/** Boxes are cheap but know no clips, so that only drawings whose box is too large are looked at. */
export function paintsOutside(document: Element, viewBox: ViewBox): boolean {
  if (!mayReachOutside(document, viewBox)) return false;
  const inside = document.children.map(writeTree).join('');
  return VIEWS.some((zoom) => hasInkAround(inside, viewBox, zoom));
}

function mayReachOutside(document: Element, [x, y, width, height]: ViewBox): boolean {
  const box = new Resvg(writeTree(document), { font: { loadSystemFonts: false } }).getBBox();
  // A blur reaches beyond the box of what is blurred.
  if (walk(document).some(({ name }) => name === 'filter')) return true;
  if (box === undefined) return false;
  const [dx, dy] = [width * TOLERANCE, height * TOLERANCE];
  return box.x < x - dx || box.y < y - dy || box.x + box.width > x + width + dx || box.y + box.height > y + height + dy;
}

function hasInkAround(inside: string, [x, y, width, height]: ViewBox, zoom: number): boolean {
  const frame = [x - (width * (zoom - 1)) / 2, y - (height * (zoom - 1)) / 2, width * zoom, height * zoom].join(' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame}">${inside}</svg>`;
  const fitTo = width >= height ? ({ mode: 'width', value: LOOK_PX } as const) : ({ mode: 'height', value: LOOK_PX } as const);
  const image = new Resvg(svg, { fitTo, font: { loadSystemFonts: false } }).render();
  const { pixels } = image;
  // A pixel that the edge runs through has ink of the inside.
  const [left, top] = [image.width, image.height].map((side) => (side * (1 - 1 / zoom)) / 2 - 1);
  const isAround = (at: number, side: number, margin = 0): boolean => at + 1 <= margin || at >= side - margin;
  for (let at = 0; at < image.width * image.height; at += 1) {
    if ((pixels[at * 4 + 3] ?? 0) < INK_ALPHA) continue;
    const column = at % image.width;
    if (isAround(column, image.width, left) || isAround((at - column) / image.width, image.height, top)) return true;
  }
  return false;
}
