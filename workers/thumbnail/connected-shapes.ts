// Connected areas of ink in a thumbnail.
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
  /** By pixel: the number of its shape from 1 on, 0 where there is no ink. */
  readonly shapeOf: Uint16Array;
}

export function connectedShapes({ pixels, width, height }: Sample): ConnectedShapes {
  const shapeOf = new Uint16Array(width * height);
  const isInk = (at: number): boolean => (pixels[at * 4 + 3] ?? 0) >= INK_ALPHA;
  const shapes: Shape[] = [];
  const open: number[] = [];
  const visit = (at: number): void => {
    if (shapeOf[at] !== 0 || !isInk(at)) return;
    shapeOf[at] = shapes.length + 1;
    open.push(at);
  };
  for (let start = 0; start < shapeOf.length; start += 1) {
    visit(start);
    if (open.length === 0) continue;
    const shape: Shape = { left: width, right: -1, top: height, bottom: -1, pixels: 0 };
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
  return { shapes, shapeOf };
}
