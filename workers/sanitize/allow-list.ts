// Lists the elements and attributes that a sanitized drawing may contain, with the function that reads the value of
// each attribute.
import * as read from './attribute-values.js';
import type { ValueReader } from './attribute-values.js';

type Attributes = Readonly<Record<string, ValueReader>>;

/** Attributes that copy-allowed.ts reads as colors: colors of paints, stops, floods and lights. */
export const COLOR_ATTRIBUTES: ReadonlySet<string> = new Set([
  'fill',
  'stroke',
  'stop-color',
  'flood-color',
  'lighting-color',
]);

const PRESENTATION: Attributes = {
  'fill-opacity': read.share,
  'fill-rule': read.oneOf('nonzero', 'evenodd'),
  'stroke-opacity': read.share,
  'stroke-width': read.positive,
  'stroke-linecap': read.oneOf('butt', 'round', 'square'),
  'stroke-linejoin': read.oneOf('miter', 'round', 'bevel'),
  'stroke-miterlimit': read.number,
  'stroke-dasharray': read.dashes,
  'stroke-dashoffset': read.number,
  opacity: read.share,
  display: read.oneOf('none', 'inline'),
  visibility: read.oneOf('visible', 'hidden', 'collapse'),
  overflow: read.oneOf('visible', 'hidden'),
  'clip-path': read.localReference,
  'clip-rule': read.oneOf('nonzero', 'evenodd'),
  mask: read.localReference,
  'mask-type': read.oneOf('luminance', 'alpha'),
  filter: read.localReference,
  'mix-blend-mode': read.oneOf(
    ...['multiply', 'screen', 'overlay', 'darken', 'lighten', 'color-dodge', 'color-burn', 'hard-light'],
    ...['soft-light', 'difference', 'exclusion', 'hue', 'saturation', 'color', 'luminosity'],
  ),
  isolation: read.oneOf('isolate'),
  'paint-order': read.oneOf(
    'normal',
    'fill',
    'stroke',
    'fill stroke',
    'stroke fill',
    'stroke fill markers',
    'fill stroke markers',
    'markers fill stroke',
  ),
  'shape-rendering': read.oneOf('auto', 'crispEdges', 'geometricPrecision', 'optimizeSpeed'),
  'color-interpolation-filters': read.oneOf('sRGB', 'linearRGB'),
};

const GRAPHIC: Attributes = { ...PRESENTATION, transform: read.transform };
const BOX: Attributes = {
  x: read.number,
  y: read.number,
  width: read.positive,
  height: read.positive,
};
const UNITS = read.oneOf('userSpaceOnUse', 'objectBoundingBox');
const LINE: Attributes = {
  x1: read.number,
  y1: read.number,
  x2: read.number,
  y2: read.number,
};
const CIRCLE: Attributes = { cx: read.number, cy: read.number, r: read.positive };
const FOCUS: Attributes = { fx: read.number, fy: read.number, fr: read.positive };
const GRADIENT: Attributes = {
  gradientUnits: UNITS,
  gradientTransform: read.transform,
  spreadMethod: read.oneOf('pad', 'reflect', 'repeat'),
};
const FILTER_INPUT = read.matching(/^[\w-]{1,60}$/);
const PRIMITIVE: Attributes = {
  ...BOX,
  in: FILTER_INPUT,
  result: FILTER_INPUT,
  'color-interpolation-filters': read.oneOf('sRGB', 'linearRGB'),
};
const FLOOD: Attributes = { 'flood-opacity': read.share };
const LIGHT_COLOR: Attributes = { ...PRIMITIVE, surfaceScale: read.number, kernelUnitLength: read.numberList(2) };
const CHANNEL = read.oneOf('R', 'G', 'B', 'A');
const TRANSFER: Attributes = {
  type: read.oneOf('identity', 'table', 'discrete', 'linear', 'gamma'),
  tableValues: read.numberList(64),
  ...Object.fromEntries(
    ['slope', 'intercept', 'amplitude', 'exponent', 'offset'].map((name) => [name, read.plainNumber]),
  ),
};
const POINT: Attributes = { x: read.number, y: read.number, z: read.number };

export const ELEMENTS: Readonly<Record<string, Attributes>> = {
  g: GRAPHIC,
  defs: GRAPHIC,
  path: { ...GRAPHIC, d: read.pathData },
  rect: { ...GRAPHIC, ...BOX, rx: read.positive, ry: read.positive },
  circle: { ...GRAPHIC, ...CIRCLE },
  ellipse: { ...GRAPHIC, cx: read.number, cy: read.number, rx: read.positive, ry: read.positive },
  line: { ...GRAPHIC, ...LINE },
  polyline: { ...GRAPHIC, points: read.points },
  polygon: { ...GRAPHIC, points: read.points },
  linearGradient: { ...GRADIENT, ...LINE },
  radialGradient: { ...GRADIENT, ...CIRCLE, ...FOCUS },
  stop: { offset: read.share, 'stop-opacity': read.share },
  clipPath: { ...GRAPHIC, clipPathUnits: UNITS },
  mask: { ...PRESENTATION, ...BOX, maskUnits: UNITS, maskContentUnits: UNITS },
  pattern: {
    ...PRESENTATION,
    ...BOX,
    patternUnits: UNITS,
    patternContentUnits: UNITS,
    patternTransform: read.transform,
    viewBox: read.numberList(4),
    preserveAspectRatio: read.matching(/^(?:none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?)$/),
  },
  filter: {
    ...BOX,
    filterUnits: UNITS,
    primitiveUnits: UNITS,
    'color-interpolation-filters': read.oneOf('sRGB', 'linearRGB'),
  },
  feBlend: { ...PRIMITIVE, in2: FILTER_INPUT, mode: read.matching(/^[a-z-]{1,20}$/) },
  feColorMatrix: {
    ...PRIMITIVE,
    type: read.oneOf('matrix', 'saturate', 'hueRotate', 'luminanceToAlpha'),
    values: read.numberList(20),
  },
  feComponentTransfer: PRIMITIVE,
  feComposite: {
    ...PRIMITIVE,
    in2: FILTER_INPUT,
    operator: read.oneOf('over', 'in', 'out', 'atop', 'xor', 'lighter', 'arithmetic'),
    ...{ k1: read.number, k2: read.number, k3: read.number, k4: read.number },
  },
  feConvolveMatrix: {
    ...PRIMITIVE,
    ...{ order: read.numberList(2), kernelMatrix: read.numberList(25), divisor: read.number },
    ...{ targetX: read.number, targetY: read.number, edgeMode: read.oneOf('duplicate') },
    preserveAlpha: read.oneOf('false'),
  },
  feDiffuseLighting: { ...LIGHT_COLOR, diffuseConstant: read.number },
  feDisplacementMap: {
    ...PRIMITIVE,
    ...{ in2: FILTER_INPUT, scale: read.number, xChannelSelector: CHANNEL, yChannelSelector: CHANNEL },
  },
  feDistantLight: { azimuth: read.number, elevation: read.number },
  feDropShadow: { ...PRIMITIVE, ...FLOOD, dx: read.number, dy: read.number, stdDeviation: read.numberList(2) },
  feFlood: { ...PRIMITIVE, ...FLOOD },
  feFuncA: TRANSFER,
  feFuncB: TRANSFER,
  feFuncG: TRANSFER,
  feFuncR: TRANSFER,
  feGaussianBlur: { ...PRIMITIVE, stdDeviation: read.numberList(2), edgeMode: read.oneOf('none') },
  feMerge: PRIMITIVE,
  feMergeNode: { in: FILTER_INPUT },
  feMorphology: { ...PRIMITIVE, operator: read.oneOf('erode', 'dilate'), radius: read.numberList(2) },
  feOffset: { ...PRIMITIVE, dx: read.number, dy: read.number },
  fePointLight: POINT,
  feSpecularLighting: { ...LIGHT_COLOR, specularConstant: read.number, specularExponent: read.number },
  feSpotLight: {
    ...POINT,
    ...{ pointsAtX: read.number, pointsAtY: read.number, pointsAtZ: read.number, specularExponent: read.number },
  },
  feTurbulence: {
    ...PRIMITIVE,
    ...{ baseFrequency: read.numberList(2), numOctaves: read.matching(/^[1-8]$/), seed: read.number },
    stitchTiles: read.oneOf('noStitch'),
    type: read.oneOf('fractalNoise', 'turbulence'),
  },
};

/**
 * Element → attribute that selects the unit of its numbers. Without this attribute, numbers and percentages refer to
 * the box of the painted object.
 */
export const BOX_UNITS: ReadonlyMap<string, string> = new Map([
  ['linearGradient', 'gradientUnits'],
  ['radialGradient', 'gradientUnits'],
  ['mask', 'maskUnits'],
  ['pattern', 'patternUnits'],
  ['filter', 'filterUnits'],
]);

/**
 * Attributes of the elements in BOX_UNITS. If the unit is `objectBoundingBox`, their numbers are shares of the painted
 * object's box.
 */
export const BOX_ATTRIBUTES: ReadonlySet<string> = new Set(Object.keys({ ...BOX, ...LINE, ...CIRCLE, ...FOCUS }));
