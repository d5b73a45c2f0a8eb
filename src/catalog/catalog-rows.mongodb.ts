// Rows of the catalog in MongoDB. Each row is a document. Its field `generation` has the number of the last import that
// added the row.
import type { Collection, CollectionOptions, Db } from 'mongodb';
import { AppError } from '../platform/errors.js';
import type { CatalogRow, CatalogRows, IdRange } from './catalog-rows.js';
import { inTime, isDuplicatesOnly, orUnavailable } from '../platform/stores/mongodb/driver-error.js';

interface RowDocument {
  readonly _id: string;
  readonly text: string;
  readonly generation: number;
}

/** Maximum time in ms for which a write waits until a majority of replicas has it. */
const WRITE_TIMEOUT_MS = 10_000;
/**
 * Every write waits until a majority of replicas has it. Otherwise, after a failover, the new primary could have a
 * published catalog without some of its rows.
 */
const DURABLE: CollectionOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: WRITE_TIMEOUT_MS },
  readConcern: { level: 'majority' },
  readPreference: 'primary',
};
/** Maximum size of a row's text. A MongoDB document may have 16 MiB, including the row's other fields. */
const MAX_TEXT_BYTES = 16_000_000;
/** A UTF-16 unit takes at most three bytes in UTF-8. */
const MAX_UNIT_BYTES = 3;

export function mongoCatalogRows(db: Db): CatalogRows {
  const rows = db.collection<RowDocument>('catalogRows', DURABLE);
  const find = ({ after, before }: IdRange, limit: number, projection: object) =>
    orUnavailable(() =>
      rows.find({ _id: { $gt: after, $lt: before } }, { projection, sort: { _id: 1 }, limit }).toArray(),
    );

  return {
    async get(ids) {
      const found = await inTime(() => rows.find({ _id: { $in: [...ids] } }, { projection: { text: 1 } }).toArray());
      return new Map(found.map(({ _id, text }) => [_id, text]));
    },
    page: async (range, limit) => (await find(range, limit, { text: 1 })).map(({ _id: id, text }) => ({ id, text })),
    ids: async (range, limit) => (await find(range, limit, { _id: 1 })).map(({ _id }) => _id),
    add: (added, generation) => orUnavailable(() => addRows(rows, added, generation)),
    async put({ id, text }, generation) {
      assertFits({ id, text });
      await orUnavailable(() => rows.replaceOne({ _id: id }, { text, generation }, { upsert: true }));
    },
    async remove(ids, below) {
      const filter = { _id: { $in: [...ids] }, generation: { $lt: below } };
      return (await orUnavailable(() => rows.deleteMany(filter))).deletedCount;
    },
  };
}

async function addRows(rows: Collection<RowDocument>, added: readonly CatalogRow[], generation: number): Promise<void> {
  for (const row of added) assertFits(row);
  const texts = new Map(added.map(({ id, text }) => [id, text]));
  for (let isDone = texts.size === 0; !isDone;) {
    const found = await rows.find({ _id: { $in: [...texts.keys()] } }, { projection: { generation: 1 } }).toArray();
    const known = new Map(found.map((row) => [row._id, row.generation]));
    const missing = [...texts].filter(([id]) => !known.has(id)).map(([_id, text]) => ({ _id, text, generation }));
    const outdated = [...known].filter(([, last]) => last < generation).map(([id]) => id);
    isDone = (await insertMissing(rows, missing)) && (await mark(rows, outdated, generation));
  }
}

/** Inserts the missing rows. Returns false if another batch has inserted some of them in the meantime. */
async function insertMissing(rows: Collection<RowDocument>, missing: readonly RowDocument[]): Promise<boolean> {
  if (missing.length === 0) return true;
  try {
    await rows.insertMany(missing, { ordered: false });
    return true;
  } catch (error) {
    if (isDuplicatesOnly(error)) return false;
    throw error;
  }
}

/**
 * Marks existing rows as added by the import with this number. Returns false if some of the rows were removed as unused
 * in the meantime.
 */
async function mark(rows: Collection<RowDocument>, ids: string[], generation: number): Promise<boolean> {
  if (ids.length === 0) return true;
  const { matchedCount } = await rows.updateMany({ _id: { $in: ids } }, { $max: { generation } });
  return matchedCount === ids.length;
}

function assertFits({ id, text }: CatalogRow): void {
  if (text.length * MAX_UNIT_BYTES <= MAX_TEXT_BYTES) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_TEXT_BYTES)
    throw new AppError('payload_too_large', `${id} has ${bytes} bytes. MongoDB stores at most ${MAX_TEXT_BYTES}.`);
}
