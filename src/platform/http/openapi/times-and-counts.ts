// Schemas of times and counts. Each has an example, because documentation tools would otherwise generate one.
import { z } from 'zod';

export const moment = z.iso.datetime().meta({ example: '2026-11-21T16:48:03.120Z' });
export const day = z.iso.date().meta({ example: '2026-11-21' });
export const utcDay = day.meta({ description: 'A UTC day.' });
export const count = z.int().min(0).meta({ example: 42 });

/** Returns an object schema with the same schema under each name. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- It keeps the type of the schema.
export function objectOf<Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) {
  return z.object(Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>);
}

/** Type of a response's fields before serialization, with Date for each `moment`. */
export type Presented<Schema extends z.ZodType> = Unwritten<z.input<Schema>>;

type Unwritten<Value> = Value extends string
  ? string extends Value
    ? Value | Date
    : Value
  : { readonly [Name in keyof Value]: Unwritten<Value[Name]> };
