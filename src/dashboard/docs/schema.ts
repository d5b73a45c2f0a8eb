// JSON Schema in words: types, limits, nested fields, and an example.
import type { Schema } from './api-document.js';

/** Limits the depth, because a schema may contain itself. */
const MAX_EXAMPLE_DEPTH = 12;

/**
 * Merges `allOf` into one schema. If several parts define the same field, the keywords of the later part take
 * precedence.
 */
function merged({ allOf = [], ...own }: Schema): Schema {
  return allOf.map(merged).reduce<Schema>((sum, part) => {
    const fields = Object.entries({ ...sum.properties, ...part.properties });
    return {
      ...sum,
      ...part,
      required: [...(sum.required ?? []), ...(part.required ?? [])],
      properties: Object.fromEntries(fields.map(([name, field]) => [name, { ...sum.properties?.[name], ...field }])),
    };
  }, own);
}

function valuesOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** Returns texts such as "integer", "array of string" or "string or null". */
export function typeText(schema: Schema): string {
  const { anyOf = [], items, properties, allOf, format } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (anyOf.length > 0) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (items) return `array of ${typeText(items)}`;
  const values = valuesOf(schema);
  if (values && !properties) return `map of ${typeText(values) || 'any value'}`;
  const { type = allOf || properties ? 'object' : '' } = schema;
  const text = [type].flat().join(' or ');
  return format === undefined ? text : `${text} (${format})`;
}

function rangeText(minimum: number | undefined, maximum: number | undefined, unit = ''): string[] {
  if (minimum === undefined) return maximum === undefined ? [] : [`at most ${maximum}${unit}`];
  return [maximum === undefined ? `at least ${minimum}${unit}` : `${minimum} to ${maximum}${unit}`];
}

/** Returns texts such as "8 to 2048" or "1 to 100 characters". */
export function limitTexts(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, anyOf = [] } = schema;
  const texts = [
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...rangeText(minimum, maximum),
    ...rangeText(minLength, maxLength, ' characters'),
    ...rangeText(minItems, maxItems, ' items'),
    ...anyOf.flatMap(limitTexts),
  ];
  return [...new Set(texts)];
}

export function patternOf({ pattern, anyOf = [] }: Schema): string | undefined {
  return pattern ?? anyOf.map(patternOf).find(Boolean);
}

/** Returns the allowed values of the schema, of its items or of its alternatives, short lists first. */
export function allowedValues({ enum: listed, items, anyOf = [] }: Schema): readonly unknown[] {
  const parts = [...(items ? [items] : []), ...anyOf].map(allowedValues);
  return listed ?? [...new Set(parts.sort((one, other) => one.length - other.length).flat())];
}

/**
 * Returns the schemas of objects with fields in `schema`: the schema itself if it has fields, or else the object
 * schemas in its items, map values and alternatives.
 */
export function objectsIn(schema: Schema): readonly Schema[] {
  const whole = merged(schema);
  if (Object.keys(whole.properties ?? {}).length > 0) return [whole];
  const parts = [whole.items, valuesOf(whole), ...(whole.anyOf ?? [])];
  return parts.flatMap((part) => (part ? objectsIn(part) : []));
}

interface ExampleOptions {
  /** Omits optional fields. */
  readonly onlyRequired?: boolean;
  readonly depth?: number;
}

export function exampleOf(schema: Schema, { onlyRequired = false, depth = 0 }: ExampleOptions = {}): unknown {
  const whole = merged(schema);
  const { anyOf = [], items, properties, required = [] } = whole;
  const given = [givenExample(whole), whole.default, whole.enum?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;
  if (depth > MAX_EXAMPLE_DEPTH) return null;
  const inner = (part: Schema): unknown => exampleOf(part, { onlyRequired, depth: depth + 1 });
  if (anyOf[0]) return inner(anyOf[0]);
  if (items) return [inner(items)];
  if (properties) {
    const shown = Object.entries(properties).filter(([name]) => !onlyRequired || required.includes(name));
    return Object.fromEntries(shown.map(([name, field]) => [name, inner(field)]));
  }
  return scalarExample([whole.type].flat()[0], whole.minimum);
}

/** Returns the example that the document gives for this schema. Only schemas with obvious values have no example. */
export function givenExample({ example, examples, const: only }: Schema): unknown {
  return [example, examples?.[0], only].find((value) => value !== undefined);
}

function scalarExample(type: string | undefined, minimum = 0): unknown {
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  return type === 'null' ? null : 'string';
}
