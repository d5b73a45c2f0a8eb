// Catalog state: the one record that names the published generation, and whose every change is a compare and set (ADR 13).
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
  /** Rises with whatever readers must notice. */
  generation: z.int(),
  /** The generation of entries that readers get; 0 before the first publication. */
  content: z.int(),
  /** The one before it. */
  previous: z.int(),
  /** Generation of the last import that began. */
  lastImport: z.int(),
  /** All rows of imports before the last belong to `content` or `previous`. */
  swept: z.boolean(),
  /** Number of entries, withdrawn ones included. */
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
      /** The published entry of this slug, or of the one that it redirects to; null when there is none. */
      hides: branded<Slug>().nullable(),
    }),
  ),
  /** Holder of the import lock, where it is none of the operating system. Here, one write can both check it and publish. */
  import: z.object({ holder: z.string(), expiresAt: instant }).nullable(),
  version: z.int(),
});
export type StateRecord = RecordOf<typeof schema>;
export type WithdrawalRecord = StateRecord['withdrawals'][number];
export type States = Table<StateRecord>;

export const STATE_ID = 'catalog';
export const CATALOG_STATE = { name: 'catalogState', schema };
/** The fields that readers poll. */
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

/** As JSON; BSON takes up to an eighth more, and a document of MongoDB has at most 16 MiB. */
const MAX_WITHDRAWALS_BYTES = 12_000_000;

/**
 * Changes what `decide` returns, if the state is unchanged since it was read; else decides again. Resolves with the state as
 * changed; undefined when `decide` returns that. Rejects with AppError `unavailable`; then the change may be made.
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
      throw new AppError('payload_too_large', `There are too many withdrawals: ${withdrawals.length}.`);
    return { ...state, ...change };
  });
}

/** Undefined before the first publication. */
export function publishedState({
  generation,
  entries,
  withdrawn,
  publishedAt,
}: RecordOf<typeof HEAD.schema>): CatalogState | undefined {
  return publishedAt === null ? undefined : { generation, entries: entries - withdrawn, publishedAt };
}

/** The change to these withdrawals, which readers notice. */
export function withdrawalChange({ generation }: StateRecord, withdrawals: readonly WithdrawalRecord[]) {
  const hidden = new Set(withdrawals.map(({ hides }) => hides).filter((slug) => slug !== null));
  return { generation: generation + 1, withdrawals, withdrawn: hidden.size };
}

/** The same withdrawals, with what they hide in this generation. */
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
