// Converts CSS and SVG transforms to matrices. Handles units, keywords, percentages of a reference box, and origins.
import { formatNumber } from '../svg/svg-tree.js';

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const MAX_CALLS = 50;
export const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const PART = new RegExp(`(${NUMBER})([a-z%]*)`, 'gi');
/** Unit → size in px. Units of fonts assume the default font size, 16 px. */
export const UNIT_PX: Readonly<Record<string, number>> = {
  ...{
    '': 1,
    px: 1,
    pt: 4 / 3,
    pc: 16,
    mm: 96 / 25.4,
    cm: 96 / 2.54,
    in: 96,
    q: 96 / 101.6,
    em: 16,
    rem: 16,
    ex: 8,
    ch: 8,
  },
};
const UNIT_DEG: Readonly<Record<string, number>> = { '': 1, deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

export function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function matrixText(matrix: Matrix): string {
  return `matrix(${matrix.map(formatNumber).join(' ')})`;
}

const translation = (x: number, y: number): Matrix => [1, 0, 0, 1, x, y];

interface Part {
  readonly value: number;
  readonly unit: string;
}

const px = ({ value, unit }: Part, per: number): number =>
  unit === '%' ? (value / 100) * per : Object.hasOwn(UNIT_PX, unit) ? value * (UNIT_PX[unit] ?? 1) : Number.NaN;
const radians = ({ value, unit }: Part): number =>
  Object.hasOwn(UNIT_DEG, unit) ? (value * (UNIT_DEG[unit] ?? 1) * Math.PI) / 180 : Number.NaN;
const plain = ({ value, unit }: Part): number => (unit === '' ? value : unit === '%' ? value / 100 : Number.NaN);

/** Parses a CSS transform. Percentages refer to `box`. Returns undefined for invalid text, which browsers ignore. */
export function cssTransform(text: string, box: Box = { x: 0, y: 0, width: 0, height: 0 }): Matrix | undefined {
  if (['', 'none'].includes(text.trim().toLowerCase())) return IDENTITY;
  let matrix = IDENTITY;
  let calls = 0;
  const call = /\s*([a-zA-Z][a-zA-Z\d]*)\s*\(([^()]*)\)[\s,]*/y;
  while (call.lastIndex < text.length) {
    const [, name, inside] = call.exec(text) ?? [];
    const next = name === undefined ? undefined : callMatrix(name.toLowerCase(), partsOf(inside ?? ''), box);
    if (next === undefined || !next.every(Number.isFinite) || ++calls > MAX_CALLS) return undefined;
    matrix = multiply(matrix, next);
  }
  return matrix;
}

const ATTRIBUTE = /^(?:[\s,]*(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([\s\d.,eE+-]*\))*[\s,]*$/;

/**
 * Parses a transform attribute. Returns undefined for text that is invalid in attributes: units, and functions that
 * exist only in CSS. Browsers ignore a transform with invalid text.
 */
export function svgTransform(text: string): Matrix | undefined {
  return ATTRIBUTE.test(text) ? cssTransform(text) : undefined;
}

const IN_SPACE = /(?:matrix3d|rotate3d|rotatex|rotatey|perspective)\s*\(/i;

/** Returns true if the transform rotates the element in three dimensions. */
export function isInSpace(text: string): boolean {
  return IN_SPACE.test(text);
}

/** Parses a list of numbers with units. Returns an empty list for any other text. */
function partsOf(text: string): readonly Part[] {
  if (text.replace(PART, '').replace(/[\s,]/g, '') !== '') return [];
  return [...text.matchAll(PART)].map(([, value, unit]) => ({
    value: Number(value),
    unit: (unit ?? '').toLowerCase(),
  }));
}

const ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  ...{ matrix: [6], translate: [1, 2], translatex: [1], translatey: [1], scale: [1, 2], scalex: [1], scaley: [1] },
  ...{ rotate: [1, 3], rotatez: [1], skew: [1, 2], skewx: [1], skewy: [1] },
  // The effect of these functions in the third dimension is ignored, because it is invisible without perspective.
  ...{ translate3d: [3], translatez: [1], scale3d: [3], scalez: [1] },
};

// oxlint-disable-next-line complexity -- one line for each kind of call
function callMatrix(name: string, parts: readonly Part[], { width, height }: Box): Matrix | undefined {
  if (!Object.hasOwn(ARGUMENTS, name) || ARGUMENTS[name]?.includes(parts.length) !== true) return undefined;
  const [first = { value: 0, unit: '' }, second, third] = parts;
  if (name === 'translatez' || name === 'scalez') return IDENTITY;
  if (name === 'matrix') return parts.map(plain) as unknown as Matrix;
  if (name === 'translatey') return translation(0, px(first, height));
  if (name.startsWith('translate')) return translation(px(first, width), second === undefined ? 0 : px(second, height));
  if (name.startsWith('scale')) return scaling(name, plain(first), second && plain(second));
  if (name.startsWith('skew')) {
    const [x, y] =
      name === 'skewy' ? [0, radians(first)] : [radians(first), second === undefined ? 0 : radians(second)];
    return [1, Math.tan(y), Math.tan(x), 1, 0, 0];
  }
  const turn = rotation(radians(first));
  if (second === undefined || third === undefined) return turn;
  return around(turn, px(second, width), px(third, height));
}

function scaling(name: string, first: number, second: number | undefined): Matrix {
  return [name === 'scaley' ? 1 : first, 0, 0, name === 'scalex' ? 1 : (second ?? first), 0, 0];
}

function rotation(angle: number): Matrix {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, 0, 0];
}

export function around(matrix: Matrix, x: number, y: number): Matrix {
  return multiply(multiply(translation(x, y), matrix), translation(-x, -y));
}

/** Returns the CSS properties `translate`, `rotate` and `scale` as transform functions. */
export function individualCalls(properties: Readonly<Record<string, string | undefined>>): string {
  return ['translate', 'rotate', 'scale']
    .map((name) => [name, properties[name] ?? 'none'] as const)
    .map(([name, value]) => (value === 'none' ? '' : `${name}(${value})`))
    .join(' ');
}

const KEYWORDS: Readonly<Record<string, Part & { axis?: 'x' | 'y' }>> = {
  left: { value: 0, unit: '%', axis: 'x' },
  right: { value: 100, unit: '%', axis: 'x' },
  top: { value: 0, unit: '%', axis: 'y' },
  bottom: { value: 100, unit: '%', axis: 'y' },
  center: { value: 50, unit: '%' },
};

/** Returns the transform origin. Returns undefined for invalid text, which browsers ignore. */
export function originOf(text: string, { x, y, width, height }: Box): readonly [number, number] | undefined {
  const words = text.trim().toLowerCase().split(/\s+/);
  const isKeyword = (word: string): boolean => Object.hasOwn(KEYWORDS, word);
  const parts = words.map((word) => (isKeyword(word) ? KEYWORDS[word] : partsOf(word)[0]));
  let [first, second = KEYWORDS.center] = parts;
  if (first === undefined || second === undefined || parts.length > 3) return undefined;
  if (axisOf(first) === 'y' || axisOf(second) === 'x') {
    // Two keywords may be in reverse order (`top left`). All other values must be in order.
    if (!words.slice(0, 2).every(isKeyword)) return undefined;
    [first, second] = [second, first];
  }
  const origin = [x + px(first, width), y + px(second, height)] as const;
  return origin.every(Number.isFinite) ? origin : undefined;
}

const axisOf = (part: Part & { axis?: 'x' | 'y' }): 'x' | 'y' | undefined => part.axis;
