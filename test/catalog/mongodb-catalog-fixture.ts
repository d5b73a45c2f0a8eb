// Process that imports into MongoDB. It makes the import visible when its parent sends a message.
import { once } from 'node:events';
import type { Entry } from '../../src/catalog/entry.js';
import { AppError } from '../../src/platform/errors.js';
import { candidateOf, entryOf, sourceOf } from '../support/entries.js';
import { openMongoCatalog } from '../support/mongo-catalog.js';

const IMPORTED = 1500;

async function work(uri: string, lockMs: number): Promise<void> {
  const { store } = await openMongoCatalog(uri, { lockMs });
  const session = await store.beginImport();
  if (session === undefined) throw new Error('another import is under way');
  const candidates = Array.from({ length: IMPORTED }, (_, at) => candidateOf(`dead-${at}`));
  await session.putSource(sourceOf('package:dead'));
  await session.putDrawings(candidates.map(({ variants }) => ({ etag: variants[0]?.etag ?? '', svg: '<svg/>' })));
  await session.putCandidates('package:dead', candidates);
  async function* entries(): AsyncIterable<Entry> {
    for (const { key } of candidates) yield entryOf(key);
    process.send?.('written');
    await once(process, 'message');
  }
  const outcome = await session.publish({ entries: entries(), redirects: [] }, new Date()).then(
    () => 'published',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
  process.send?.(outcome);
}

const [, , uri, lockMs] = process.argv;
if (uri !== undefined && process.send !== undefined) await work(uri, Number(lockMs));
