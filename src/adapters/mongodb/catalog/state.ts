// Catalog state: the one document that names the published generation, and whose every change is a compare and set.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Filter } from 'mongodb';
import type { Slug } from '../../../domain/catalog/entry.js';
import { AppError } from '../../../errors.js';
import { isUnavailable, unavailableOr } from '../driver-error.js';

export interface WithdrawalRecord {
  readonly slug: Slug;
  readonly reason: string;
  /** RFC 3339 UTC. */
  readonly withdrawnAt: string;
  /** The published entry of this slug, or of the one that it redirects to; null when there is none. */
  readonly hides: Slug | null;
}

/** The right to import. Here, so that one write can both check it and publish. */
export interface ImportHolder {
  readonly holder: string;
  readonly expiresAt: Date;
}

export interface StateDocument {
  readonly _id: 'catalog';
  /** Rises with whatever readers must notice. */
  readonly version: number;
  /** The generation of entries that readers get; 0 before the first publication. */
  readonly content: number;
  /** The one before it. */
  readonly previous: number;
  /** Generation of the last import that began. */
  readonly lastImport: number;
  /** All documents of imports before the last belong to `content` or `previous`. */
  readonly swept: boolean;
  /** Withdrawn ones counted, too. */
  readonly entries: number;
  readonly withdrawn: number;
  /** RFC 3339 UTC. */
  readonly publishedAt: string | null;
  readonly withdrawals: readonly WithdrawalRecord[];
  readonly import: ImportHolder | null;
  /** Id of the last change, by which a write without an answer is found. */
  readonly writeId: string;
}

export const STATE_ID = 'catalog';

export const FIRST_STATE: StateDocument = {
  _id: STATE_ID,
  version: 0,
  content: 0,
  previous: 0,
  lastImport: 0,
  swept: true,
  entries: 0,
  withdrawn: 0,
  publishedAt: null,
  withdrawals: [],
  import: null,
  writeId: '',
};

export type StateChange = Partial<
  Pick<StateDocument, 'content' | 'previous' | 'entries' | 'withdrawn' | 'publishedAt' | 'withdrawals'>
>;

interface ChangeOptions {
  /** Called for each attempt; undefined: nothing is to be changed. */
  readonly decide: (state: StateDocument) => Promise<StateChange | undefined>;
  /** What must hold when the change is made, beside the version. */
  readonly condition?: () => Filter<StateDocument>;
}

const MAX_ATTEMPTS = 10;
const RETRY_MS = 20;
/** As JSON; BSON takes up to an eighth more, and a document has at most 16 MiB. */
const MAX_WITHDRAWALS_BYTES = 12_000_000;

/**
 * Changes the state and raises its version by one, if it is unchanged since it was read; else decides again.
 * The state as changed; undefined when nothing was to be changed. A write without an answer is repeated or found by its
 * id, never guessed.
 */
export async function changeState(
  states: Collection<StateDocument>,
  { decide, condition = () => ({}) }: ChangeOptions,
): Promise<StateDocument | undefined> {
  const written = new Set<string>();
  let cause: unknown;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(RETRY_MS * attempt);
    const state = await states.findOne({ _id: STATE_ID });
    if (state === null) return undefined;
    if (written.has(state.writeId)) return state;
    const change = await decide(state);
    if (change === undefined) return undefined;
    assertWithdrawalsFit(change);
    const writeId = randomUUID();
    written.add(writeId);
    try {
      const changed = await states.findOneAndUpdate(
        { ...condition(), _id: STATE_ID, version: state.version },
        { $set: { ...change, writeId }, $inc: { version: 1 } },
        { returnDocument: 'after' },
      );
      if (changed !== null) return changed;
    } catch (error) {
      if (!isUnavailable(unavailableOr(error))) throw error;
      cause = error;
    }
  }
  throw new AppError('unavailable', 'The catalog could not be changed.', { cause });
}

function assertWithdrawalsFit({ withdrawals }: StateChange): void {
  if (withdrawals !== undefined && Buffer.byteLength(JSON.stringify(withdrawals)) > MAX_WITHDRAWALS_BYTES)
    throw new AppError('payload_too_large', `There are too many withdrawals: ${withdrawals.length}.`);
}
