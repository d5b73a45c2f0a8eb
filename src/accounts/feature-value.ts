// Value that a feature stores with an account.
import type { z } from 'zod';
import { readRecord, type RecordOf } from '../platform/stores/stored-record.js';
import type { Account } from './account.js';

/**
 * Returns functions that read and write the value of the feature. Every field of the schema must have a default,
 * because a new account has no value.
 */
export function featureValue<Schema extends z.ZodObject>(feature: string, schema: Schema) {
  const initial = readRecord(schema, {}, feature);
  return {
    of: ({ id, features }: Pick<Account, 'id' | 'features'>): RecordOf<Schema> => {
      const value = features[feature]?.value;
      return value === undefined ? initial : readRecord(schema, value, `${feature} of the account ${id}`);
    },
    /** `dueAt`: time in ms since the epoch at which the feature has work for the account; null if it has none. */
    set: (account: Account, value: RecordOf<Schema>, dueAt: number | null = null): Account => ({
      ...account,
      features: { ...account.features, [feature]: { dueAt, value } },
    }),
  };
}
