// Catalog store on the interfaces `Tables` and `CatalogRows`, which SQLite and MongoDB implement. One record names the
// published version of the catalog. An import writes the next version while the published version is in use.
import type { Entry, Lookup, Slug } from './entry.js';
import { SECOND_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { CatalogRows } from './catalog-rows.js';
import type { CatalogStore, Withdrawal } from './catalog-store.js';
import type { Tables } from '../platform/stores/tables.js';
import {
  CATALOG_STATE,
  changeState,
  HEAD,
  publishedState,
  STATE_ID,
  withdrawalChange,
  withdrawalsIn,
  type StateRecord,
  type States,
} from './catalog-state.records.js';
import { lockByProcess, lockByState, type LockProcess } from './import-lock.records.js';
import { drawingId, entriesOf, pagesOf, readSources, redirectsOf } from './row-ids.records.js';

const LOCK_MS = 20 * SECOND_MS;

interface Options {
  readonly table: Tables;
  readonly rows: CatalogRows;
  /** Current time, ms since the epoch. */
  readonly now: () => number;
  /** Time in ms after which the import lock expires if its holder has died. */
  readonly lockMs?: number | undefined;
  /** Takes an import lock of the operating system. If omitted, the catalog state holds the lock. */
  readonly lockProcess?: LockProcess;
}

export function createCatalogStore(options: Options): CatalogStore {
  const { table, rows, now, lockMs = LOCK_MS, lockProcess } = options;
  const states = table(CATALOG_STATE);
  return {
    ...catalogReads(states, rows),

    async withdraw(slug, reason, at) {
      const changed = await changeState(states, async (state) => {
        if ((await rows.get([entriesOf(state.content) + slug])).size === 0) return undefined;
        const before = state.withdrawals.find((one) => one.slug === slug);
        const withdrawnAt = before?.withdrawnAt ?? at.toISOString();
        const others = state.withdrawals.filter((one) => one !== before);
        return withdrawalChange(state, [...others, { slug, reason, withdrawnAt, hides: slug }]);
      });
      return changed !== undefined;
    },

    async restore(slug) {
      const changed = await changeState(states, (state) => {
        const kept = state.withdrawals.filter((one) => one.slug !== slug && one.hides !== slug);
        return kept.length === state.withdrawals.length ? undefined : withdrawalChange(state, kept);
      });
      return changed !== undefined;
    },

    async beginImport() {
      const lock = await (lockProcess ? lockByProcess(states, lockProcess) : lockByState(states, { now, lockMs }));
      if (lock === undefined) return undefined;
      try {
        // Loaded only for an import, because most processes that open a catalog import nothing.
        const { openImportSession } = await import('./import-session.records.js');
        return await openImportSession({ states, rows, lock });
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
  };
}

type CurrentState = () => Promise<StateRecord | undefined>;

function catalogReads(states: States, rows: CatalogRows) {
  let known: StateRecord | undefined;
  const head = () => states.part(HEAD, { id: STATE_ID });

  /** Returns the state. Reads a few fields of it, and the whole state only if these fields have changed. */
  const current: CurrentState = async () => {
    const found = await head();
    if (found?.generation !== known?.generation) known = await states.get(STATE_ID);
    return known;
  };

  return {
    async state() {
      const found = await head();
      return found && publishedState(found);
    },

    async find(slug: Slug) {
      const state = await current();
      return state ? lookUp(rows, state, slug) : ({ kind: 'missing' } as const);
    },

    async drawing(etag: string) {
      const id = drawingId(etag);
      return (await rows.get([id])).get(id);
    },

    entries: () => readEntries(rows, current),
    sources: async () => readSources(rows, (await current())?.content ?? 0),

    async redirects() {
      const prefix = redirectsOf((await current())?.content ?? 0);
      const found: (readonly [from: Slug, to: Slug])[] = [];
      for await (const page of pagesOf(rows, prefix))
        for (const { id, text } of page) found.push([id.slice(prefix.length) as Slug, text as Slug]);
      return found;
    },

    async withdrawals() {
      const state = await current();
      return state ? readWithdrawals(rows, state) : [];
    },
  };
}

async function lookUp(rows: CatalogRows, { content, withdrawals }: StateRecord, slug: Slug): Promise<Lookup> {
  // Withdrawals are checked before redirects. A later import may redirect a withdrawn slug to a new slug with the
  // withdrawn drawing, which must stay withdrawn.
  const withdrawal = withdrawals.find((one) => one.slug === slug || one.hides === slug);
  if (withdrawal) return { kind: 'withdrawn', slug, reason: withdrawal.reason };
  const [entryId, redirectId] = [entriesOf(content) + slug, redirectsOf(content) + slug];
  const texts = await rows.get([entryId, redirectId]);
  const entry = texts.get(entryId);
  if (entry !== undefined) return { kind: 'entry', entry: JSON.parse(entry) as Entry };
  const to = texts.get(redirectId);
  return to === undefined ? { kind: 'missing' } : { kind: 'moved', to: to as Slug };
}

async function* readEntries(rows: CatalogRows, current: CurrentState): AsyncIterable<Entry> {
  const content = (await current())?.content;
  if (content === undefined) return;
  for await (const page of pagesOf(rows, entriesOf(content))) {
    const state = await current();
    // The store keeps two catalogs. If two catalogs were published since the start of this loop, the rows that the loop
    // reads have been removed.
    if (state?.content !== content && state?.previous !== content)
      throw new AppError('unavailable', 'The catalog was replaced twice while it was being read. Try again.');
    const { withdrawals } = state;
    const hiding = state.content === content ? withdrawals : await withdrawalsIn(rows, content, withdrawals);
    const hidden = new Set<string>(hiding.flatMap(({ slug, hides }) => (hides === null ? [slug] : [slug, hides])));
    for (const entry of page.map(({ text }) => JSON.parse(text) as Entry)) if (!hidden.has(entry.slug)) yield entry;
  }
}

async function readWithdrawals(rows: CatalogRows, state: StateRecord): Promise<readonly Withdrawal[]> {
  const entryId = (slug: Slug | null): string => entriesOf(state.content) + (slug ?? '');
  const texts = await rows.get(state.withdrawals.map(({ hides }) => entryId(hides)));
  return state.withdrawals
    .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
    .map(({ hides, ...withdrawal }) => {
      const entry = texts.get(entryId(hides));
      return { ...withdrawal, entry: entry === undefined ? null : (JSON.parse(entry) as Entry) };
    });
}
