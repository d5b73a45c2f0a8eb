// Examples in the document of a route, each with the schema that it must match.
import { z } from 'zod';
import type { Route } from '../../src/platform/http/route.js';

export interface Example {
  readonly where: string;
  readonly schema: z.ZodType;
  readonly value: unknown;
}

type Place = Omit<Example, 'value'>;

export function examplesOf({ method, path, params, query, body, responses }: Route): Example[] {
  const where = `${method} ${path}`;
  const asked = [params, query, body].flatMap((schema) => (schema ? within({ where, schema }) : []));
  const answered = Object.entries(responses).flatMap(([status, { schema, example }]) => {
    if (!schema) return [];
    const answer = { where: `${where} ${status}`, schema };
    return [...within(answer).flatMap(shown), ...(example === undefined ? [] : [{ ...answer, value: example }])];
  });
  return [...asked.flatMap(shown), ...answered];
}

function within({ where, schema }: Place): Place[] {
  return [
    { where, schema },
    ...partsOf(schema.def).flatMap(([name, part]) => within({ where: `${where} ${name}`, schema: part })),
  ];
}

/** Returns the schemas in a Zod definition: its direct values, and the values in its arrays and objects. */
function partsOf(definition: object): [string, z.ZodType][] {
  return Object.entries(definition).flatMap(([name, part]: [string, unknown]): [string, z.ZodType][] => {
    if (part instanceof z.ZodType) return [[name, part]];
    if (typeof part !== 'object' || part === null) return [];
    return Object.entries(part).filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType);
  });
}

/**
 * Returns the examples of a schema: its own example, the parameter's examples (as text), and the value that its field
 * on /docs contains at first.
 */
function shown(place: Place): Example[] {
  const { example, override, param }: Readonly<Record<string, unknown>> = place.schema.meta() ?? {};
  const { examples = [] } = (override ?? {}) as { readonly examples?: readonly unknown[] };
  const tried = typeof param === 'object' && param !== null && 'example' in param ? param.example : undefined;
  return [example, ...examples.map(String), tried]
    .filter((value) => value !== undefined)
    .map((value) => ({ ...place, value }));
}
