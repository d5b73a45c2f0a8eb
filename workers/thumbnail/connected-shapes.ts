// Finds connected areas of visible pixels in a thumbnail.
import { INK_ALPHA, type Sample } from './draw-thumbnail.js';

export interface Shape {
  left: number;
  right: number;
  top: number;
  bottom: number;
  pixels: number;
}

export interface ConnectedShapes {
  readonly shapes: readonly Shape[];
  /** For each pixel, the number of its shape, counted from 1, or 0 if the pixel is not visible. */
  readonly shapeOf: Uint16Array;
}

/**
 * Cache of the connected shapes of each thumbnail. The shapes are needed several times: for lettering, and for each
 * background.
 */
const known = new WeakMap<Sample, ConnectedShapes>();

export function connectedShapes(sample: Sample): ConnectedShapes {
  const found = known.get(sample) ?? findShapes(sample);
  known.set(sample, found);
  return found;
}

function findShapes({ pixels, width, height }: Sample): ConnectedShapes {
  const shapeOf = new Uint16Array(width * height);
  const isOpen = (at: number): boolean => shapeOf[at] === 0 && (pixels[at * 4 + 3] ?? 0) >= INK_ALPHA;
  const shapes: Shape[] = [];
  /** Visible pixels that belong to the current shape, but whose rows were not yet examined. */
  const open: number[] = [];
  /** Adds the first pixel of each unexamined run of visible pixels in this part of a row. */
  const openRuns = (from: number, to: number): void => {
    for (let at = from; at <= to; at += 1) if (isOpen(at) && (at === from || !isOpen(at - 1))) open.push(at);
  };
  for (let start = 0; start < shapeOf.length; start += 1) {
    if (!isOpen(start)) continue;
    const shape: Shape = { left: width, right: -1, top: height, bottom: -1, pixels: 0 };
    open.push(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (shapeOf[at] !== 0) continue;
      const y = Math.floor(at / width);
      let [from, to] = [at, at];
      while (from > y * width && isOpen(from - 1)) from -= 1;
      while (to + 1 < (y + 1) * width && isOpen(to + 1)) to += 1;
      shapeOf.fill(shapes.length + 1, from, to + 1);
      shape.left = Math.min(shape.left, from - y * width);
      shape.right = Math.max(shape.right, to - y * width);
      shape.top = Math.min(shape.top, y);
      shape.bottom = Math.max(shape.bottom, y);
      shape.pixels += to + 1 - from;
      if (y > 0) openRuns(from - width, to - width);
      if (y < height - 1) openRuns(from + width, to + width);
    }
    shapes.push(shape);
  }
  return { shapes, shapeOf };
}
