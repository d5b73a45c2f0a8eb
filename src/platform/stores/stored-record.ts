// Schemas of stored records. Each is the source of the record's type, of reading it from any store, and of its export.
import { z } from 'zod';

/** An instant: a date in BSON, ms since the epoch in JSON. */
export const instant = z.union([z.date(), z.int()]).transform((at) => new Date(at));

/** Returns a schema of text with a brand, such as an id. */
export function branded<Brand extends string>() {
  return z.string() as unknown as z.ZodType<Brand, string>;
}

type Immutable<Value> = Value extends string | number | boolean | null | undefined | Date
  ? Value
  : { readonly [Key in keyof Value]: Immutable<Value[Key]> };

/** The record that a schema reads; deeply readonly. */
export type RecordOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/**
 * Parses the `value` that a store returned. Throws an error that names the record and each damaged field. Omits fields
 * that the schema does not know, because a newer release has written them.
 */
export function readRecord<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): RecordOf<Schema> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data as RecordOf<Schema>;
  const fields = new Set(error.issues.map(({ path }) => path.join('.')));
  throw new Error(`${name} cannot be read: ${[...fields].join(', ')}`);
}
