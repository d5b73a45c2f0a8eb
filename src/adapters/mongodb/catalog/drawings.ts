// Drawings by their content hash, each written once.
import { MongoBulkWriteError, type Collection } from 'mongodb';
import type { StoredDrawing } from '../../../ports/catalog-store.js';
import { assertFits, type DrawingDocument } from './collections.js';

const DUPLICATE_KEY = 11_000;

/**
 * Writes those that are not there, and marks the others as put by this generation's import, which keeps the sweep of an
 * earlier one from them.
 */
export async function putDrawings(
  collection: Collection<DrawingDocument>,
  drawings: readonly StoredDrawing[],
  generation: number,
): Promise<void> {
  const texts = new Map(drawings.map(({ etag, svg }) => [etag, svg]));
  for (const [etag, svg] of texts) assertFits(svg, `The drawing ${etag}`);
  for (let isDone = texts.size === 0; !isDone;) {
    const found = await collection
      .find({ _id: { $in: [...texts.keys()] } }, { projection: { generation: 1 } })
      .toArray();
    const known = new Map(found.map((drawing) => [drawing._id, drawing.generation]));
    const isAdded = await insertNew(
      collection,
      [...texts].filter(([etag]) => !known.has(etag)).map(([_id, svg]) => ({ _id, svg, generation })),
    );
    const outdated = [...known].filter(([, last]) => last < generation).map(([etag]) => etag);
    isDone = isAdded && (await mark(collection, outdated, generation));
  }
}

/** False when some are there by now: another batch has the same drawing. */
async function insertNew(
  collection: Collection<DrawingDocument>,
  drawings: readonly DrawingDocument[],
): Promise<boolean> {
  if (drawings.length === 0) return true;
  try {
    await collection.insertMany(drawings, { ordered: false });
    return true;
  } catch (error) {
    const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return false;
  }
}

/** False when some have been swept since they were found. */
async function mark(collection: Collection<DrawingDocument>, etags: string[], generation: number): Promise<boolean> {
  if (etags.length === 0) return true;
  const { matchedCount } = await collection.updateMany({ _id: { $in: etags } }, { $max: { generation } });
  return matchedCount === etags.length;
}
