// Image requests: one grammar for SVG, PNG and WebP, and its parsed form.
import { z } from 'zod';
import type { Background } from '../catalog/entry.js';
import { alphaOf, type Color } from '../color.js';
import { colorParameter, enumParameter, integerParameter, patternParameter } from '../query-parameter.js';

export const IMAGE_FORMATS = ['svg', 'png', 'webp'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

const FALLBACKS = ['404', 'monogram', 'transparent'] as const;
export type Fallback = Exclude<(typeof FALLBACKS)[number], '404'>;

const SIDE = { min: 8, max: 2048 };
/** Pixels of a raster picture's side by default. */
export const DEFAULT_SIDE = 256;
/** Pixels a side of any result, device pixel ratio included. */
export const MAX_RESULT_SIDE = 4096;

const side = (description: string) => integerParameter({ ...SIDE, description, example: 128 });

/** The grammar, in the order of the documentation. */
const COMMON = {
  variant: patternParameter(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
    description: 'Which drawing of the entry, by its name in `variants`. Default: `default`. Not together with `on`.',
    allowed: 'a variant name of the entry',
    example: 'mono',
  }),
  on: enumParameter(['light', 'dark'] satisfies Background[], {
    description:
      'The background it will stand on: picks the variant, or a contrasting color, that is visible there. Not together with `variant`.',
    example: 'dark',
  }),
  color: colorParameter(['brand'], {
    description: "Recolors a single-color variant; `brand` is the entry's own color. 422 on multicolor variants.",
    example: '1d9bf0',
  }),
  size: integerParameter({
    ...SIDE,
    description: `Side of a square box, px; the picture is contained in it and centred. Rasters without any size: ${DEFAULT_SIDE}. Not together with \`width\` or \`height\`.`,
    example: 128,
  }),
  width: side('Width of the box, px. Without `height`, the height follows the aspect ratio.'),
  height: side('Height of the box, px. Without `width`, the width follows the aspect ratio.'),
  scale: integerParameter({
    min: 1,
    max: 4,
    absent: 1,
    description: `Device pixel ratio: multiplies the size of the result, which is at most ${MAX_RESULT_SIDE} px a side.`,
    example: 2,
  }),
  padding: integerParameter({
    min: 0,
    max: 40,
    absent: 0,
    description: "On every side, per cent of the box's shorter side.",
    example: 10,
  }),
  background: colorParameter(['transparent'], {
    description: 'Behind the picture, the whole box. Default: `transparent`.',
    example: 'white',
  }),
  radius: integerParameter({
    min: 0,
    max: 50,
    absent: 0,
    description: "Rounds the background's corners, per cent of the box's shorter side; 50 makes a circle of a square.",
    example: 20,
  }),
  rotate: enumParameter([90, 180, 270], { description: 'Degrees clockwise, after `flip`.', example: 90 }),
  flip: enumParameter(['h', 'v', 'hv'], {
    description: 'Mirrors left to right, top to bottom, or both; before `rotate`.',
    example: 'h',
  }),
  fallback: enumParameter(FALLBACKS, {
    description:
      'For an unknown slug: 404, a monogram of its initials, or an empty picture. Fallbacks answer 200 with `X-Blazon-Fallback`, and count.',
    absent: '404',
    example: 'monogram',
  }),
  download: enumParameter([1], { description: 'Sends it as a file to save.' }),
  v: patternParameter(/^[0-9A-Za-z._-]{1,64}$/, {
    description:
      "The entry's `revision`: with the current one the answer may be cached for ever, any other leads to the plain address.",
    allowed: 'a revision',
    example: '0123456789ab',
  }),
};

const WEBP_ONLY = {
  quality: integerParameter({
    min: 1,
    max: 100,
    description: 'Lossy with this quality. Absent: lossless, the smaller one for most logos.',
    example: 80,
  }),
};

const commonSchema = z.strictObject(COMMON).check(crossRules);
const webpSchema = z.strictObject({ ...COMMON, ...WEBP_ONLY }).check(crossRules);

const SCHEMAS = { svg: commonSchema, png: commonSchema, webp: webpSchema } as const;

/** What the schema of a format gives. */
export type ImageQuery = z.output<typeof webpSchema>;

/** Schema of a format's query string; unknown parameters are rejected. */
export function imageQuerySchema<Format extends ImageFormat>(format: Format): (typeof SCHEMAS)[Format] {
  return SCHEMAS[format];
}

function crossRules(context: z.core.ParsePayload<z.output<typeof commonSchema>>): void {
  const { variant, on, size, width, height, scale = 1 } = context.value;
  const reject = (field: string, message: string): void => {
    context.issues.push({ code: 'custom', path: [field], message, input: context.value });
  };
  if (on !== undefined && variant !== undefined) reject('on', 'not together with variant');
  if (size !== undefined && (width !== undefined || height !== undefined))
    reject('size', 'not together with width or height');
  if (Math.max(size ?? 0, width ?? 0, height ?? 0) * scale > MAX_RESULT_SIDE) {
    reject('scale', `the result would have a side of more than ${MAX_RESULT_SIDE} px`);
  }
}

/** Place of the picture in its box, and the background. */
export interface ImageLayout {
  /** CSS px of the box; null follows the aspect ratio. Both null (SVG only): no size, it fills its container. */
  readonly width: number | null;
  readonly height: number | null;
  readonly scale: number;
  readonly paddingPercent: number;
  /** Null is transparent. */
  readonly background: Color | null;
  readonly radiusPercent: number;
  /** Clockwise, after the flip. */
  readonly rotate: 0 | 90 | 180 | 270;
  /** Left to right. Every other mirror image is this one, rotated. */
  readonly flip: boolean;
}

/** A request, parsed. */
export interface ImageRequest {
  readonly format: ImageFormat;
  /** Null is the default one. */
  readonly variant: string | null;
  readonly on: Background | null;
  readonly color: Color | 'brand' | null;
  readonly layout: ImageLayout;
  /** WebP; null is lossless. */
  readonly quality: number | null;
  readonly fallback: Fallback | null;
  readonly download: boolean;
  readonly revision: string | null;
}

/** The request that a parsed query stands for. */
export function imageRequest(format: ImageFormat, query: ImageQuery): ImageRequest {
  const { fallback = '404', variant = 'default' } = query;
  return {
    format,
    variant: variant === 'default' ? null : variant,
    on: query.on ?? null,
    color: query.color ?? null,
    layout: imageLayout(format, query),
    quality: query.quality ?? null,
    fallback: fallback === '404' ? null : fallback,
    download: query.download !== undefined,
    revision: query.v ?? null,
  };
}

function imageLayout(format: ImageFormat, query: ImageQuery): ImageLayout {
  const { scale = 1, padding = 0, radius = 0, background = 'transparent' } = query;
  return {
    ...boxSides(format, query),
    scale,
    paddingPercent: padding,
    background: background === 'transparent' || alphaOf(background) === 0 ? null : background,
    radiusPercent: radius,
    ...orientation(query),
  };
}

function boxSides(
  format: ImageFormat,
  { size, width, height, scale = 1 }: ImageQuery,
): Pick<ImageLayout, 'width' | 'height'> {
  if (size !== undefined) return { width: size, height: size };
  if (width !== undefined || height !== undefined) return { width: width ?? null, height: height ?? null };
  // A vector has no natural size that `scale` could multiply, so it takes the raster's.
  const side = format === 'svg' && scale === 1 ? null : DEFAULT_SIDE;
  return { width: side, height: side };
}

function orientation({ rotate, flip }: ImageQuery): Pick<ImageLayout, 'rotate' | 'flip'> {
  const upsideDown = flip === 'v' || flip === 'hv';
  return {
    rotate: QUARTERS[((rotate ?? 0) / 90 + (upsideDown ? 2 : 0)) % QUARTERS.length] ?? 0,
    flip: flip === 'h' || flip === 'v',
  };
}

const QUARTERS = [0, 90, 180, 270] as const;
