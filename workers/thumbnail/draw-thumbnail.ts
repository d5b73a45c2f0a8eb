// Draws a thumbnail of a drawing. It is cropped to the visible pixels, so that empty margins don't matter.
import type { Bounds, ViewBox } from '../svg/drawing-bounds.js';
import { smallResvg } from '../svg/small-resvg.js';
import { formatNumber } from '../svg/svg-tree.js';

/** Longer side of the thumbnail's bitmap, px. */
const SAMPLE_PX = 48;
/** Minimum alpha of a clearly visible pixel ("ink"), 0 to 255. */
export const INK_ALPHA = 100;
/** Minimum alpha of a faintly visible pixel, 0 to 255. */
const TRACE_ALPHA = 8;
/**
 * Maximum gap between the visible pixels and each edge of the bitmap, px. With a larger gap, the thumbnail is drawn
 * again with a smaller box.
 */
const EDGE_PX = 2;
/** Maximum aspect ratio. With a higher ratio, the shorter side would have no pixels. */
const MAX_ASPECT = 50;

export interface Sample {
  /** Premultiplied RGBA. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface Thumbnail {
  readonly sample: Sample;
  /** Box of the visible pixels, in units of the viewBox. */
  readonly ink: ViewBox;
}

/**
 * Draws the thumbnail. Returns undefined if the drawing cannot be drawn, and `empty` if nothing is visible. `bounds` is
 * the box of the shapes, or undefined if it is unknown.
 */
export function drawThumbnail(
  svg: string,
  { viewBox, bounds }: { readonly viewBox: ViewBox; readonly bounds: Bounds | undefined },
): Thumbnail | 'empty' | undefined {
  let box = bounds === undefined ? viewBox : (intersection(bounds, viewBox) ?? viewBox);
  // Clips and filters can make the visible box smaller than the box of the shapes. In this case, draws the thumbnail
  // again, cropped to the visible box.
  for (const last of [false, true]) {
    const sample = drawSample(svg, box);
    if (sample === undefined) return undefined;
    const found = inkOf(sample);
    if (found === undefined) return box === viewBox ? 'empty' : emptyUnless(svg, viewBox);
    const { left, top, right, bottom } = found;
    const isFull =
      left < EDGE_PX && top < EDGE_PX && sample.width - right <= EDGE_PX && sample.height - bottom <= EDGE_PX;
    if (isFull || last) return { sample, ink: box };
    box = shrink(box, sample, found);
  }
  return undefined;
}

function emptyUnless(svg: string, viewBox: ViewBox): Thumbnail | 'empty' | undefined {
  const sample = drawSample(svg, viewBox);
  if (sample === undefined) return undefined;
  return inkOf(sample) === undefined ? 'empty' : { sample, ink: viewBox };
}

/** Replaces the first `viewBox` attribute, which belongs to the root element. */
function reframe(svg: string, box: ViewBox): string {
  return svg.replace(/ viewBox="[^"]*"/, ` viewBox="${box.map(formatNumber).join(' ')}"`);
}

/** Draws the part of the drawing inside `box`. Returns undefined if this part cannot be rasterized. */
export function drawSample(svg: string, box: ViewBox): Sample | undefined {
  try {
    const { pixels, width, height } = smallResvg(reframe(svg, box), [box[2], box[3]], SAMPLE_PX).render();
    return { pixels, width, height };
  } catch {
    return undefined;
  }
}

interface PixelBox {
  readonly left: number;
  readonly top: number;
  /** First column to the right of the box. `bottom` is the first row below the box. */
  readonly right: number;
  readonly bottom: number;
}

/** Returns the box of all visible pixels, or undefined if no pixel is visible. */
function inkOf({ pixels, width, height }: Sample): PixelBox | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if ((pixels[(y * width + x) * 4 + 3] ?? 0) <= TRACE_ALPHA) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  return right === 0 ? undefined : { left, top, right, bottom };
}

function shrink([x, y, width, height]: ViewBox, sample: Sample, { left, top, right, bottom }: PixelBox): ViewBox {
  const [dx, dy] = [width / sample.width, height / sample.height];
  const smaller: ViewBox = [x + left * dx, y + top * dy, (right - left) * dx, (bottom - top) * dy];
  return isDrawable(smaller) ? smaller : [x, y, width, height];
}

function intersection(bounds: Bounds, [x, y, width, height]: ViewBox): ViewBox | undefined {
  const left = Math.max(x, bounds.x);
  const top = Math.max(y, bounds.y);
  const right = Math.min(x + width, bounds.x + bounds.width);
  const bottom = Math.min(y + height, bounds.y + bounds.height);
  const box: ViewBox = [left, top, right - left, bottom - top];
  return isDrawable(box) ? box : undefined;
}

function isDrawable([, , width, height]: ViewBox): boolean {
  return width > 0 && height > 0 && Math.max(width / height, height / width) <= MAX_ASPECT;
}
