// Change of a record: read, decided and written by compare and set, until no other writer comes between.
import { AppError } from '../errors.js';
import type { Table, Versioned } from '../ports/tables.js';

/** Each lost race means that another writer's change succeeded. */
const MAX_TRIES = 50;

/**
 * Writes what `decide` makes of the stored record; false, and nothing is written, when that is undefined. `decide` may be
 * called several times. Rejects with AppError `unavailable`.
 */
export async function changeRecord<Stored extends { readonly id: string } & Versioned>(
  table: Pick<Table<Stored>, 'get' | 'putAll'>,
  id: string,
  decide: (stored: Stored | undefined) => Omit<Stored, 'id' | 'version'> | undefined,
): Promise<boolean> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stored = await table.get(id);
    const next = decide(stored);
    if (next === undefined) return false;
    if (await table.putAll([{ ...next, id, version: (stored?.version ?? 0) + 1 } as Stored])) return true;
  }
  throw new AppError('unavailable', `The record ${id} is changed by too many at once.`);
}
