// Geometry of a picture: its size, and the place of the drawing in it.
import { invalidField } from '../platform/errors.js';
import type { InkBox } from '../catalog/entry.js';
import { DEFAULT_SIDE, type PictureLayout } from './picture-request.js';

export interface Extent {
  readonly width: number;
  readonly height: number;
}

export interface Geometry {
  /** Size of the picture in px, or in user units if the picture has no fixed size. */
  readonly box: Extent;
  /** True if the picture has a width and height. False if it fills its container. */
  readonly sized: boolean;
  /**
   * Visible part of the drawing, in user units, relative to the corner of its viewBox. If null, all of it is visible.
   */
  readonly crop: InkBox | null;
  /** Place of the drawing in `box`, before the drawing is rotated about the center of the box. */
  readonly content: Extent & { readonly x: number; readonly y: number };
  readonly rotate: PictureLayout['rotate'];
  readonly flip: boolean;
  /** Corner radius of the background, px. 0 without a background. */
  readonly cornerRadius: number;
}

/** Size of a drawing's viewBox, and bounding box of its visible parts. */
export interface DrawingExtent extends Extent {
  readonly ink?: InkBox;
}

/**
 * Returns the geometry. `whole`: size of the viewBox. If the request states only one side, the aspect ratio determines
 * the other side. Throws `invalid_request` if the other side is too large.
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
  // A picture with padding or background needs a size. If the request states no size, the default size of PNG and WebP
  // is used.
  const framed = layout.background !== null || layout.paddingPercent > 0;
  return framed ? { width: DEFAULT_SIDE, height: DEFAULT_SIDE } : turned;
}

function following(given: string, side: number, maxSide: number): number {
  if (side > maxSide) {
    throw invalidField(
      given,
      `the other side of the picture would be ${Math.round(side)} px, but at most ${maxSide} px are allowed`,
    );
  }
  return Math.max(1, Math.round(side));
}
