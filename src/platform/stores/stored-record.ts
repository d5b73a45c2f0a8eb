// Schemas of stored records. A record's type, its parser and its export use the same schema.
import { z } from 'zod';

/** Point in time. BSON stores it as a date, JSON as ms since the epoch. */
export const instant = z.union([z.date(), z.int()]).transform((at) => new Date(at));

/** Returns a schema of text with a branded type, such as an id. */
export function branded<Brand extends string>() {
  return z.string() as unknown as z.ZodType<Brand, string>;
}

type Immutable<Value> = Value extends string | number | boolean | null | undefined | Date
  ? Value
  : { readonly [Key in keyof Value]: Immutable<Value[Key]> };

/** Type of the record that a schema parses, deeply readonly. */
export type RecordOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/**
 * Parses a `value` from a store. If fields are invalid, throws an error with `name` and these fields. Ignores fields
 * that are not in the schema, because a newer release may have written them.
 */
export function readRecord<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): RecordOf<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as RecordOf<Schema>;
  const fields = new Set(error.issues.map(({ path }) => path.join('.')));
  throw new Error(`${name} cannot be read: ${[...fields].join(', ')}`);
}
