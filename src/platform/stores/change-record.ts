// Change of a record: read, decided and written by compare and set, until no other writer comes between.
import { AppError } from '../errors.js';
import type { Table, Versioned } from './tables.js';

/** Each lost race means that another writer's change succeeded. */
const MAX_TRIES = 50;

/**
 * Writes what `decide` makes of the stored record, and resolves with it; undefined, and nothing is written, when `decide`
 * returns that. `decide` may be called several times. Rejects with AppError `unavailable`.
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
  throw new AppError('unavailable', `The record ${id} is changed by too many at once.`);
}

type Change<Stored> = Omit<Stored, 'id' | 'version'>;
