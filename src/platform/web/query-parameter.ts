// Query parameters: schemas that convert text to typed values. The metadata of a schema contains the allowed values.
import { z } from 'zod';
import { CONTROLS, isPrintable } from '../text/printable.js';
import { alphaOf, COLOR_NAMES, HEX_COLOR_PATTERN, parseColor, type Color } from '../text/color.js';

export interface ParameterText {
  readonly description: string;
  readonly example?: string | number;
  /** Initial value of the input field in the documentation. Set only if a request without the parameter is useless. */
  readonly tryIt?: string;
  /**
   * Default value in the OpenAPI document. Not set if the default depends on other parameters, because a client that
   * sends this value explicitly would then get another result.
   */
  readonly absent?: string | number;
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Optional parameter. Its input is text, its output `T` or undefined. */
export type Parameter<T> = z.ZodOptional<z.ZodType<T, string>>;

interface ParameterOptions<T> extends ParameterText {
  /** Allowed values, as shown in error messages. */
  readonly allowed: string | readonly string[];
  /**
   * JSON Schema of the text, for the OpenAPI document. It must be as strict as `read`, as far as JSON Schema allows.
   */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Zod schema that checks the text before `read`. Set only if it is a shared component of the OpenAPI document. */
  readonly textSchema?: z.ZodType<string, string>;
  readonly read: (text: string) => Parsed<T>;
}

export function parameter<T>(options: ParameterOptions<T>): Parameter<T> {
  const { allowed, absent, schema, textSchema = z.string(), read, description, example, tryIt } = options;
  const value: z.ZodType<T, string> = textSchema.transform((given, context) => {
    const parsed = read(given);
    if (parsed.ok) return parsed.value;
    context.issues.push({ code: 'custom', message: parsed.reason, input: given });
    return z.NEVER;
  });
  return value.optional().meta({
    description,
    allowed,
    ...schema,
    // Zod omits these properties from the JSON Schema if a schema has a transformation, so they are added.
    override: {
      ...(absent !== undefined && { default: absent }),
      ...(example !== undefined && { examples: [example] }),
    },
    ...(tryIt !== undefined && { param: { example: tryIt } }),
  });
}

/** Defines an integer parameter. Only decimal digits are accepted: no sign, leading zero, exponent or space. */
export function integerParameter({
  min,
  max,
  ...text
}: ParameterText & { readonly min: number; readonly max: number }): Parameter<number> {
  const allowed = `${min}..${max}`;
  return parameter({
    ...text,
    allowed,
    schema: { type: 'integer', minimum: min, maximum: max },
    read: (given) => {
      if (!/^(?:0|[1-9][0-9]{0,15})$/.test(given)) return { ok: false, reason: 'not a whole number in plain digits' };
      const value = Number(given);
      return value >= min && value <= max ? { ok: true, value } : { ok: false, reason: `not within ${allowed}` };
    },
  });
}

/** Defines a parameter with a list of allowed values, which must match exactly. */
export function enumParameter<const T extends string | number>(
  values: readonly T[],
  text: ParameterText & { readonly absent?: T },
): Parameter<T> {
  const byText = new Map(values.map((value) => [String(value), value]));
  const numeric = values.every((value) => typeof value === 'number');
  return parameter({
    ...text,
    allowed: [...byText.keys()],
    schema: { type: numeric ? 'integer' : 'string', enum: values },
    read: (given) => {
      const value = byText.get(given);
      return value === undefined ? { ok: false, reason: 'not one of the allowed values' } : { ok: true, value };
    },
  });
}

/** Schema of a color. It is a shared component of the OpenAPI document, because the list of names is long. */
const colorText = z.string().meta({
  id: 'Color',
  description:
    'Hex with 3, 4, 6 or 8 digits, with or without `#` (`%23` in a URL), or a CSS color name. Case-insensitive.',
  override: {
    anyOf: [
      { type: 'string', pattern: HEX_COLOR_PATTERN.source },
      { type: 'string', enum: [...COLOR_NAMES] },
    ],
  },
});

/** Defines a parameter that accepts a color, or one of the `words`, which are not colors. */
export function colorParameter<const Word extends string>(
  words: readonly [Word, ...Word[]],
  text: ParameterText & { readonly absent?: Word },
): Parameter<Color | Word> {
  return parameter<Color | Word>({
    ...text,
    allowed: ['hex with 3, 4, 6 or 8 digits', 'a CSS color name', ...words],
    textSchema: z.union([colorText, z.enum(words)]),
    read: (given) => {
      const value = words.find((word) => word === given) ?? parseColor(given);
      return value === undefined ? { ok: false, reason: 'not a color' } : { ok: true, value };
    },
  });
}

export function opaqueColorParameter(text: ParameterText): Parameter<Color> {
  return parameter<Color>({
    ...text,
    allowed: ['hex with 3 or 6 digits', 'a CSS color name'],
    read: (given) => {
      const value = parseColor(given);
      if (value === undefined) return { ok: false, reason: 'not a color' };
      return alphaOf(value) === 255 ? { ok: true, value } : { ok: false, reason: 'not opaque' };
    },
  });
}

export function patternParameter(
  pattern: RegExp,
  options: ParameterText & { readonly allowed: string },
): Parameter<string> {
  return parameter({
    ...options,
    schema: { type: 'string', pattern: pattern.source },
    read: (value) =>
      pattern.test(value) ? { ok: true, value } : { ok: false, reason: 'does not have the allowed format' },
  });
}

interface TextOptions extends ParameterText {
  /**
   * `format` in the JSON Schema, such as `hostname`. If the parameter also accepts texts without this format, its
   * `description` must say so.
   */
  readonly format?: string;
}

/** Defines a parameter with non-blank text of at most this many Unicode code points. */
export function textParameter(maxCharacters: number, { format, ...text }: TextOptions): Parameter<string> {
  const allowed = `1 to ${maxCharacters} characters without control characters`;
  return parameter({
    ...text,
    allowed,
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: maxCharacters,
      pattern: `^[^${CONTROLS}]*[^\\s${CONTROLS}][^${CONTROLS}]*$`,
      ...(format !== undefined && { format }),
    },
    read: (given) => {
      if (given.trim() === '') return { ok: false, reason: 'empty' };
      if (!isPrintable(given)) return { ok: false, reason: 'has a control character' };
      return [...given].length <= maxCharacters
        ? { ok: true, value: given }
        : { ok: false, reason: `longer than ${maxCharacters} characters` };
    },
  });
}
