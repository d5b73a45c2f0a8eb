// Picture requests: the query parameters of SVG, PNG and WebP, and the parsed request.
import type { z } from 'zod';
import { PICTURE_FORMATS, type Background, type PictureFormat } from '../catalog/entry.js';
import { alphaOf, type Color } from '../platform/text/color.js';
import {
  colorParameter,
  enumParameter,
  integerParameter,
  parameter,
  patternParameter,
} from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';

export { MAX_VISITOR_SIDE } from '../platform/http/pages/dashboard-settings.js';
export { PICTURE_FORMATS, type PictureFormat } from '../catalog/entry.js';

/** Response formats. In JPEG, transparent parts become white. */
const ANSWER_FORMATS = [...PICTURE_FORMATS, 'jpg'] as const;
export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

export const FALLBACK_PICTURES = ['monogram', 'transparent'] as const;
export type Fallback = (typeof FALLBACK_PICTURES)[number];

const SIDE = { min: 8, max: 2048 };
/** Maximum wait for the icon of a website, s. */
export const MAX_WAIT_SECONDS = 5;
/** Default side of a PNG or WebP picture, px. */
export const DEFAULT_SIDE = 256;
/** Maximum width and height of a picture after multiplication by `scale`, px. */
export const MAX_RESULT_SIDE = 4096;

const side = (description: string) => integerParameter({ ...SIDE, description, example: 128 });

const COLOR_DESCRIPTION =
  'Recolors a single-color variant. `brand` is the brand color of the entry. A multicolor variant returns 422 ' +
  '`unprocessable`.';

/** Parameters of all formats, in the order of the documentation. */
const COMMON = {
  variant: patternParameter(/^[a-z0-9][a-z0-9._-]{0,63}$/, {
    description: "Name of one of the entry's `variants`. Default: `default`.",
    allowed: 'a variant name of the entry',
    example: 'mono',
  }),
  on: enumParameter(['light', 'dark'] satisfies Background[], {
    description:
      'Background of the page. Returns the default variant if it is visible on that background, otherwise ' +
      'another variant, otherwise a lightened or darkened copy. With `variant`, the same applies to that variant.',
    example: 'dark',
  }),
  color: colorParameter(['brand'], { description: COLOR_DESCRIPTION, example: '1d9bf0' }),
  greyscale: enumParameter([0, 1], {
    absent: 0,
    description:
      '`1` converts the picture and its background to grayscale, like CSS `grayscale(1)` (Rec. 709 luma of the ' +
      'sRGB values). The opacity does not change.',
    example: 1,
  }),
  size: integerParameter({
    ...SIDE,
    description:
      'Width and height of a square box in px. The picture is centered in the box. Default for PNG and WebP: ' +
      `${DEFAULT_SIDE}, unless \`width\` or \`height\` is set. SVGs have no size by default.`,
    example: 128,
  }),
  width: side('Width of the box in px. Without `height`, the height follows the aspect ratio.'),
  height: side('Height of the box in px. Without `width`, the width follows the aspect ratio.'),
  scale: integerParameter({
    min: 1,
    max: 4,
    absent: 1,
    description: `Device pixel ratio: multiplies the size of the result, up to ${MAX_RESULT_SIDE} px per side.`,
    example: 2,
  }),
  trim: enumParameter([1], {
    description: '`1` cuts off the empty margins of the drawing before placing it in the box.',
    example: 1,
  }),
  padding: integerParameter({
    min: 0,
    max: 40,
    absent: 0,
    description: 'Padding on every side, in percent of the shorter side of the box.',
    example: 10,
  }),
  background: colorParameter(['transparent'], {
    absent: 'transparent',
    description: 'Background of the whole box.',
    example: 'white',
  }),
  radius: integerParameter({
    min: 0,
    max: 50,
    absent: 0,
    description:
      'Corner radius of the background, in percent of the shorter side of the box; 50 turns a square into a circle.',
    example: 20,
  }),
  rotate: enumParameter([90, 180, 270], { description: 'Rotation in degrees clockwise, after `flip`.', example: 90 }),
  flip: enumParameter(['h', 'v', 'hv'], {
    description: 'Mirrors left to right (`h`), top to bottom (`v`) or both; before `rotate`.',
    example: 'h',
  }),
  fallback: enumParameter(['404', ...FALLBACK_PICTURES], {
    description:
      'Response for an unknown slug: 404, a picture of its initials (`monogram`), or an empty picture ' +
      '(`transparent`). The pictures have the status 200 and the header `X-Blazon-Fallback`, and they are ' +
      'counted.',
    absent: '404',
    example: 'monogram',
  }),
  download: enumParameter([1], { description: '`1` adds `Content-Disposition: attachment`.', example: 1 }),
  v: patternParameter(/^[0-9A-Za-z._-]{1,64}$/, {
    description:
      'Current `revision` of the entry, which allows caching for a year. Any other value redirects to the same ' +
      'URL without `v`.',
    allowed: 'a revision',
    example: '0123456789ab',
  }),
};

const SVG_ONLY = {
  color: colorParameter(['brand', 'currentColor'], {
    description:
      `${COLOR_DESCRIPTION} For SVG only: \`currentColor\` uses the color of the page in which the SVG is ` +
      'inlined.',
    example: '1d9bf0',
  }),
};

const WEBP_ONLY = {
  quality: integerParameter({
    min: 1,
    max: 100,
    description: 'For WebP only: quality of lossy compression. Default: lossless, which is smaller for most logos.',
    example: 80,
  }),
};

/** Fallbacks that show a picture: the icon of the website, or a picture that this service draws. */
export const SHOWN_FALLBACKS = ['site', ...FALLBACK_PICTURES] as const;
export type ShownFallback = (typeof SHOWN_FALLBACKS)[number];

/** Fallbacks for a domain without a brand. */
export interface DomainFallback {
  /** True if the icon of the website is tried before the fallback picture. */
  readonly site: boolean;
  readonly picture: '404' | Fallback;
}

const FALLBACK_STEPS = ['404', ...SHOWN_FALLBACKS] as const;
const MAX_STEPS = FALLBACK_STEPS.length;
const STEP_PATTERN = `(?:${FALLBACK_STEPS.join('|')})`;

/** Parameters of routes about a domain. */
const DOMAIN = {
  fallback: parameter<DomainFallback>({
    description:
      'Responses for an unknown domain, tried in order: the icon of the site itself (`site`, if the operator allows it), a ' +
      'monogram, an empty picture, or 404. Pictures have the status 200 and `X-Blazon-Fallback`, and are counted.',
    allowed: [...FALLBACK_STEPS, `or up to ${MAX_STEPS} of them, separated by commas`],
    schema: { type: 'string', pattern: `^${STEP_PATTERN}(?:,${STEP_PATTERN}){0,${MAX_STEPS - 1}}$` },
    absent: '404',
    example: 'site,monogram',
    read: readFallback,
  }),
  wait: integerParameter({
    min: 0,
    max: MAX_WAIT_SECONDS,
    absent: MAX_WAIT_SECONDS,
    description:
      'Maximum number of seconds to wait while the icon of a site is fetched for the first time. With `0`, the response is ' +
      'the next fallback, and the icon is fetched in the background.',
    example: 2,
  }),
};

function readFallback(text: string) {
  const steps = text.split(',');
  const isKnown = steps.every((step) => FALLBACK_STEPS.some((known) => known === step));
  if (!isKnown || steps.length > MAX_STEPS) return { ok: false, reason: 'not a list of the allowed values' } as const;
  const picture = (['404', ...FALLBACK_PICTURES] as const)
    .filter((known) => steps.includes(known))
    .sort((one, other) => steps.indexOf(one) - steps.indexOf(other))[0];
  const place = steps.indexOf('site');
  const site = place !== -1 && (picture === undefined || place < steps.indexOf(picture));
  return { ok: true, value: { site, picture: picture ?? '404' } } as const;
}

/** Parameter of routes that can answer in any format. */
const FORMAT = {
  format: enumParameter(ANSWER_FORMATS, {
    absent: 'png',
    description: 'Format of the picture. `jpg` uses `background`, or white, and counts as `png`.',
    example: 'svg',
  }),
};

const RULES = [{ parameter: 'size', notWith: ['width', 'height'] }] as const;
/** Rules for parameters that only one format allows. */
const FORMAT_RULES = [
  { parameter: 'quality', onlyWith: { parameter: 'format', value: 'webp' } },
  { parameter: 'color', value: 'currentColor', onlyWith: { parameter: 'format', value: 'svg' } },
] as const;

/** Schemas of query strings, by format. Unknown parameters are rejected. */
export const PICTURE_QUERIES = {
  svg: querySchema({ ...COMMON, ...SVG_ONLY }, RULES).check(limitResult),
  png: querySchema(COMMON, RULES).check(limitResult),
  webp: querySchema({ ...COMMON, ...WEBP_ONLY }, RULES).check(limitResult),
} as const;

interface SizeQuery {
  readonly size?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly scale?: number | undefined;
}

/** Schema of the query string of a picture by domain, with the parameter `format`. */
export const domainQuerySchema = querySchema({ ...FORMAT, ...COMMON, ...SVG_ONLY, ...WEBP_ONLY, ...DOMAIN }, [
  ...RULES,
  ...FORMAT_RULES,
]).check(limitResult);

interface AnyFormat {
  readonly format?: AnswerFormat | undefined;
}

export type PictureQuery = Omit<z.output<typeof PICTURE_QUERIES.webp>, 'color'> &
  Pick<z.output<typeof PICTURE_QUERIES.svg>, 'color'>;

function limitResult({ value, issues }: z.core.ParsePayload<SizeQuery>): void {
  const { size = 0, width = 0, height = 0, scale = 1 } = value;
  if (Math.max(size, width, height) * scale <= MAX_RESULT_SIDE) return;
  const message = `the result would have a side of more than ${MAX_RESULT_SIDE} px`;
  issues.push({ code: 'custom', path: ['scale'], message, input: value });
}

export interface PictureLayout {
  /**
   * Width and height in CSS px. If one is null, it follows from the aspect ratio. Both are null for an SVG that fills
   * its container.
   */
  readonly width: number | null;
  readonly height: number | null;
  readonly scale: number;
  /** Maximum width and height of the picture, px. */
  readonly maxSide: number;
  readonly paddingPercent: number;
  /** Color, or null for a transparent background. */
  readonly background: Color | null;
  readonly radiusPercent: number;
  /** Clockwise rotation in degrees. Flipping comes first. */
  readonly rotate: 0 | 90 | 180 | 270;
  /** True if empty margins of the drawing are cut off. */
  readonly trim: boolean;
  /** True if the picture is mirrored left to right. Vertical mirroring is this option with a rotation by 180°. */
  readonly flip: boolean;
}

export interface PictureRequest {
  readonly format: AnswerFormat;
  /** Name of the variant, or null for the default. */
  readonly variant: string | null;
  readonly on: Background | null;
  /**
   * Variants that take precedence over `variant`: the first of these names that the entry has. `symbol` means the
   * variant that is clearest at 16 px. If there is none, `variant` is used. A `color` that the chosen variant can't
   * have is ignored.
   */
  readonly preferred?: readonly string[] | 'symbol';
  /** Color of the drawing, or null for its own colors. Only SVG allows `currentColor`. */
  readonly color: Color | 'brand' | 'currentColor' | null;
  /** For SVG: color that replaces `color` on dark pages (`prefers-color-scheme`). */
  readonly darkColor?: Color | 'brand';
  readonly greyscale: boolean;
  readonly layout: PictureLayout;
  /** Quality of lossy WebP, or null for lossless. */
  readonly quality: number | null;
  readonly fallback: Fallback | null;
  readonly download: boolean;
  readonly revision: string | null;
}

/**
 * Returns the request for a parsed query. `maxSide` limits width and height, even if one of them follows from the
 * aspect ratio.
 */
export function pictureRequest(format: AnswerFormat, query: PictureQuery, maxSide = MAX_RESULT_SIDE): PictureRequest {
  const { fallback = '404', variant = 'default' } = query;
  return {
    format,
    variant: variant === 'default' ? null : variant,
    on: query.on ?? null,
    color: query.color ?? null,
    greyscale: query.greyscale === 1,
    layout: { ...pictureLayout(format, query), maxSide },
    quality: query.quality ?? null,
    fallback: fallback === '404' ? null : fallback,
    download: query.download !== undefined,
    revision: query.v ?? null,
  };
}

export function formatOf({ format = 'png' }: AnyFormat): AnswerFormat {
  return format;
}

export function bucketOfFormat(format: AnswerFormat): PictureFormat {
  return format === 'jpg' ? 'png' : format;
}

function pictureLayout(format: AnswerFormat, query: PictureQuery): Omit<PictureLayout, 'maxSide'> {
  const { scale = 1, padding = 0, radius = 0, background = 'transparent' } = query;
  return {
    scale,
    ...boxSides(format, query),
    trim: query.trim !== undefined,
    paddingPercent: padding,
    background: background === 'transparent' || alphaOf(background) === 0 ? null : background,
    radiusPercent: radius,
    ...orientation(query),
  };
}

function boxSides(
  format: AnswerFormat,
  { size, width, height, scale = 1 }: PictureQuery,
): Pick<PictureLayout, 'width' | 'height'> {
  if (size !== undefined) return { width: size, height: size };
  if (width !== undefined || height !== undefined) return { width: width ?? null, height: height ?? null };
  // An SVG has no natural size that `scale` could multiply. With `scale`, an SVG therefore has the default size of PNG
  // and WebP.
  const side = format === 'svg' && scale === 1 ? null : DEFAULT_SIDE;
  return { width: side, height: side };
}

function orientation({ rotate, flip }: PictureQuery): Pick<PictureLayout, 'rotate' | 'flip'> {
  const upsideDown = flip === 'v' || flip === 'hv';
  return {
    rotate: QUARTERS[((rotate ?? 0) / 90 + (upsideDown ? 2 : 0)) % QUARTERS.length] ?? 0,
    flip: flip === 'h' || flip === 'v',
  };
}

const QUARTERS = [0, 90, 180, 270] as const;
