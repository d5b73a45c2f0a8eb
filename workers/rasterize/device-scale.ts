// Computes where and how large a document's elements are in a picture, in px.
import { RESOURCES } from '../svg/references.js';
import type { Element } from '../svg/svg-tree.js';
import { IDENTITY, multiply, parseTransform, type Affine } from './affine.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Placed {
  readonly node: Element;
  /** Transform from the coordinates of the element to pixels of the picture. */
  readonly matrix: Affine;
  /** True if the element itself is drawn. False for resources, such as gradients, and for elements inside them. */
  readonly isDrawn: boolean;
}

/** Returns all elements of the document with their transforms, for a picture of this size. */
export function placed(root: Element, size: Size): Placed[] {
  const found: Placed[] = [];
  const visit = (node: Element, outer: Affine, isOutside: boolean): void => {
    const isDrawn = isOutside && !RESOURCES.has(node.name);
    const own = multiply(outer, parseTransform(node.attributes.get('transform')));
    const matrix =
      node.name === 'svg' ? multiply(own, viewOf(node, node === root ? { x: 0, y: 0, ...size } : placeOf(node))) : own;
    found.push({ node, matrix, isDrawn });
    for (const child of node.children) visit(child, matrix, isDrawn);
  };
  visit(root, IDENTITY, true);
  return found;
}

interface Place extends Size {
  readonly x: number;
  readonly y: number;
}

function placeOf({ attributes }: Element): Place {
  const [x = 0, y = 0, width = 0, height = 0] = ['x', 'y', 'width', 'height'].map((name) =>
    Number(attributes.get(name) ?? 0),
  );
  return { x, y, width, height };
}

function viewOf({ attributes }: Element, { x, y, width, height }: Place): Affine {
  const [left = 0, top = 0, across = NaN, down = NaN] = (attributes.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const scales = [width / across, height / down] as const;
  if (!scales.every((scale) => Number.isFinite(scale) && scale > 0)) return [1, 0, 0, 1, x, y];
  const isStretched = attributes.get('preserveAspectRatio') === 'none';
  const [scaleX, scaleY] = isStretched ? scales : [Math.min(...scales), Math.min(...scales)];
  const [gapX, gapY] = [(width - across * scaleX) / 2, (height - down * scaleY) / 2];
  return [scaleX, 0, 0, scaleY, x + gapX - left * scaleX, y + gapY - top * scaleY];
}
