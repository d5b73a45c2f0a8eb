// Detects lettering in a thumbnail: several areas in a row.
import { connectedShapes, type Shape } from './connected-shapes.js';
import type { Sample } from './draw-thumbnail.js';

/** Minimum number of pixels of a letter. Smaller areas are dots or noise. */
const LEAST_PIXELS = 4;
/** Maximum ratio of the heights of two letters. Letters of a word may differ in height, such as "p" and "x". */
const HEIGHT_RATIO = 2.2;

/** Returns the largest number of areas of similar height that are side by side. Letters that touch are one area. */
export function lettersInARow(sample: Sample): number {
  const shapes = connectedShapes(sample).shapes.filter(({ pixels }) => pixels >= LEAST_PIXELS);
  return Math.max(0, ...shapes.map((shape) => shapes.filter((other) => isBeside(shape, other)).length));
}

function isBeside(one: Shape, other: Shape): boolean {
  const [height, otherHeight] = [one.bottom - one.top + 1, other.bottom - other.top + 1];
  if (Math.max(height, otherHeight) > Math.min(height, otherHeight) * HEIGHT_RATIO) return false;
  const middle = (one.top + one.bottom - other.top - other.bottom) / 2;
  return Math.abs(middle) <= Math.max(height, otherHeight) * 0.35;
}
