// Subject of a picture: a drawing, and how it is shown. For an unknown brand, the drawing is a fallback.
import { WHITE, contrasting, type Color } from '../platform/text/color.js';
import { composeSvg } from './compose-svg.js';
import { pictureGeometry } from './geometry.js';
import { MONOGRAM_SIDE, monogramBackground, monogramSvg, type Monogram } from './monogram.js';
import type { Fallback, PictureRequest } from './picture-request.js';
import { toneOf, type PictureSpec } from './picture-spec.js';
import type { ReadDrawing } from '../catalog/account-catalogs.js';
import type { RasterizeRequest } from './rasterize-request.js';

/** A drawing that is known but not read yet. */
interface UnreadDrawing {
  /** Id of the drawing. Drawings with equal text have equal ids. */
  readonly drawing: string;
  readonly read: () => Promise<string> | string;
}

export interface PictureSubject extends UnreadDrawing {
  readonly picture: PictureSpec;
  /** Drawing for PNG and WebP, with small bitmaps instead of blurs. Undefined if all formats use the same drawing. */
  readonly painted?: UnreadDrawing | undefined;
  /** True for a drawing of an own brand. */
  readonly isPrivate?: boolean;
}

export async function composeSubject({ read, picture }: PictureSubject): Promise<string> {
  return composeSvg(await read(), picture);
}

export function unread(etag: string, read: ReadDrawing): UnreadDrawing {
  return { drawing: etag, read: () => read(etag) };
}

export function rasterizeRequest(
  key: string,
  subject: PictureSubject,
  encoding: RasterizeRequest['encoding'],
): RasterizeRequest {
  const { picture, painted, isPrivate = false } = subject;
  const { drawing, read } = painted ?? subject;
  const { box, content } = picture.geometry;
  // `painted` contains bitmaps. Colors of bitmaps can't be replaced in the SVG, so all colors become gray after
  // rasterizing.
  const greyscale = painted !== undefined && picture.greyscale;
  const drawn = greyscale ? { ...picture, greyscale: false } : picture;
  return {
    key,
    isPrivate,
    drawing,
    size: { pixels: box.width * box.height, drawingPixels: Math.max(1, content.width * content.height) },
    encoding,
    read,
    job: async () => ({ svg: composeSvg(await read(), drawn), ...(greyscale && { greyscale }), ...box, ...encoding }),
  };
}

/**
 * Returns the fallback picture for an unknown slug. `variant` has no effect. `color` has no effect if it is `brand` or
 * `currentColor`.
 */
export function fallbackSubject(monogram: Monogram, fallback: Fallback, request: PictureRequest): PictureSubject {
  const { layout, color } = request;
  const tone = toneOf(request);
  if (fallback === 'transparent') {
    const geometry = pictureGeometry({ width: 1, height: 1 }, layout);
    const background = layout.background && tone(layout.background);
    return {
      drawing: 'transparent',
      read: () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
      picture: { geometry, paint: null, background, greyscale: false },
    };
  }
  const background = tone(layout.background ?? monogramBackground(monogram));
  const geometry = pictureGeometry({ width: MONOGRAM_SIDE, height: MONOGRAM_SIDE }, { ...layout, background });
  const readable: Color = layout.background === null ? WHITE : contrasting(background);
  const paint = color === null || color === 'brand' || color === 'currentColor' ? readable : tone(color);
  const picture = { geometry, paint, background, greyscale: false };
  return { drawing: `monogram:${monogram.letters}`, read: () => monogramSvg(monogram), picture };
}
