// Change of a record: reads the record, decides on the new record, and writes it by compare-and-set. Repeats this if
// another writer has changed the record in between.
import { AppError } from '../errors.js';
import type { Table, Versioned } from './tables.js';

/** Maximum number of attempts. An attempt fails if another writer has changed the record in between. */
const MAX_TRIES = 50;

/**
 * Calls `decide` with the stored record, writes the record that `decide` returns, and resolves with the written record.
 * If `decide` returns undefined, writes nothing and resolves with undefined. `decide` may be called several times.
 * Rejects with AppError `unavailable` after `MAX_TRIES` attempts, or if the store cannot be used.
 */
export async function changeRecord<Stored extends { readonly id: string } & Versioned>(
  table: Pick<Table<Stored>, 'get' | 'putAll'>,
  id: string,
  decide: (stored: Stored | undefined) => Change<Stored> | undefined | Promise<Change<Stored> | undefined>,
): Promise<Stored | undefined> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await table.get(id);
    const change = await decide(stored);
    if (change === undefined) return undefined;
    const next = { ...change, id, version: (stored?.version ?? 0) + 1 } as Stored;
    if (await table.putAll([next])) return next;
  }
  throw new AppError('unavailable', `Too many concurrent changes to the record ${id}.`);
}

type Change<Stored> = Omit<Stored, 'id' | 'version'>;
