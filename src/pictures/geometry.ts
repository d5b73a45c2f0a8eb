// Geometry of a picture: the size of its box, and the place of the drawing in the box.
import { invalidField } from '../platform/errors.js';
import type { InkBox } from '../catalog/entry.js';
import { DEFAULT_SIDE, type PictureLayout } from './picture-request.js';

export interface Extent {
  readonly width: number;
  readonly height: number;
}

export interface Geometry {
  /** Size of the box in px of the result, or in user units if the picture has no size. */
  readonly box: Extent;
  /** True if the picture has a width and height. False if it fills its container. */
  readonly sized: boolean;
  /** Visible part of the drawing, in user units, relative to the corner of its viewBox. Null shows all. */
  readonly crop: InkBox | null;
  /** Place of the drawing in the box, before it is rotated about the center of the box. */
  readonly content: Extent & { readonly x: number; readonly y: number };
  readonly rotate: PictureLayout['rotate'];
  readonly flip: boolean;
  /** Corner radius of the background, px. 0 without a background. */
  readonly cornerRadius: number;
}

/** Size of a drawing's viewBox, and the box of its ink. */
export interface DrawingExtent extends Extent {
  readonly ink?: InkBox;
}

/**
 * Returns the geometry. `whole` is the size of the viewBox. If only one side is given, the other follows from the
 * aspect ratio. Throws `invalid_request` if that side is too large.
 */
export function pictureGeometry({ ink, ...whole }: DrawingExtent, layout: PictureLayout): Geometry {
  const crop = layout.trim && ink !== undefined ? ink : null;
  const drawing = crop === null ? whole : { width: crop[2], height: crop[3] };
  const sideways = layout.rotate % 180 !== 0;
  const turned = sideways ? { width: drawing.height, height: drawing.width } : drawing;
  const box = boxOf(turned, layout);
  const shorter = Math.min(box.width, box.height);
  const padding = (shorter * layout.paddingPercent) / 100;
  const factor = Math.min((box.width - 2 * padding) / turned.width, (box.height - 2 * padding) / turned.height);
  const [width, height] = [drawing.width * factor, drawing.height * factor];
  return {
    box,
    sized: layout.width !== null || layout.height !== null,
    crop,
    content: { x: (box.width - width) / 2, y: (box.height - height) / 2, width, height },
    rotate: layout.rotate,
    flip: layout.flip,
    cornerRadius: layout.background === null ? 0 : (shorter * layout.radiusPercent) / 100,
  };
}

function boxOf(turned: Extent, { width, height, scale, ...layout }: PictureLayout): Extent {
  if (width !== null && height !== null) return { width: width * scale, height: height * scale };
  const { maxSide } = layout;
  if (width !== null)
    return {
      width: width * scale,
      height: following('width', (width * scale * turned.height) / turned.width, maxSide),
    };
  if (height !== null)
    return {
      width: following('height', (height * scale * turned.width) / turned.height, maxSide),
      height: height * scale,
    };
  // Padding and background need a box. If the request has no size, the box has the default size of PNG and WebP.
  const framed = layout.background !== null || layout.paddingPercent > 0;
  return framed ? { width: DEFAULT_SIDE, height: DEFAULT_SIDE } : turned;
}

function following(given: string, side: number, maxSide: number): number {
  if (side > maxSide) {
    throw invalidField(given, `the other side would be ${Math.round(side)} px, but at most ${maxSide} px are allowed`);
  }
  return Math.max(1, Math.round(side));
}
