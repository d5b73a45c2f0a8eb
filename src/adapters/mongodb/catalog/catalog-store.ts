// Catalog in MongoDB: one document names the published generation; an import writes the next one beside it.
import type { Db } from 'mongodb';
import type { Entry, Lookup, Slug } from '../../../domain/catalog/entry.js';
import { AppError } from '../../../errors.js';
import type {
  CatalogSource,
  CatalogState,
  CatalogStore,
  ImportSession,
  Withdrawal,
} from '../../../ports/catalog-store.js';
import { inTime, orUnavailable } from '../driver-error.js';
import { catalogCollections, type CatalogCollections } from './collections.js';
import { entryPages } from './entry-pages.js';
import { acquireImportLease, type LeaseOptions } from './import-lease.js';
import { openImportSession, readSources } from './import-session.js';
import { inChunks } from './pages.js';
import { changeState, STATE_ID, type StateDocument, type WithdrawalRecord } from './state.js';
import { countHidden, hiddenSlugs, withdrawalsIn } from './withdrawals.js';

/** Entries that `entries` reads at once. */
const PAGE_ROWS = 500;
/** Longer than any pause of a healthy importer, and how long another one waits when an importer has died. */
const LEASE_MS = 20_000;

interface Options {
  /** How long the right to import outlives its holder, ms. */
  readonly leaseMs?: number;
}

/** `now`: ms since the epoch. The indexes must be there: `CATALOG_MIGRATIONS`. */
export function createMongoCatalogStore(db: Db, now: () => number, { leaseMs = LEASE_MS }: Options = {}): CatalogStore {
  const collections = catalogCollections(db);
  return {
    // Requests wait for these three.
    state: () => inTime(() => readState(collections)),
    find: (slug) => inTime(() => lookUp(collections, slug)),
    drawing: (etag) =>
      inTime(async () => (await collections.drawings.findOne({ _id: etag }, { projection: { svg: 1 } }))?.svg),
    entries: () => readEntries(collections),
    sources: () =>
      orUnavailable(async () => {
        const content = (await collections.states.findOne({ _id: STATE_ID }, { projection: { content: 1 } }))?.content;
        const sources = await readSources(collections, content ?? 0);
        return sources.map(({ body }) => JSON.parse(body) as CatalogSource);
      }),
    redirects: () => orUnavailable(() => listRedirects(collections)),
    withdrawals: () => orUnavailable(() => listWithdrawals(collections)),
    withdraw: (slug, reason, at) => orUnavailable(() => withdraw(collections, slug, { reason, at })),
    restore: (slug) => orUnavailable(() => restore(collections, slug)),
    beginImport: () => orUnavailable(() => beginImport(collections, { now, leaseMs })),
  };
}

async function readState({ states }: CatalogCollections): Promise<CatalogState | undefined> {
  const projection = { version: 1, entries: 1, withdrawn: 1, publishedAt: 1 };
  const state = await states.findOne({ _id: STATE_ID }, { projection });
  if (!state?.publishedAt) return undefined;
  const { version, entries, withdrawn, publishedAt } = state;
  return { generation: version, entries: entries - withdrawn, publishedAt };
}

async function lookUp({ states, slugs }: CatalogCollections, slug: Slug): Promise<Lookup> {
  const withdrawals = { $elemMatch: { $or: [{ slug }, { hides: slug }] } };
  const state = await states.findOne({ _id: STATE_ID }, { projection: { content: 1, withdrawals } });
  if (state === null) return { kind: 'missing' };
  // Before the redirects: a later import may have made a withdrawn slug a redirect to the same drawing. The projection
  // leaves the field out where there is no match.
  const [withdrawal] = (state as Partial<StateDocument>).withdrawals ?? [];
  if (withdrawal !== undefined) return { kind: 'withdrawn', slug, reason: withdrawal.reason };
  const found = await slugs.findOne({ _id: { generation: state.content, slug } });
  if (found?.body !== undefined) return { kind: 'entry', entry: JSON.parse(found.body) as Entry };
  return found?.target === undefined ? { kind: 'missing' } : { kind: 'moved', to: found.target };
}

async function* readEntries(collections: CatalogCollections): AsyncIterable<Entry> {
  const read = () => orUnavailable(() => collections.states.findOne({ _id: STATE_ID }));
  const content = (await read())?.content;
  if (content === undefined) return;
  for await (const page of entryPages(collections, content, PAGE_ROWS)) {
    const current = await read();
    // The next import but one deletes this generation's documents.
    if (current === null || (current.content !== content && current.previous !== content))
      throw new AppError('unavailable', 'The catalog was replaced twice while it was read.');
    const { withdrawals } = current;
    const hidden = hiddenSlugs(
      current.content === content
        ? withdrawals
        : await orUnavailable(() => withdrawalsIn(collections, content, withdrawals)),
    );
    for (const { _id, body } of page) if (!hidden.has(_id.slug)) yield JSON.parse(body) as Entry;
  }
}

async function listRedirects({ states, slugs }: CatalogCollections): Promise<readonly (readonly [Slug, Slug])[]> {
  const generation = (await states.findOne({ _id: STATE_ID }, { projection: { content: 1 } }))?.content;
  if (generation === undefined) return [];
  const range = { $gte: { generation, slug: '' }, $lt: { generation: generation + 1, slug: '' } };
  const found = await slugs
    .find({ _id: range, target: { $exists: true } }, { projection: { target: 1 }, sort: { _id: 1 } })
    .toArray();
  return found.flatMap(({ _id, target }) => (target === undefined ? [] : [[_id.slug as Slug, target] as const]));
}

async function listWithdrawals({ states, slugs }: CatalogCollections): Promise<readonly Withdrawal[]> {
  const state = await states.findOne({ _id: STATE_ID }, { projection: { content: 1, withdrawals: 1 } });
  if (state === null) return [];
  const entries = new Map<string, Entry>();
  const hidden = state.withdrawals.map(({ hides }) => hides).filter((slug) => slug !== null);
  for (const chunk of inChunks(hidden, PAGE_ROWS)) {
    const ids = chunk.map((slug) => ({ generation: state.content, slug }));
    for (const { _id, body } of await slugs.find({ _id: { $in: ids } }).toArray())
      if (body !== undefined) entries.set(_id.slug, JSON.parse(body) as Entry);
  }
  return [...state.withdrawals]
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
    .map(({ slug, reason, withdrawnAt, hides }) => ({
      slug,
      reason,
      withdrawnAt,
      entry: entries.get(hides ?? '') ?? null,
    }));
}

async function withdraw(
  { states, slugs }: CatalogCollections,
  slug: Slug,
  { reason, at }: { readonly reason: string; readonly at: Date },
): Promise<boolean> {
  const changed = await changeState(states, {
    async decide({ content, withdrawals }) {
      const entry = await slugs.findOne({ _id: { generation: content, slug } }, { projection: { body: 1 } });
      if (entry?.body === undefined) return undefined;
      const before = withdrawals.find((each) => each.slug === slug);
      const withdrawnAt = before?.withdrawnAt ?? at.toISOString();
      const others = withdrawals.filter((each) => each !== before);
      return withdrawalChange([...others, { slug, reason, withdrawnAt, hides: slug }]);
    },
  });
  return changed !== undefined;
}

async function restore({ states }: CatalogCollections, slug: Slug): Promise<boolean> {
  const changed = await changeState(states, {
    async decide({ withdrawals }) {
      const kept = withdrawals.filter((each) => each.slug !== slug && each.hides !== slug);
      return kept.length === withdrawals.length ? undefined : withdrawalChange(kept);
    },
  });
  return changed !== undefined;
}

function withdrawalChange(withdrawals: readonly WithdrawalRecord[]) {
  return { withdrawals, withdrawn: countHidden(withdrawals) };
}

async function beginImport(collections: CatalogCollections, options: LeaseOptions): Promise<ImportSession | undefined> {
  const lease = await acquireImportLease(collections.states, options);
  if (lease === undefined) return undefined;
  try {
    return await openImportSession(collections, lease);
  } catch (error) {
    await lease.release();
    throw error;
  }
}
