// Converts values of CSS properties to values of presentation attributes. Invalid values, which browsers ignore, become
// undefined.
import { formatHex8, interpolate, interpolateWithPremultipliedAlpha, parse } from 'culori';
import { parseColor } from '../svg/css-color.js';
import { cssTransform, isInSpace, svgTransform } from './css-transform.js';

type Reader = (value: string) => string | undefined;

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?`;
const LENGTH = new RegExp(`^${NUMBER}(?:[a-z]{1,5}|%)?$`, 'i');
const KEYWORDS = /^(?:inherit|initial|unset|revert|revert-layer)$/i;

const matching =
  (pattern: RegExp): Reader =>
  (value) =>
    pattern.test(value) ? value : undefined;
/** Reads a length. Converts units to lower case, and quarter millimeters (`Q`) to px. */
const length: Reader = (value) => {
  if (!LENGTH.test(value)) return undefined;
  return /q$/i.test(value) ? String((Number.parseFloat(value) * 96) / 101.6) : value.toLowerCase();
};
const share = matching(new RegExp(`^${NUMBER}%?$`, 'i'));
const lower: Reader = (value) => value.toLowerCase();

/**
 * Matches a paint such as `url(#id) red`. Whether the fallback `red` applies is only known when the target of the id is
 * known.
 */
const REFERENCE = /^(url\((?:"[^"]*"|'[^']*'|[^)]*)\))([\s\S]*)$/i;

const paint: Reader = (value) => {
  const [, url, fallback = ''] = REFERENCE.exec(value) ?? [];
  if (url !== undefined) {
    const rest = fallback.trim() === '' ? '' : paint(fallback.trim());
    return rest === undefined ? undefined : `${url} ${rest}`.trim();
  }
  if (/^(?:none|context-fill|context-stroke)$/i.test(value)) return value.toLowerCase();
  return color(value);
};

const color: Reader = (value) => {
  if (/^currentcolor$/i.test(value)) return 'currentColor';
  const [, name, inside = ''] = /^(light-dark|color-mix)\(([\s\S]*)\)$/i.exec(value) ?? [];
  if (name === undefined) return parseColor(value) === undefined ? undefined : value;
  const parts = splitArguments(inside);
  if (name.toLowerCase() === 'light-dark') return parts.length === 2 ? color(parts[0] ?? '') : undefined;
  return mixed(parts);
};

/** Color space of `color-mix` → name of this color space in the package culori. */
const COLOR_SPACES: ReadonlyMap<string, 'rgb' | 'lrgb' | 'lab' | 'oklab' | 'lch' | 'oklch' | 'hsl' | 'hwb'> = new Map([
  ...([
    ['srgb', 'rgb'],
    ['srgb-linear', 'lrgb'],
    ['lab', 'lab'],
    ['oklab', 'oklab'],
  ] as const),
  ...([
    ['lch', 'lch'],
    ['oklch', 'oklch'],
    ['hsl', 'hsl'],
    ['hwb', 'hwb'],
  ] as const),
]);

const POLAR: ReadonlySet<string> = new Set(['lch', 'oklch', 'hsl', 'hwb']);
/** Matches a percentage before or after a color. */
const SHARE = /^[\d.]+%(?=\s)|(?<=\s)[\d.]+%$/;

/** Returns a mixed color, such as `color-mix(in srgb, red 30%, blue)`, as hex digits. */
function mixed([method = '', ...colors]: readonly string[]): string | undefined {
  const mode = COLOR_SPACES.get(/^in\s+([\w-]+)/.exec(method)?.[1] ?? '');
  if (mode === undefined || colors.length !== 2) return undefined;
  const shares = colors.map(shareOf);
  const [one, other] = colors.map((part) => parse(color(part.replace(SHARE, '').trim()) ?? ''));
  if (one === undefined || other === undefined) return undefined;
  const [first = 1 - (shares[1] ?? 0.5), second = 1 - first] = shares;
  const sum = first + second;
  if (sum <= 0 || Math.max(first, second) > 1) return undefined;
  // Polar color spaces have a hue, and a hue must not be multiplied by alpha.
  const mix = (POLAR.has(mode) ? interpolate : interpolateWithPremultipliedAlpha)([one, other], mode)(second / sum);
  // If the percentages add up to less than 100 %, the rest of the mixture is transparent.
  return formatHex8({ ...mix, alpha: (mix.alpha ?? 1) * Math.min(1, sum) });
}

/**
 * Returns the percentage in one color argument of `color-mix()`, such as `red 30%`, as a number from 0 to 1. Returns
 * undefined if the argument has no percentage.
 */
function shareOf(part: string): number | undefined {
  const text = SHARE.exec(part)?.[0];
  return text === undefined ? undefined : Number.parseFloat(text) / 100;
}

function splitArguments(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  return parts.map((part) => part.trim());
}

const oneOf = (...words: readonly string[]): Reader => matching(new RegExp(`^(?:${words.join('|')})$`, 'i'));

/** Matches a blur without a unit. Browsers accept a radius without a unit only in shadows. */
const UNITLESS_BLUR = /blur\(\s*(?=[\d.]*[1-9])[\d.]+\s*\)/i;
const filter: Reader = (value) => (UNITLESS_BLUR.test(value) ? undefined : reference(value));

const BLEND_MODES =
  /^(?:normal|multiply|screen|overlay|darken|lighten|color-dodge|color-burn|hard-light|soft-light|difference|exclusion|hue|saturation|color|luminosity|plus-lighter)$/i;

const reference: Reader = (value) => (/^none$/i.test(value) || /^[a-z-]+\(/i.test(value) ? value : undefined);

/**
 * Known properties, each with the function that reads its values. Elements inherit the properties in INHERITED, but not
 * the properties in OWN.
 */
const INHERITED: Readonly<Record<string, Reader>> = {
  color,
  fill: paint,
  stroke: paint,
  'fill-opacity': share,
  'fill-rule': oneOf('nonzero', 'evenodd'),
  'stroke-opacity': share,
  'stroke-width': (value) => (value.startsWith('-') ? undefined : length(value)),
  'stroke-linecap': oneOf('butt', 'round', 'square'),
  'stroke-linejoin': oneOf('miter', 'round', 'bevel', 'miter-clip', 'arcs'),
  'stroke-miterlimit': share,
  'stroke-dasharray': (value) =>
    value === 'none' || value.split(/[\s,]+/).every((part) => LENGTH.test(part)) ? value.toLowerCase() : undefined,
  'stroke-dashoffset': length,
  visibility: oneOf('visible', 'hidden', 'collapse'),
  'clip-rule': oneOf('nonzero', 'evenodd'),
  'paint-order': (value) =>
    value.split(/\s+/).every((word) => /^(?:normal|fill|stroke|markers)$/.test(word)) ? value : undefined,
  'shape-rendering': (value) =>
    ['auto', 'crispEdges', 'geometricPrecision', 'optimizeSpeed'].find(
      (word) => word.toLowerCase() === value.toLowerCase(),
    ),
  'color-interpolation': oneOf('auto', 'srgb', 'linearrgb'),
  'color-interpolation-filters': oneOf('auto', 'srgb', 'linearrgb'),
  marker: reference,
  'marker-start': reference,
  'marker-mid': reference,
  'marker-end': reference,
  'font-size': length,
};
const GEOMETRY = ['x', 'y', 'cx', 'cy', 'r', 'rx', 'ry', 'width', 'height'];
const OWN: Readonly<Record<string, Reader>> = {
  'stop-color': color,
  'stop-opacity': share,
  'flood-color': color,
  'flood-opacity': share,
  'lighting-color': color,
  opacity: share,
  display: matching(/^[a-z-]+(?:\s+[a-z-]+)?$/i),
  overflow: oneOf('visible', 'hidden', 'scroll', 'auto', 'clip'),
  'clip-path': reference,
  mask: reference,
  'mask-type': oneOf('luminance', 'alpha'),
  filter,
  'mix-blend-mode': matching(BLEND_MODES),
  isolation: oneOf('auto', 'isolate'),
  // Keeps a three-dimensional transform, so that a later step can reject the drawing if the element is drawn.
  transform: (value) => (cssTransform(value) === undefined && !isInSpace(value) ? undefined : value),
  translate: matching(/^(?:none|[\d.+-][^;]*)$/),
  rotate: matching(/^(?:none|[\d.+-][^;]*)$/),
  scale: matching(/^(?:none|[\d.+-][^;]*)$/),
  'transform-origin': matching(/^[\w\s.%+-]+$/),
  'transform-box': lower,
  'vector-effect': lower,
  background: (value) => value,
  'background-color': color,
  'background-image': (value) => value,
  animation: (value) => value,
  'animation-name': (value) => value,
  d: (value) => (/^none$/i.test(value) ? '' : /^path\(\s*["']([^"']*)["']\s*\)$/.exec(value)?.[1]),
  ...Object.fromEntries(GEOMETRY.map((name) => [name, length])),
};

/** Properties without a presentation attribute. */
export const CSS_ONLY: ReadonlySet<string> = new Set([
  ...['mix-blend-mode', 'isolation', 'translate', 'rotate', 'scale', 'transform-box', 'background', 'background-color'],
  ...['background-image', 'animation', 'animation-name', 'marker'],
]);

/** Matches lengths and angles without a unit. In CSS, only 0 may have no unit. */
const UNITLESS = /(?:translate|rotate|skew)[a-z\d]*\([^()]*\d\.?(?=[\s,)])(?<![\s(,+-]0)/i;

const INITIAL: Readonly<Record<string, string>> = {
  ...{
    fill: '#000',
    stroke: 'none',
    'fill-opacity': '1',
    'stroke-opacity': '1',
    'stroke-width': '1',
    visibility: 'visible',
  },
  ...{ 'fill-rule': 'nonzero', 'clip-rule': 'nonzero', 'stroke-dasharray': 'none', color: '#000', overflow: 'visible' },
};

const isInherited = (property: string): boolean => Object.hasOwn(INHERITED, property);

/**
 * Reads the value of a CSS property. Returns it in canonical form, or `inherit`, `initial` or `unset`. Returns
 * undefined for an invalid value, and null for an unknown property.
 */
export function readValue(property: string, value: string): string | null | undefined {
  const table = Object.hasOwn(INHERITED, property) ? INHERITED : OWN;
  if (!Object.hasOwn(table, property)) return null;
  if (value === '' || (property === 'transform' && UNITLESS.test(value))) return undefined;
  if (KEYWORDS.test(value)) return value.toLowerCase().startsWith('revert') ? 'unset' : value.toLowerCase();
  return table[property]?.(value);
}

/**
 * Reads the value of an attribute, like `readValue` with two exceptions. Returns null for path data, which needs no
 * conversion in an attribute. A transform is invalid if it has units.
 */
export function readAttribute(property: string, value: string): string | null | undefined {
  if (property === 'd') return null;
  if (property !== 'transform') return readValue(property, value);
  return svgTransform(value) === undefined ? undefined : value;
}

/**
 * Returns the value that `inherit`, `initial` or `unset` has for this property, or undefined if the attribute must be
 * removed.
 */
export function valueOfKeyword(property: string, keyword: string, inherited: string | undefined): string | undefined {
  if (keyword === 'initial') return INITIAL[property];
  if (GEOMETRY.includes(property)) return undefined;
  if (keyword === 'inherit' && !isInherited(property)) return inherited ?? INITIAL[property];
  return undefined;
}
