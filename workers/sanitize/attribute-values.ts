// Functions that read attribute values. They return the value in canonical form, or undefined if a sanitized drawing
// must not contain the value.
import { LIMITS } from '../svg/drawing-limits.js';
import { formatNumber } from '../svg/svg-tree.js';
import { cssTransform, matrixText, NUMBER, UNIT_PX } from './css-transform.js';

export type ValueReader = (value: string) => string | undefined;

const LENGTH = new RegExp(`^(${NUMBER})(px|pt|pc|mm|cm|in|em|ex|%)?$`);
const MAX_NUMBER = 1e7;
function bounded(value: number): number | undefined {
  return Number.isFinite(value) && Math.abs(value) <= MAX_NUMBER ? value : undefined;
}

function formatted(value: number | undefined): string | undefined {
  return value === undefined ? undefined : formatNumber(value);
}

/** Returns a length in user units, or undefined if the value is not a length. `per` is the length of 100 %. */
export function lengthOf(value: string, per: number | undefined): number | undefined {
  const [, amount, unit = 'px'] = LENGTH.exec(value) ?? [];
  if (amount === undefined) return undefined;
  if (unit === '%') return per === undefined ? undefined : bounded((Number(amount) / 100) * per);
  return bounded(Number(amount) * (UNIT_PX[unit] ?? 1));
}

/** Reads a number. The unit px is allowed. */
export const number: ValueReader = (value) => {
  const [, amount, unit = 'px'] = LENGTH.exec(value) ?? [];
  return amount === undefined || unit !== 'px' ? undefined : formatted(bounded(Number(amount)));
};

export const plainNumber: ValueReader = (value) => (/[a-z]$/i.test(value) ? undefined : number(value));

export const positive: ValueReader = (value) => {
  const parsed = number(value);
  return parsed === undefined || parsed.startsWith('-') ? undefined : parsed;
};

/** Reads an opacity: a number or a percentage, limited to 0 to 1. */
export const share: ValueReader = (value) => {
  const [, amount, unit] = LENGTH.exec(value) ?? [];
  if (amount === undefined || (unit !== undefined && unit !== '%')) return undefined;
  return formatNumber(Math.min(1, Math.max(0, Number(amount) / (unit === '%' ? 100 : 1))));
};

/** Reads a length whose unit is the side of the painted object's box. 100 % is 1. */
export const boxLength: ValueReader = (value) => formatted(lengthOf(value, 1));

/**
 * Matches path data up to the first invalid character, because browsers draw this part. Other errors in path data are
 * left to the renderers.
 */
const PATH_START = /^\s*m[\s\d.,+\-achlmqstvze]*/i;
const POINTS_START = /^[\s\d.,+\-e]*/i;

export const pathData: ValueReader = (value) => start(value, PATH_START);
export const points: ValueReader = (value) => start(value, POINTS_START);

function start(value: string, pattern: RegExp): string | undefined {
  const text = pattern.exec(value)?.[0].trim().replace(/\s+/g, ' ');
  return text === '' ? undefined : text;
}

export const dashes: ValueReader = (value) => {
  if (value === 'none') return 'none';
  const sizes = partsOf(value).map(positive);
  if (sizes.length === 0 || sizes.length > LIMITS.dashes || sizes.includes(undefined)) return undefined;
  return sizes.join(' ');
};

const OWN_CALLS = new Set(['matrix', 'translate', 'scale', 'rotate', 'skewX', 'skewY']);

/** Reads a transform. Keeps a list of SVG functions, and converts any other list to a matrix. */
export const transform: ValueReader = (value) => {
  const matrix = cssTransform(value);
  if (matrix === undefined || matrix.some((part) => bounded(part) === undefined)) return undefined;
  const calls = value.replace(/\([^()]*\)/g, ' ').match(/[a-zA-Z]+/g) ?? [];
  const hasUnits = /[a-z%]\s*[,)]|[a-z%]\s+[\d+.-]/i.test(value);
  if (hasUnits || !calls.every((call) => OWN_CALLS.has(call))) return matrixText(matrix);
  return value
    .trim()
    .replace(/\)[\s,]+/g, ')')
    .replace(new RegExp(NUMBER, 'g'), (text) => ` ${Number(text)}`)
    .replace(/[\s,]+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')');
};

export function oneOf(...allowed: readonly string[]): ValueReader {
  return (value) => (allowed.includes(value) ? value : undefined);
}

/** Returns the items of a list as numbers. An item that is not a number becomes NaN. */
function numbersIn(list: string): number[] {
  return partsOf(list).map(Number);
}

function partsOf(list: string): string[] {
  return list.split(/[\s,]+/).filter(Boolean);
}

export function matching(pattern: RegExp): ValueReader {
  return (value) => (pattern.test(value) ? value : undefined);
}

export function numberList(most: number): ValueReader {
  return (value) => {
    const parsed = numbersIn(value);
    const isValid = parsed.length > 0 && parsed.length <= most && parsed.every((part) => bounded(part) !== undefined);
    return isValid ? parsed.map(formatNumber).join(' ') : undefined;
  };
}

/** Reads a reference in the form that resolve-references.ts writes. */
export const localReference: ValueReader = matching(/^url\(#[\w-]+\)$/);
