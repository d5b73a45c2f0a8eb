// Publication of a generation: its entries and redirects are written beside the published one, then the state names it.
import type { Entry } from '../../../domain/catalog/entry.js';
import type { CatalogState, Publication } from '../../../ports/catalog-store.js';
import { assertFits, type CatalogCollections, type SlugDocument } from './collections.js';
import type { ImportLease } from './import-lease.js';
import { inChunks } from './pages.js';
import { changeState, type StateDocument, type WithdrawalRecord } from './state.js';
import { countHidden, withdrawalsIn } from './withdrawals.js';

const CHUNK_ROWS = 1000;

export async function publishGeneration(
  collections: CatalogCollections,
  lease: ImportLease,
  { entries, redirects, withdrawals }: Publication,
  now: Date,
): Promise<CatalogState> {
  const { generation } = lease;
  const insert = async (documents: readonly SlugDocument[]): Promise<void> => {
    lease.assertHeld();
    if (documents.length > 0) await collections.slugs.insertMany(documents, { ordered: false });
  };
  const count = await writeEntries(entries, generation, insert);
  for (const chunk of inChunks(redirects, CHUNK_ROWS))
    await insert(chunk.map(([slug, target]) => ({ _id: { generation, slug }, target })));
  const publishedAt = now.toISOString();
  const state = await switchGeneration(collections, lease, {
    facts: { entries: count, publishedAt },
    replaced: withdrawals?.map((one) => ({ ...one, hides: null })),
  });
  return { generation: state.version, entries: state.entries - state.withdrawn, publishedAt };
}

/** The number of entries. */
async function writeEntries(
  entries: AsyncIterable<Entry>,
  generation: number,
  insert: (documents: readonly SlugDocument[]) => Promise<void>,
): Promise<number> {
  let count = 0;
  let chunk: SlugDocument[] = [];
  for await (const entry of entries) {
    const body = JSON.stringify(entry);
    assertFits(body, `The entry ${entry.slug}`);
    chunk.push({ _id: { generation, slug: entry.slug }, body });
    count += 1;
    if (chunk.length < CHUNK_ROWS) continue;
    await insert(chunk);
    chunk = [];
  }
  await insert(chunk);
  return count;
}

interface Switch {
  readonly facts: Pick<StateDocument, 'entries' | 'publishedAt'>;
  /** In the place of the stored withdrawals. */
  readonly replaced: readonly WithdrawalRecord[] | undefined;
}

/** The one write by which all readers get the new generation. */
async function switchGeneration(
  collections: CatalogCollections,
  lease: ImportLease,
  { facts, replaced }: Switch,
): Promise<StateDocument> {
  const { generation } = lease;
  const changed = await changeState(collections.states, {
    condition: lease.held,
    async decide(state) {
      lease.assertHeldIn(state);
      const withdrawals = await withdrawalsIn(collections, generation, replaced ?? state.withdrawals);
      // An attempt without an answer may have been made, and an entry withdrawn since then.
      const previous = state.content === generation ? state.previous : state.content;
      return { ...facts, content: generation, previous, withdrawals, withdrawn: countHidden(withdrawals) };
    },
  });
  if (changed === undefined) throw new Error('the state of the catalog is gone');
  return changed;
}

/** The generation before is published again; false when there is none. */
export async function rollBack(collections: CatalogCollections, lease: ImportLease, now: Date): Promise<boolean> {
  const changed = await changeState(collections.states, {
    condition: lease.held,
    async decide(state) {
      const { content, previous: generation } = state;
      const range = { $gte: { generation, slug: '' }, $lt: { generation: generation + 1, slug: '' } };
      const entries = await collections.slugs.countDocuments({ _id: range, body: { $exists: true } });
      if (entries === 0) return undefined;
      const withdrawals = await withdrawalsIn(collections, generation, state.withdrawals);
      return {
        ...{ content: generation, previous: content, entries, publishedAt: now.toISOString(), withdrawals },
        withdrawn: countHidden(withdrawals),
      };
    },
  });
  return changed !== undefined;
}
