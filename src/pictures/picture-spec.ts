// Specification of a picture: variant, color and geometry, which determine all its pixels.
import { AppError, invalidField } from '../platform/errors.js';
import type { Background, Entry, Variant } from '../catalog/entry.js';
import { isAchromatic } from '../catalog/drawing.js';
import { isSeen, LEAST_CONTRAST, nearestSeen, READABLE_CONTRAST, type Seen } from '../catalog/page-colors.js';
import { BLACK, colorOfHex, cssHex, WHITE, type Color } from '../platform/text/color.js';
import { greyscaleColor } from './greyscale.js';
import { pictureGeometry, type Geometry } from './geometry.js';
import { symbolVariant } from './symbol-variant.js';
import type { AnswerFormat, PictureRequest } from './picture-request.js';

/** Everything that determines a picture, except the drawing itself. */
export interface PictureSpec {
  readonly geometry: Geometry;
  /**
   * Color that replaces `currentColor` in the drawing. The value `'currentColor'` means that nothing is replaced. Null
   * if the drawing has its own colors.
   */
  readonly paint: Color | 'currentColor' | null;
  /** Color that replaces `paint` on dark pages. Missing if both colors are equal. */
  readonly darkPaint?: Color;
  readonly background: Color | null;
  /** True if the drawing's own colors must become gray. `paint` and `background` are already gray. */
  readonly greyscale: boolean;
}

/** The parts of an entry that determine its pictures. */
export interface PicturedEntry extends Pick<Entry, 'variants' | 'hex'> {
  readonly slug: string;
}

/**
 * Chooses the variant and its color, and computes the geometry. Throws AppError `invalid_request` for an unknown
 * variant, and `unprocessable` for a color that the variant can't have.
 */
export function pictureSpec(
  entry: PicturedEntry,
  request: PictureRequest,
): { readonly variant: Variant; readonly picture: PictureSpec } {
  const variant = variantOf(entry, request);
  const tone = toneOf(request);
  const { background } = request.layout;
  const paint = paintOf(entry, variant, request);
  const darkPaint = request.darkColor && paintOf(entry, variant, { ...request, color: request.darkColor });
  return {
    variant,
    picture: {
      geometry: pictureGeometry(variant, request.layout),
      paint: paint === 'currentColor' ? paint : paint && tone(paint),
      ...(isColor(darkPaint) && darkPaint !== paint && { darkPaint: tone(darkPaint) }),
      background: background && tone(background),
      // A recolorable drawing needs no conversion, because its only color is `paint`, which is already gray.
      greyscale: request.greyscale && !variant.recolorable,
    },
  };
}

function isColor(paint: PictureSpec['paint'] | undefined): paint is Color {
  return paint !== undefined && paint !== null && paint !== 'currentColor';
}

type Tone = (color: Color) => Color;

/**
 * Returns a function for colors. It converts them to gray if the request asks for gray, and otherwise returns them
 * unchanged.
 */
export function toneOf({ greyscale }: Pick<PictureRequest, 'greyscale'>): Tone {
  return greyscale ? greyscaleColor : (color) => color;
}

function variantOf(entry: PicturedEntry, request: PictureRequest): Variant {
  const { on, preferred } = request;
  const [fallback] = entry.variants;
  const name = preferredName(entry, preferred) ?? request.variant;
  if (name === null) return on === null ? fallback : (visibleVariant(entry.variants, on, request) ?? fallback);
  const variant = entry.variants.find((candidate) => candidate.name === name);
  if (variant) return on === null ? variant : versionFor(on, variant, entry.variants);
  throw invalidField(
    'variant',
    `${entry.slug} has no variant of this name`,
    entry.variants.map((candidate) => candidate.name),
  );
}

function preferredName(entry: PicturedEntry, preferred: PictureRequest['preferred']): string | null | undefined {
  if (preferred === 'symbol') return symbolVariant(entry);
  return preferred?.find((name) => entry.variants.some((variant) => variant.name === name));
}

/**
 * Returns the variant itself if it is visible on the background or can be recolored. Otherwise prefers the version of
 * the variant for this background, such as `wordmark-dark`, if that version is visible.
 */
function versionFor(on: Background, variant: Variant, variants: readonly Variant[]): Variant {
  if (variant.on.includes(on) || variant.recolorable) return variant;
  const version = variants.find(({ name }) => name === (variant.name === 'default' ? on : `${variant.name}-${on}`));
  return version?.on.includes(on) === true ? version : variant;
}

function isRecolorable({ recolorable }: Variant): boolean {
  return recolorable;
}

/** Names of variants for dark backgrounds, besides `dark`. */
const WHITE_NAME = /(?:^|-)(?:white|inverse|inverted|negative|reversed)(?:-|$)/;

/**
 * Returns the best visible variant, in this order: the default, the variant for the background, a white variant, the
 * default in another shade, any other visible variant. Wordmarks and badges come last, because symbols are preferred.
 */
function visibleVariant(variants: readonly Variant[], on: Background, request: PictureRequest): Variant | undefined {
  const candidates = request.color === null ? variants : variants.filter(isRecolorable);
  const plain = candidates.filter(({ name }) => !/^(?:wordmark|badge)/.test(name));
  const visible = (variant: Variant): boolean => isVariantVisible(variant, on, request);
  const named = (name: string): Variant | undefined => plain.find((variant) => variant.name === name);
  const [main, forPage] = [named('default'), named(on)];
  return (
    [main, forPage].find((variant) => variant !== undefined && visible(variant)) ??
    plain.find((variant) => WHITE_NAME.test(variant.name) && visible(variant)) ??
    (main?.recolorable === true ? main : undefined) ??
    plain.find(visible) ??
    plain.find(isRecolorable) ??
    candidates.find(visible) ??
    candidates.find(isRecolorable) ??
    forPage
  );
}

/**
 * Returns true if the variant is visible in the colors of the request. Example: a blue may be visible on a dark page,
 * while the same blue in gray is not. For a drawing of several colors, the request's colors are ignored.
 */
function isVariantVisible(variant: Variant, on: Background, request: PictureRequest): boolean {
  const own = variant.recolorable ? colorOfHex(variant.colors[0] ?? '') : undefined;
  const seen = leastContrast(variant, on);
  if (own && request.greyscale) return isSeenColor(greyscaleColor(own), seen);
  // `variant.on` already guarantees LEAST_CONTRAST, so only a higher contrast needs a check.
  const isReadable = !own || seen.contrast === LEAST_CONTRAST || isSeenColor(own, seen);
  return variant.on.includes(on) && isReadable;
}

/**
 * If the longer side of a drawing is at least this many times the shorter side, the drawing counts as lettering,
 * because it is as thin as lettering.
 */
const WORDMARK_RATIO = 2.5;

/** Returns the contrast that a variant needs. On dark pages, lettering needs the contrast of text. */
function leastContrast({ name, width, height }: Variant, on: Background): Required<Seen> {
  const isLettering = name.startsWith('wordmark') || Math.max(width / height, height / width) >= WORDMARK_RATIO;
  return { on, contrast: on === 'dark' && isLettering ? READABLE_CONTRAST : LEAST_CONTRAST };
}

function paintOf(entry: PicturedEntry, variant: Variant, request: PictureRequest): PictureSpec['paint'] {
  const { color, on, preferred } = request;
  if (!variant.recolorable) {
    if (color === null || preferred) return null;
    const others = entry.variants.filter(({ recolorable }) => recolorable).map(({ name }) => name);
    const hint = others.length > 0 ? ` Single-color variants: ${others.join(', ')}.` : '';
    throw new AppError(
      'unprocessable',
      `color: the variant ${variant.name} of ${entry.slug} has several colors.${hint}`,
    );
  }
  if (color === 'brand') {
    const [brand] = brandColors(entry);
    if (brand) return brand;
    if (preferred) return colorOfHex(variant.colors[0] ?? '') ?? BLACK;
    throw new AppError('unprocessable', `color: ${entry.slug} has no known brand color.`);
  }
  if (color !== null) return color;
  const own = colorOfHex(variant.colors[0] ?? '') ?? BLACK;
  return on === null || isVariantVisible(variant, on, request)
    ? own
    : contrastingPaint([own, ...brandColors(entry)], leastContrast(variant, on), request);
}

/** Returns a list with the brand color. The list is empty if the entry has no brand color. */
function brandColors({ hex }: PicturedEntry): readonly Color[] {
  const brand = hex === null ? undefined : colorOfHex(hex);
  return brand ? [brand] : [];
}

const isSeenColor = (color: Color, seen: Seen): boolean => isSeen(cssHex(color), seen);

/**
 * Returns the first color that is visible on the background. In a gray picture, the color must be visible after
 * conversion to gray. If no color is visible, returns a lighter or darker shade of the first color. If the picture or
 * the first color is gray, returns black or white instead. On dark pages, the shade has the contrast of text, because
 * the drawing may be thin.
 */
function contrastingPaint(colors: readonly [Color, ...Color[]], seen: Seen, request: PictureRequest): Color {
  const tone = toneOf(request);
  const { on } = seen;
  const hex = cssHex(colors[0]);
  const moved = nearestSeen(hex, on === 'dark' ? { on, contrast: READABLE_CONTRAST } : seen);
  const other = request.greyscale || isAchromatic(hex) ? undefined : colorOfHex(moved);
  return colors.find((color) => isSeenColor(tone(color), seen)) ?? other ?? (on === 'light' ? BLACK : WHITE);
}

/**
 * Returns the cache key of a picture. Requests for the same picture have equal keys, even if their queries differ.
 * `drawing`: content hash of the drawing.
 */
export function pictureKey(
  drawing: string,
  { geometry, paint, darkPaint, background, greyscale }: PictureSpec,
  encoding: { readonly format: AnswerFormat; readonly quality: number | null },
): string {
  const { box, sized, crop, content, rotate, flip, cornerRadius } = geometry;
  const place = `${box.width}x${box.height}${sized ? '' : '?'}@${content.x},${content.y},${content.width}`;
  return [
    drawing,
    encoding.format,
    encoding.quality,
    place,
    rotate,
    flip ? 'h' : '',
    paint,
    background,
    cornerRadius,
    ...(greyscale ? ['greyscale'] : []),
    ...(darkPaint === undefined ? [] : [`dark ${darkPaint}`]),
    ...(crop === null ? [] : [crop.join(' ')]),
  ].join('|');
}
