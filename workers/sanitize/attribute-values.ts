// Attribute values: those that are valid, in canonical form. Undefined means: not valid, drop the attribute.
import { LIMITS } from '../svg/drawing-limits.js';
import { formatNumber } from '../svg/svg-tree.js';

/** Size of the nearest viewport, for percentages. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export type Reader = (value: string, viewport: Viewport) => string | undefined;

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const LENGTH = new RegExp(`^(${NUMBER})(px|pt|pc|mm|cm|in|em|ex|%)?$`);
const NUMBERS = new RegExp(NUMBER, 'g');
const MAX_NUMBER = 1e7;
const MAX_TRANSFORMS = 50;
/** CSS pixels per unit; em and ex by the initial font size. */
const UNIT_PX: Readonly<Record<string, number>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  ex: 8,
};

function bounded(value: number): number | undefined {
  return Number.isFinite(value) && Math.abs(value) <= MAX_NUMBER ? value : undefined;
}

function formatted(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatNumber(value);
}

export const number: Reader = (value) => {
  const match = LENGTH.exec(value);
  return match === null || match[2] !== undefined ? undefined : formatted(bounded(Number(match[1])));
};

/** Opacity: a number or percentage, held to 0..1. */
export const share: Reader = (value) => {
  const match = LENGTH.exec(value);
  if (match === null || (match[2] !== undefined && match[2] !== '%')) return undefined;
  const parsed = Number(match[1]) / (match[2] === '%' ? 100 : 1);
  return formatNumber(Math.min(1, Math.max(0, parsed)));
};

/** User units; undefined for what is not a length. `per` is what 100 % is. */
export function lengthOf(value: string, per: number | undefined): number | undefined {
  const match = LENGTH.exec(value);
  if (match === null) return undefined;
  const amount = Number(match[1]);
  if (match[2] === undefined) return bounded(amount);
  if (match[2] === '%') return per === undefined ? undefined : bounded((amount / 100) * per);
  return bounded(amount * (UNIT_PX[match[2]] ?? 1));
}

type Axis = (viewport: Viewport) => number;
const AXES = {
  x: (viewport) => viewport.width,
  y: (viewport) => viewport.height,
  /** SVG 2, 8.9: percentages of neither axis refer to the normalised diagonal. */
  diagonal: (viewport) => Math.hypot(viewport.width, viewport.height) / Math.SQRT2,
} as const satisfies Record<string, Axis>;

export function length(axis: keyof typeof AXES, sign: 'any' | 'positive' = 'any'): Reader {
  return (value, viewport) => {
    const parsed = lengthOf(value, AXES[axis](viewport));
    return parsed === undefined || (sign === 'positive' && parsed < 0) ? undefined : formatNumber(parsed);
  };
}

/** In the box of the painted object: a percentage is a share of 1. */
export const boxLength: Reader = (value) => formatted(lengthOf(value, 1));

const PATH_CHARACTERS = /^[MmLlHhVvCcSsQqTtAaZz\d\s,.eE+-]*$/;

export const pathData: Reader = (value) =>
  PATH_CHARACTERS.test(value) && /^\s*[Mm]/.test(value) ? value.trim().replace(/\s+/g, ' ') : undefined;

export const points: Reader = (value) =>
  /^[\d\s,.eE+-]+$/.test(value) ? value.trim().replace(/\s+/g, ' ') : undefined;

export const dashes: Reader = (value, viewport) => {
  if (value === 'none') return 'none';
  const parsed = partsOf(value).map((part) => lengthOf(part, AXES.diagonal(viewport)));
  if (parsed.length === 0 || parsed.length > LIMITS.dashes) return undefined;
  const sizes = parsed.filter((size) => size !== undefined && size >= 0);
  const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  // A pattern that repeats thousands of times over the drawing is a solid line to the eye and takes for ever to draw.
  if (sizes.length < parsed.length || total < Math.max(viewport.width, viewport.height) / 2000) return undefined;
  return sizes.map((size) => formatNumber(size ?? 0)).join(' ');
};

const TRANSFORM_ARGUMENTS: Readonly<Record<string, readonly number[]>> = {
  matrix: [6],
  translate: [1, 2],
  scale: [1, 2],
  rotate: [1, 3],
  skewX: [1],
  skewY: [1],
};

/** SVG transform lists; of CSS's, those that say the same with px and deg. */
export const transform: Reader = (value) => {
  const calls: string[] = [];
  const call = /\s*([a-zA-Z]+)\s*\(([^()]*)\)[\s,]*/y;
  while (call.lastIndex < value.length) {
    const match = call.exec(value);
    const canonical =
      match === null ? undefined : transformCall(match[1] ?? '', (match[2] ?? '').replace(/(\d)(?:px|deg)/g, '$1'));
    if (canonical === undefined || calls.length >= MAX_TRANSFORMS) return undefined;
    calls.push(canonical);
  }
  return calls.length === 0 ? undefined : calls.join('');
};

function transformCall(given: string, inside: string): string | undefined {
  const aliases: Readonly<Record<string, [string, string]>> = {
    translatex: ['translate', `${inside},0`],
    translatey: ['translate', `0,${inside}`],
    scalex: ['scale', `${inside},1`],
    scaley: ['scale', `1,${inside}`],
    skewx: ['skewX', inside],
    skewy: ['skewY', inside],
    rotatez: ['rotate', inside],
  };
  const lower = given.toLowerCase();
  const [name, text] = (Object.hasOwn(aliases, lower) ? aliases[lower] : undefined) ?? [given, inside];
  const numbers = (text.match(NUMBERS) ?? []).map(Number);
  if (text.replace(NUMBERS, '').replace(/[\s,]/g, '') !== '') return undefined;
  if (numbers.some((value) => bounded(value) === undefined)) return undefined;
  if (!Object.hasOwn(TRANSFORM_ARGUMENTS, name)) return undefined;
  return TRANSFORM_ARGUMENTS[name]?.includes(numbers.length) === true ? `${name}(${numbers.join(' ')})` : undefined;
}

export function oneOf(...allowed: readonly string[]): Reader {
  return (value) => (allowed.includes(value) ? value : undefined);
}

/** NaN for what is not a number. */
export function numbersIn(list: string): number[] {
  return partsOf(list).map(Number);
}

function partsOf(list: string): string[] {
  return list.split(/[\s,]+/).filter(Boolean);
}

export function matching(pattern: RegExp): Reader {
  return (value) => (pattern.test(value) ? value : undefined);
}

/** A list of at most `most` numbers. */
export function numberList(most: number): Reader {
  return (value) => {
    const parsed = numbersIn(value);
    const isValid = parsed.length > 0 && parsed.length <= most && parsed.every((part) => bounded(part) !== undefined);
    return isValid ? parsed.map(formatNumber).join(' ') : undefined;
  };
}

/** The id in `url(#id)`, `url("#id")`; undefined for any other URL. */
export function localUrl(value: string): string | undefined {
  const [, bare, , quoted] = /^url\(\s*(?:#([^"'()\\]+)|(["'])#([^"'()\\]+)\2\s*)\)/.exec(value) ?? [];
  return bare ?? quoted;
}

/** An id in any alphabet; it is renamed later. */
export const id: Reader = (value) =>
  value !== '' && value.length <= 300 && !/[\s"'()\\]/.test(value) ? value : undefined;

export const localHref: Reader = (value) =>
  value.startsWith('#') ? id(value.slice(1), { width: 0, height: 0 }) && value : undefined;

export const localReference: Reader = (value) => {
  const target = localUrl(value);
  return target === undefined ? undefined : `url(#${target})`;
};
