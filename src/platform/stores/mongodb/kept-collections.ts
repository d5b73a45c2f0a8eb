// Collections that a restore replaces. They are kept under other names in the same database.
import type { Db } from 'mongodb';
import { orUnavailable } from './driver-error.js';

const KEPT = 'replaced-';
/** Number of ids that are read at once. */
const AT_ONCE = 200;
/** Collection that is renamed last. Until it is renamed, commands don't treat the database as empty. */
const LAST = 'migrations';

/** Returns a new name prefix for kept collections. */
export function newKeptPrefix(): string {
  return `${KEPT}${new Date().toISOString().replaceAll(/[:.]/g, '')}-`;
}

/**
 * Renames all collections except `except`, so that their names begin with `prefix`. A repeated call continues an
 * aborted renaming.
 */
export async function keepCollections(db: Db, prefix: string, except: string): Promise<void> {
  await orUnavailable(async () => {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    if (names.includes(prefix + LAST)) return;
    const isOwn = (name: string) =>
      ![except, LAST].includes(name) && !name.startsWith('system.') && !name.startsWith(KEPT);
    const own = names.filter(isOwn);
    for (const name of [...own, LAST]) await db.renameCollection(name, prefix + name);
  });
}

/** Yields the document ids of a collection in batches. */
export async function* keptIds(db: Db, collection: string): AsyncIterable<readonly string[]> {
  const documents = db.collection<{ readonly _id: string }>(collection);
  for (let after = ''; ;) {
    const options = { projection: { _id: 1 }, sort: { _id: 1 }, limit: AT_ONCE } as const;
    const found = await orUnavailable(() => documents.find({ _id: { $gt: after } }, options).toArray());
    if (found.length > 0) yield found.map(({ _id }) => _id);
    const last = found.at(-1);
    if (!last) return;
    after = last._id;
  }
}
