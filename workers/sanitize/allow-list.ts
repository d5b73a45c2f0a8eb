// Allow-list: the elements that may stay, their attributes, and the reader of each. All else is dropped.
import * as read from './attribute-values.js';
import type { Reader } from './attribute-values.js';

type Attributes = Readonly<Record<string, Reader>>;

/** Colors are not read here: paint, stop, flood and lighting colors go through copy-attributes.ts. */
export const COLOR_ATTRIBUTES: ReadonlySet<string> = new Set(['fill', 'stroke', 'stop-color', 'flood-color']);

const PRESENTATION: Attributes = {
  'fill-opacity': read.share,
  'fill-rule': read.oneOf('nonzero', 'evenodd'),
  'stroke-opacity': read.share,
  'stroke-width': read.length('diagonal', 'positive'),
  'stroke-linecap': read.oneOf('butt', 'round', 'square'),
  'stroke-linejoin': read.oneOf('miter', 'round', 'bevel'),
  'stroke-miterlimit': read.number,
  'stroke-dasharray': read.dashes,
  'stroke-dashoffset': read.length('diagonal'),
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
  x: read.length('x'),
  y: read.length('y'),
  width: read.length('x', 'positive'),
  height: read.length('y', 'positive'),
};
const UNITS = read.oneOf('userSpaceOnUse', 'objectBoundingBox');
const LINE: Attributes = {
  x1: read.length('x'),
  y1: read.length('y'),
  x2: read.length('x'),
  y2: read.length('y'),
};
const CIRCLE: Attributes = { cx: read.length('x'), cy: read.length('y'), r: read.length('diagonal', 'positive') };
const FOCUS: Attributes = { fx: read.length('x'), fy: read.length('y'), fr: read.length('diagonal', 'positive') };
const GRADIENT: Attributes = {
  href: read.localHref,
  gradientUnits: UNITS,
  gradientTransform: read.transform,
  spreadMethod: read.oneOf('pad', 'reflect', 'repeat'),
};
const RATIO = read.matching(/^(?:none|x(?:Min|Mid|Max)Y(?:Min|Mid|Max)(?: (?:meet|slice))?)$/);
const FILTER_INPUT = read.matching(/^[\w-]{1,60}$/);
const PRIMITIVE: Attributes = {
  ...BOX,
  in: FILTER_INPUT,
  result: FILTER_INPUT,
  'color-interpolation-filters': read.oneOf('sRGB', 'linearRGB'),
};
const FLOOD: Attributes = { 'flood-opacity': read.share };
export const ELEMENTS: Readonly<Record<string, Attributes>> = {
  svg: { ...GRAPHIC, ...BOX, viewBox: read.numberList(4), preserveAspectRatio: RATIO },
  g: GRAPHIC,
  defs: GRAPHIC,
  symbol: { ...PRESENTATION, viewBox: read.numberList(4), preserveAspectRatio: RATIO },
  use: { ...GRAPHIC, ...BOX, href: read.localHref },
  path: { ...GRAPHIC, d: read.pathData },
  rect: { ...GRAPHIC, ...BOX, rx: read.length('x', 'positive'), ry: read.length('y', 'positive') },
  circle: { ...GRAPHIC, ...CIRCLE },
  ellipse: {
    ...GRAPHIC,
    cx: read.length('x'),
    cy: read.length('y'),
    rx: read.length('x', 'positive'),
    ry: read.length('y', 'positive'),
  },
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
    preserveAspectRatio: RATIO,
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
  feComposite: {
    ...PRIMITIVE,
    in2: FILTER_INPUT,
    operator: read.oneOf('over', 'in', 'out', 'atop', 'xor', 'lighter', 'arithmetic'),
    k1: read.number,
    k2: read.number,
    k3: read.number,
    k4: read.number,
  },
  feDropShadow: { ...PRIMITIVE, ...FLOOD, dx: read.number, dy: read.number, stdDeviation: read.numberList(2) },
  feFlood: { ...PRIMITIVE, ...FLOOD },
  feGaussianBlur: { ...PRIMITIVE, stdDeviation: read.numberList(2), edgeMode: read.oneOf('none') },
  feMerge: PRIMITIVE,
  feMergeNode: { in: FILTER_INPUT },
  feMorphology: { ...PRIMITIVE, operator: read.oneOf('erode', 'dilate'), radius: read.numberList(2) },
  feOffset: { ...PRIMITIVE, dx: read.number, dy: read.number },
};

/** Elements whose percentages and bare numbers refer to the painted object's box, unless the attribute of this name says otherwise. */
export const BOX_UNITS: ReadonlyMap<string, string> = new Map([
  ['linearGradient', 'gradientUnits'],
  ['radialGradient', 'gradientUnits'],
  ['mask', 'maskUnits'],
  ['pattern', 'patternUnits'],
  ['filter', 'filterUnits'],
]);

/** Attributes of these elements that do. */
export const BOX_ATTRIBUTES: ReadonlySet<string> = new Set(Object.keys({ ...BOX, ...LINE, ...CIRCLE, ...FOCUS }));
