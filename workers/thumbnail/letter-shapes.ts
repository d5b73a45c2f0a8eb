// Shapes of a thumbnail: connected areas of ink, and those that stand in a row like letters.
import { INK_ALPHA, type Sample } from './draw-thumbnail.js';

interface Shape {
  left: number;
  right: number;
  top: number;
  bottom: number;
  pixels: number;
}

/** Dots and noise. */
const LEAST_PIXELS = 4;
/** Letters of one word differ in height: "p" and "x". */
const HEIGHT_RATIO = 2.2;

/** The most shapes of like height side by side; letters of a word that touch count as one. */
export function lettersInARow(sample: Sample): number {
  const shapes = connectedShapes(sample).filter(({ pixels }) => pixels >= LEAST_PIXELS);
  return Math.max(0, ...shapes.map((shape) => shapes.filter((other) => isBeside(shape, other)).length));
}

function isBeside(one: Shape, other: Shape): boolean {
  const [height, otherHeight] = [one.bottom - one.top + 1, other.bottom - other.top + 1];
  if (Math.max(height, otherHeight) > Math.min(height, otherHeight) * HEIGHT_RATIO) return false;
  const middle = (one.top + one.bottom - other.top - other.bottom) / 2;
  return Math.abs(middle) <= Math.max(height, otherHeight) * 0.35;
}

function connectedShapes({ pixels, width, height }: Sample): Shape[] {
  const seen = new Uint8Array(width * height);
  const isInk = (at: number): boolean => (pixels[at * 4 + 3] ?? 0) >= INK_ALPHA;
  const shapes: Shape[] = [];
  const open: number[] = [];
  const visit = (at: number): void => {
    if (seen[at] === 1 || !isInk(at)) return;
    seen[at] = 1;
    open.push(at);
  };
  for (let start = 0; start < seen.length; start += 1) {
    if (seen[start] === 1 || !isInk(start)) continue;
    const shape: Shape = { left: width, right: -1, top: height, bottom: -1, pixels: 0 };
    seen[start] = 1;
    open.push(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % width;
      const y = (at - x) / width;
      shape.left = Math.min(shape.left, x);
      shape.right = Math.max(shape.right, x);
      shape.top = Math.min(shape.top, y);
      shape.bottom = Math.max(shape.bottom, y);
      shape.pixels += 1;
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      if (y > 0) visit(at - width);
      if (y < height - 1) visit(at + width);
    }
    shapes.push(shape);
  }
  return shapes;
}
