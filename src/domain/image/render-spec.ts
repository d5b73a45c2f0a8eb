// Render specification: variant, color and geometry of a request; everything that decides the pixels.
import { AppError, invalidField } from '../../errors.js';
import type { Background, Entry, Variant } from '../catalog/entry.js';
import { isVisibleOn, PAGES } from '../catalog/drawing.js';
import { BLACK, colorOfHex, contrasting, type Color } from '../color.js';
import { imageGeometry, type Geometry } from './geometry.js';
import type { ImageFormat, ImageRequest } from './request.js';

/** The composer's input beside the asset itself. */
export interface Picture {
  readonly geometry: Geometry;
  /** In the place of `currentColor`; null for drawings with colors of their own. */
  readonly paint: Color | null;
  readonly background: Color | null;
}

/** Throws AppError: `invalid_request` for an unknown variant, `unprocessable` for a color that it cannot have. */
export function pictureOf(
  entry: Entry,
  request: ImageRequest,
): { readonly variant: Variant; readonly picture: Picture } {
  const variant = variantOf(entry, request);
  return {
    variant,
    picture: {
      geometry: imageGeometry(variant, request.layout),
      paint: paintOf(entry, variant, request),
      background: request.layout.background,
    },
  };
}

function variantOf(entry: Entry, { variant: name, on, color }: ImageRequest): Variant {
  const [fallback] = entry.variants;
  if (on !== null) return visibleVariant(entry.variants, on, color !== null) ?? fallback;
  if (name === null) return fallback;
  const variant = entry.variants.find((candidate) => candidate.name === name);
  if (variant) return variant;
  throw invalidField(
    'variant',
    `${entry.slug} has no variant of this name`,
    entry.variants.map((candidate) => candidate.name),
  );
}

/**
 * The variant made for the background; else the default one, if it can be seen there; else any that can; else one
 * that can be given a color. A wordmark is another picture than a mark, so it comes after all that are not.
 */
function visibleVariant(variants: readonly Variant[], on: Background, toRecolor: boolean): Variant | undefined {
  const candidates = toRecolor ? variants.filter((variant) => variant.recolorable) : variants;
  const marks = candidates.filter((variant) => !variant.name.startsWith('wordmark'));
  const visible = (variant: Variant): boolean => variant.on.includes(on);
  return (
    marks.find((variant) => variant.name === on && visible(variant)) ??
    marks.find(visible) ??
    marks.find((variant) => variant.recolorable) ??
    candidates.find(visible) ??
    candidates.find((variant) => variant.recolorable) ??
    marks.find((variant) => variant.name === on)
  );
}

function paintOf(entry: Entry, variant: Variant, { color, on }: ImageRequest): Color | null {
  if (!variant.recolorable) {
    if (color === null) return null;
    const others = entry.variants.filter(({ recolorable }) => recolorable).map(({ name }) => name);
    const hint = others.length > 0 ? ` Single-color variants: ${others.join(', ')}.` : '';
    throw new AppError(
      'unprocessable',
      `color: the variant ${variant.name} of ${entry.slug} has several colors.${hint}`,
    );
  }
  if (color === 'brand') {
    const brand = entry.hex === null ? undefined : colorOfHex(entry.hex);
    if (brand) return brand;
    throw new AppError('unprocessable', `color: no brand color is known of ${entry.slug}.`);
  }
  if (color !== null) return color;
  const own = colorOfHex(variant.colors[0] ?? '') ?? BLACK;
  return on === null || variant.on.includes(on) ? own : contrastingPaint(entry, own, on);
}

/** The drawing's own color or the brand's, if either can be seen there; else black or white. */
function contrastingPaint(entry: Entry, own: Color, on: Background): Color {
  const brand = entry.hex === null ? undefined : colorOfHex(entry.hex);
  const colors = brand ? [own, brand] : [own];
  return colors.find((color) => isVisibleOn(color, on)) ?? contrasting(PAGES[on]);
}

/** Cache key: equal for equal pictures, whatever the notation of the request; `asset` names the drawing. */
export function pictureKey(
  asset: string,
  { geometry, paint, background }: Picture,
  encoding: { readonly format: ImageFormat; readonly quality: number | null },
): string {
  const { box, sized, content, rotate, flip, cornerRadius } = geometry;
  const place = `${box.width}x${box.height}${sized ? '' : '?'}@${content.x},${content.y},${content.width}`;
  return [
    asset,
    encoding.format,
    encoding.quality,
    place,
    rotate,
    flip ? 'h' : '',
    paint,
    background,
    cornerRadius,
  ].join('|');
}
