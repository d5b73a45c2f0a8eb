// Catalog state: the only record that names the published version of the catalog. Every change is a compare-and-set
// (ADR 13).
import { z } from 'zod';
import type { Slug } from './entry.js';
import { branded, instant, type RecordOf } from '../platform/stores/stored-record.js';
import { AppError } from '../platform/errors.js';
import type { CatalogRows } from './catalog-rows.js';
import type { CatalogState } from './catalog-store.js';
import type { Table } from '../platform/stores/tables.js';
import { changeRecord } from '../platform/stores/change-record.js';
import { chunksOf, entriesOf, PAGE_ROWS, redirectsOf } from './row-ids.records.js';

const schema = z.object({
  id: z.string(),
  /** Counter of changes. Readers poll it. Every publication, rollback, withdrawal and restoration increases it. */
  generation: z.int(),
  /** Number of the published import. Lookups read the rows of this import. 0 before the first publication. */
  content: z.int(),
  /** Number of the import that was published before `content`. A rollback publishes this import again. */
  previous: z.int(),
  /** Number of the last started import. */
  lastImport: z.int(),
  /** True if every row belongs to `content` or `previous`, so that there is nothing to sweep. */
  swept: z.boolean(),
  /** Number of entries, including withdrawn entries. */
  entries: z.int(),
  withdrawn: z.int(),
  /** RFC 3339 UTC. */
  publishedAt: z.string().nullable(),
  withdrawals: z.array(
    z.object({
      slug: branded<Slug>(),
      reason: z.string(),
      /** RFC 3339 UTC. */
      withdrawnAt: z.string(),
      /**
       * Slug of the published entry that this withdrawal hides: the withdrawn slug, or the slug to which it redirects.
       * Null if no entry is hidden.
       */
      hides: branded<Slug>().nullable(),
    }),
  ),
  /**
   * Holder of the import lock; null if no import runs, or if the operating system manages the lock. The lock is a field
   * of the state, so that one write can both check the lock and publish.
   */
  import: z.object({ holder: z.string(), expiresAt: instant }).nullable(),
  version: z.int(),
});
export type StateRecord = RecordOf<typeof schema>;
export type WithdrawalRecord = StateRecord['withdrawals'][number];
export type States = Table<StateRecord>;

export const STATE_ID = 'catalog';
export const CATALOG_STATE = { name: 'catalogState', schema };
export const HEAD = {
  name: 'head',
  schema: schema.pick({ id: true, generation: true, entries: true, withdrawn: true, publishedAt: true }),
};

export const FIRST_STATE: StateRecord = {
  id: STATE_ID,
  generation: 0,
  content: 0,
  previous: 0,
  lastImport: 0,
  swept: true,
  entries: 0,
  withdrawn: 0,
  publishedAt: null,
  withdrawals: [],
  import: null,
  version: 0,
};

/**
 * Maximum size of all withdrawals as JSON. BSON takes up to an eighth more, and a MongoDB document may have at most 16
 * MiB.
 */
const MAX_WITHDRAWALS_BYTES = 12_000_000;

/**
 * Calls `decide` with the current state, and applies the change that it returns. If the state has changed in the
 * meantime, calls `decide` again. Resolves with the changed state, or with undefined if `decide` returns undefined.
 * After a rejection with AppError `unavailable`, the change may or may not have been applied.
 */
export function changeState(
  states: States,
  decide: (state: StateRecord) => Partial<StateRecord> | undefined | Promise<Partial<StateRecord> | undefined>,
): Promise<StateRecord | undefined> {
  return changeRecord(states, STATE_ID, async (stored) => {
    const state = stored ?? FIRST_STATE;
    const change = await decide(state);
    if (change === undefined) return undefined;
    const { withdrawals = [] } = change;
    if (Buffer.byteLength(JSON.stringify(withdrawals)) > MAX_WITHDRAWALS_BYTES)
      throw new AppError(
        'payload_too_large',
        `There are too many withdrawals (${withdrawals.length}). Restore entries before you withdraw others.`,
      );
    return { ...state, ...change };
  });
}

/** Returns undefined before the first publication. */
export function publishedState({
  generation,
  entries,
  withdrawn,
  publishedAt,
}: RecordOf<typeof HEAD.schema>): CatalogState | undefined {
  return publishedAt === null ? undefined : { generation, entries: entries - withdrawn, publishedAt };
}

/**
 * Returns the changes of the state for a new list of withdrawals. They include a higher `generation`, which tells
 * readers to load the state again.
 */
export function withdrawalChange({ generation }: StateRecord, withdrawals: readonly WithdrawalRecord[]) {
  const hidden = new Set(withdrawals.map(({ hides }) => hides).filter((slug) => slug !== null));
  return { generation: generation + 1, withdrawals, withdrawn: hidden.size };
}

/**
 * Returns the withdrawals with the field `hides` set for the catalog of the import `generation`. An entry may have
 * different slugs in two catalogs, so `hides` may differ between the catalogs.
 */
export async function withdrawalsIn(
  rows: Pick<CatalogRows, 'get'>,
  generation: number,
  withdrawals: readonly WithdrawalRecord[],
): Promise<readonly WithdrawalRecord[]> {
  const found: WithdrawalRecord[] = [];
  for await (const chunk of chunksOf(withdrawals, PAGE_ROWS)) {
    const entryId = (slug: Slug): string => entriesOf(generation) + slug;
    const redirectId = (slug: Slug): string => redirectsOf(generation) + slug;
    const texts = await rows.get(chunk.flatMap(({ slug }) => [entryId(slug), redirectId(slug)]));
    for (const one of chunk) {
      const target = texts.get(redirectId(one.slug)) as Slug | undefined;
      found.push({ ...one, hides: target ?? (texts.has(entryId(one.slug)) ? one.slug : null) });
    }
  }
  return found;
}
