// JSON Schema in words: types, limits, fields within, and an example.
import type { Schema } from './api-document.js';

/** A schema may contain itself. */
const MAX_EXAMPLE_DEPTH = 12;

/** `allOf` as one schema: fields of all, the later ones narrowing the earlier. */
function merged(schema: Schema): Schema {
  const { allOf, ...own } = schema;
  return (allOf ?? []).map(merged).reduce<Schema>(
    (sum, part) => ({
      ...sum,
      ...part,
      required: [...new Set([...(sum.required ?? []), ...(part.required ?? [])])],
      properties: {
        ...sum.properties,
        ...mapValues(part.properties ?? {}, (field, name) => ({ ...sum.properties?.[name], ...field })),
      },
    }),
    own,
  );
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}

function alternatives({ anyOf, oneOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? [];
}

function valuesOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** "integer", "array of string", "string or null" */
export function typeText(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const several = alternatives(schema).map(typeText);
  if (several.length > 0) return [...new Set(several)].join(' or ');
  if (schema.items) return `array of ${typeText(schema.items)}`;
  const values = valuesOf(schema);
  if (values && !schema.properties) return `map of ${typeText(values) || 'any value'}`;
  const { type = schema.allOf || schema.properties ? 'object' : '' } = schema;
  const text = [type].flat().join(' or ');
  return schema.format === undefined ? text : `${text} (${schema.format})`;
}

function rangeText(minimum: number | undefined, maximum: number | undefined, unit = ''): string[] {
  if (minimum === undefined) return maximum === undefined ? [] : [`at most ${maximum}${unit}`];
  return [maximum === undefined ? `at least ${minimum}${unit}` : `${minimum} to ${maximum}${unit}`];
}

/** "8 to 2048", "1 to 100 characters" */
export function limitTexts(schema: Schema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema;
  const texts = [
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...rangeText(minimum, maximum),
    ...rangeText(minLength, maxLength, ' characters'),
    ...rangeText(minItems, maxItems, ' items'),
    ...alternatives(schema).flatMap(limitTexts),
  ];
  return [...new Set(texts)];
}

export function patternOf(schema: Schema): string | undefined {
  return schema.pattern ?? alternatives(schema).map(patternOf).find(Boolean);
}

/** Of the schema itself, of its items, or of its alternatives, short lists first. */
export function allowedValues(schema: Schema): readonly unknown[] {
  const parts = [...(schema.items ? [schema.items] : []), ...alternatives(schema)].map(allowedValues);
  return schema.enum ?? [...new Set(parts.sort((one, other) => one.length - other.length).flat())];
}

/** The objects that a value consists of: itself, its items, the values of a map, or alternatives. */
export function objectsIn(schema: Schema): readonly Schema[] {
  const whole = merged(schema);
  if (Object.keys(whole.properties ?? {}).length > 0) return [whole];
  const parts = [whole.items, valuesOf(whole), ...alternatives(whole)];
  return parts.flatMap((part) => (part ? objectsIn(part) : []));
}

interface ExampleOptions {
  /** Leaves out optional fields. */
  readonly onlyRequired?: boolean;
  readonly depth?: number;
}

export function exampleOf(schema: Schema, { onlyRequired = false, depth = 0 }: ExampleOptions = {}): unknown {
  const whole = merged(schema);
  const given = [givenExample(whole), whole.default, whole.enum?.[0]].find((value) => value !== undefined);
  if (given !== undefined) return given;
  if (depth > MAX_EXAMPLE_DEPTH) return null;
  const inner = (part: Schema): unknown => exampleOf(part, { onlyRequired, depth: depth + 1 });
  const [alternative] = alternatives(whole);
  if (alternative) return inner(alternative);
  if (whole.items) return [inner(whole.items)];
  if (whole.properties) {
    const isShown = ([name]: [string, Schema]): boolean => !onlyRequired || whole.required?.includes(name) === true;
    return Object.fromEntries(
      Object.entries(whole.properties)
        .filter(isShown)
        .map(([name, field]) => [name, inner(field)]),
    );
  }
  return scalarExample([whole.type].flat()[0], whole.minimum);
}

/** The one in the document, which every type that a reader would have to guess has. */
export function givenExample({ example, examples, const: only }: Schema): unknown {
  return [example, examples?.[0], only].find((value) => value !== undefined);
}

function scalarExample(type: string | undefined, minimum = 0): unknown {
  if (type === 'integer' || type === 'number') return minimum;
  if (type === 'boolean') return true;
  return type === 'null' ? null : 'string';
}
