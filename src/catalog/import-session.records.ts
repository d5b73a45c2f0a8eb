// Import session. It writes the rows of a new version of the catalog while the published rows are in use. A change of
// the catalog state then publishes the new rows.
import { setTimeout as sleep } from 'node:timers/promises';
import { entryDigest } from './import/build-entry.js';
import { etagsOf, type Candidate } from './import/candidate.js';
import type { Entry } from './entry.js';
import { isCode } from '../platform/errors.js';
import type { CatalogRow, CatalogRows } from './catalog-rows.js';
import type { CatalogState, ImportSession, Publication } from './catalog-store.js';
import {
  changeState,
  withdrawalChange,
  withdrawalsIn,
  type StateRecord,
  type States,
  type WithdrawalRecord,
} from './catalog-state.records.js';
import { sweepCatalog } from './catalog-sweep.records.js';
import type { ImportLock } from './import-lock.records.js';
import {
  drawingId,
  candidatesOf,
  chunksOf,
  countRows,
  entriesOf,
  PAGE_ROWS,
  pagesOf,
  readSources,
  redirectsOf,
  sourceRow,
  sourcesOf,
  usesOf,
  type SourceRow,
} from './row-ids.records.js';

interface Parts {
  readonly states: States;
  readonly rows: CatalogRows;
  /** Import lock, which `close` releases. If `openImportSession` rejects, the caller releases it. */
  readonly lock: ImportLock;
}

const PUBLISH_TRIES = 5;
const RETRY_MS = 50;

export async function openImportSession(parts: Parts): Promise<ImportSession> {
  const { rows, lock } = parts;
  const { before, generation, assertHeld } = lock;
  if (!before.swept)
    await sweepCatalog(rows, { kept: [before.content, before.previous], below: generation, assertHeld });
  const givenOf = await takeOverSources(parts);
  return {
    putDrawings: (assets) =>
      add(
        parts,
        assets.map(({ etag, svg }) => ({ id: drawingId(etag), text: svg })),
      ),

    async putSource(source) {
      assertHeld();
      await rows.put(rowOfSource(generation, { given: generation, source }), generation);
      givenOf.set(source.id, generation);
    },

    async dropSource(id) {
      assertHeld();
      givenOf.delete(id);
      return (await rows.remove([sourcesOf(generation) + id], generation + 1)) > 0;
    },

    putCandidates: (source, candidates) => putCandidates(parts, source, candidates),

    async sources() {
      assertHeld();
      return readSources(rows, generation);
    },

    async *candidates(source) {
      const prefix = candidatesOf(givenOf.get(source) ?? generation, source);
      for await (const page of pagesOf(rows, prefix, assertHeld))
        for (const { text } of page) yield JSON.parse(text) as Candidate;
    },

    async *revisions() {
      for await (const page of pagesOf(rows, entriesOf(before.content), assertHeld))
        for (const entry of page.map(({ text }) => JSON.parse(text) as Entry))
          yield { slug: entry.slug, digest: entryDigest(entry), updatedAt: entry.updatedAt };
    },

    publish: (publication, now) => publish(parts, publication, now),
    rollBack: (now) => rollBack(parts, now),
    close: () => lock.release(),
  };
}

async function add({ rows, lock }: Parts, added: readonly CatalogRow[]): Promise<void> {
  lock.assertHeld();
  await rows.add(added, lock.generation);
}

const rowOfSource = (generation: number, row: SourceRow): CatalogRow => ({
  id: sourcesOf(generation) + row.source.id,
  text: JSON.stringify(row),
});

/**
 * Adds the published sources to the import. Returns a map: id of a source → number of the import that read the source's
 * candidates.
 */
async function takeOverSources(parts: Parts): Promise<Map<string, number>> {
  const { before, generation } = parts.lock;
  const givenOf = new Map<string, number>();
  for await (const page of pagesOf(parts.rows, sourcesOf(before.content))) {
    const found = page.map(sourceRow);
    for (const { given, source } of found) givenOf.set(source.id, given);
    await add(
      parts,
      found.map((row) => rowOfSource(generation, row)),
    );
  }
  return givenOf;
}

async function putCandidates(parts: Parts, source: string, candidates: readonly Candidate[]): Promise<void> {
  const [first] = candidates;
  if (first === undefined) return;
  const { generation } = parts.lock;
  const prefix = candidatesOf(generation, source);
  await add(
    parts,
    candidates.map((candidate) => ({ id: prefix + candidate.key, text: JSON.stringify(candidate) })),
  );
  const etags = new Set(candidates.flatMap(etagsOf));
  await add(parts, [{ id: usesOf(generation, source) + first.key, text: [...etags].join(' ') }]);
}

async function publish(
  parts: Parts,
  { entries, redirects, withdrawals }: Publication,
  now: Date,
): Promise<CatalogState> {
  const { generation } = parts.lock;
  let count = 0;
  for await (const chunk of chunksOf(entries, PAGE_ROWS)) {
    await add(
      parts,
      chunk.map((entry) => ({ id: entriesOf(generation) + entry.slug, text: JSON.stringify(entry) })),
    );
    count += chunk.length;
  }
  for await (const chunk of chunksOf(redirects, PAGE_ROWS))
    await add(
      parts,
      chunk.map(([from, to]) => ({ id: redirectsOf(generation) + from, text: to })),
    );
  const publishedAt = now.toISOString();
  const replaced = withdrawals?.map((one) => ({ ...one, hides: null }));
  const state = await switchGeneration(parts, { entries: count, publishedAt, replaced });
  // The import succeeds even if unused rows cannot be swept, because the next import sweeps them.
  await sweepAfter(parts).catch(() => undefined);
  return { generation: state.generation, entries: state.entries - state.withdrawn, publishedAt };
}

interface Switch extends Pick<StateRecord, 'entries' | 'publishedAt'> {
  /** Withdrawals that replace the existing ones. Undefined if the existing ones stay. */
  readonly replaced: readonly WithdrawalRecord[] | undefined;
}

/**
 * Publishes the rows of the import to all readers in one write. If the write gets no response, writes again, unless the
 * catalog is already published.
 */
async function switchGeneration({ states, rows, lock }: Parts, { replaced, ...facts }: Switch): Promise<StateRecord> {
  const { before, generation } = lock;
  for (let tries = 1; ; tries++) {
    let found = before;
    try {
      const changed = await changeState(states, async (state) => {
        found = state;
        if (state.content === generation) return undefined;
        lock.assertHeld(state);
        const withdrawals = await withdrawalsIn(rows, generation, replaced ?? state.withdrawals);
        const change = withdrawalChange(state, withdrawals);
        return { ...facts, ...change, content: generation, previous: state.content };
      });
      return changed ?? found;
    } catch (error) {
      if (!isCode(error, 'unavailable') || tries === PUBLISH_TRIES) throw error;
      await sleep(RETRY_MS * tries);
    }
  }
}

async function sweepAfter({ states, rows, lock }: Parts): Promise<void> {
  const { before, generation, assertHeld } = lock;
  await sweepCatalog(rows, { kept: [generation, before.content], below: generation + 1, assertHeld });
  await changeState(states, (state) => {
    assertHeld(state);
    return { swept: true };
  });
}

async function rollBack({ states, rows, lock }: Parts, now: Date): Promise<boolean> {
  const changed = await changeState(states, async (state) => {
    lock.assertHeld(state);
    const entries = await countRows(rows, entriesOf(state.previous));
    if (entries === 0) return undefined;
    const change = withdrawalChange(state, await withdrawalsIn(rows, state.previous, state.withdrawals));
    const publishedAt = now.toISOString();
    return { ...change, content: state.previous, previous: state.content, entries, publishedAt };
  });
  return changed !== undefined;
}
