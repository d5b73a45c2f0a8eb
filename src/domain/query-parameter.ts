// Query parameters: schemas that turn text into typed values, with what is allowed in their metadata.
import { z } from 'zod';
import { parseColor, type Color } from './color.js';

export interface ParameterText {
  readonly description: string;
  readonly example?: string | number;
  /** What a reference page puts into the field to begin with. Only where a request without it makes no sense. */
  readonly tryIt?: string;
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** An optional parameter: `z.input` is text, `z.output` is `T` or undefined. */
export type Parameter<T> = z.ZodOptional<z.ZodType<T, string>>;

interface ParameterOptions<T> extends ParameterText {
  /** What the error and the document say is allowed. */
  readonly allowed: string | readonly string[];
  /** JSON Schema of the text, as the document shows it. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly read: (text: string) => Parsed<T>;
}

/** The general case; the others are made of it. */
function parameter<T>({ allowed, schema, read, description, example, tryIt }: ParameterOptions<T>): Parameter<T> {
  const value: z.ZodType<T, string> = z.string().transform((text, context) => {
    const parsed = read(text);
    if (parsed.ok) return parsed.value;
    context.issues.push({ code: 'custom', message: parsed.reason, input: text });
    return z.NEVER;
  });
  const text = example === undefined ? description : `${description} Example: \`${example}\`.`;
  return value
    .optional()
    .meta({ description: text, allowed, ...schema, ...(tryIt !== undefined && { param: { example: tryIt } }) });
}

interface IntegerOptions extends ParameterText {
  readonly min: number;
  readonly max: number;
  /** What is taken when it is absent, for the document. */
  readonly absent?: number;
}

/** Decimal digits only: no sign, leading zero, exponent or space. */
export function integerParameter({ min, max, absent, ...text }: IntegerOptions): Parameter<number> {
  const allowed = `${min}..${max}`;
  return parameter({
    ...text,
    allowed,
    schema: { type: 'integer', minimum: min, maximum: max, ...(absent !== undefined && { default: absent }) },
    read: (given) => {
      if (!/^(?:0|[1-9][0-9]{0,15})$/.test(given)) return { ok: false, reason: 'not a whole number in plain digits' };
      const value = Number(given);
      return value >= min && value <= max ? { ok: true, value } : { ok: false, reason: `not within ${allowed}` };
    },
  });
}

interface EnumOptions<T extends string | number> extends ParameterText {
  readonly absent?: T;
}

/** One of a list, compared exactly. */
export function enumParameter<const T extends string | number>(
  values: readonly T[],
  { absent, ...text }: EnumOptions<T>,
): Parameter<T> {
  const byText = new Map(values.map((value) => [String(value), value]));
  const numeric = values.every((value) => typeof value === 'number');
  return parameter({
    ...text,
    allowed: [...byText.keys()],
    schema: { type: numeric ? 'integer' : 'string', enum: values, ...(absent !== undefined && { default: absent }) },
    read: (given) => {
      const value = byText.get(given);
      return value === undefined ? { ok: false, reason: 'not one of the allowed values' } : { ok: true, value };
    },
  });
}

/** A color, or one of the words that mean something else. */
export function colorParameter<const Word extends string = never>(
  words: readonly Word[],
  text: ParameterText,
): Parameter<Color | Word> {
  return parameter<Color | Word>({
    ...text,
    allowed: ['hex with 3, 4, 6 or 8 digits', 'a CSS color name', ...words],
    schema: { type: 'string', pattern: '^(#?[0-9A-Fa-f]{3,4}|#?[0-9A-Fa-f]{6}|#?[0-9A-Fa-f]{8}|[A-Za-z]+)$' },
    read: (given) => {
      const value = words.find((word) => word === given) ?? parseColor(given);
      return value === undefined ? { ok: false, reason: 'not a color' } : { ok: true, value };
    },
  });
}

interface PatternOptions extends ParameterText {
  readonly allowed: string;
}

/** Text of a given form. */
export function patternParameter(pattern: RegExp, options: PatternOptions): Parameter<string> {
  return parameter({
    ...options,
    schema: { type: 'string', pattern: pattern.source },
    read: (value) => (pattern.test(value) ? { ok: true, value } : { ok: false, reason: 'not of the allowed form' }),
  });
}

/** Any text that is not blank, at most so many characters. */
export function textParameter(maxCharacters: number, text: ParameterText): Parameter<string> {
  const allowed = `1 to ${maxCharacters} characters`;
  return parameter({
    ...text,
    allowed,
    schema: { type: 'string', minLength: 1, maxLength: maxCharacters },
    read: (given) => {
      if (given.trim() === '') return { ok: false, reason: 'empty' };
      return [...given].length <= maxCharacters
        ? { ok: true, value: given }
        : { ok: false, reason: `longer than ${maxCharacters} characters` };
    },
  });
}
