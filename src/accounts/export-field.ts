// Fields that features add to the data export of an account.
import type { z } from 'zod';
import type { Presented } from '../platform/http/openapi/times-and-counts.js';
import type { Stores } from '../platform/stores/stores.js';
import type { Account } from './account.js';

/** Reads the field: one value, or the pages of a list. */
type Read<Value, Item> =
  | { readonly value: (account: Account, stores: Stores) => Promise<Value> }
  | { readonly pages: (account: Account, stores: Stores) => AsyncIterable<readonly Item[]> };

export type ExportField = { readonly name: string; readonly schema: z.ZodType } & Read<unknown, unknown>;

export function exportedValue<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: (account: Account, stores: Stores) => Promise<Presented<Schema>>,
): ExportField {
  return { name, schema, value };
}

export function exportedList<Item extends z.ZodType>(
  name: string,
  schema: z.ZodArray<Item>,
  pages: (account: Account, stores: Stores) => AsyncIterable<readonly Presented<Item>[]>,
): ExportField {
  return { name, schema, pages };
}
