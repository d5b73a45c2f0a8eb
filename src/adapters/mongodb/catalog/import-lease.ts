// Lease of the right to import: renewed while its session lives, and taken over when it has lapsed.
import { randomUUID } from 'node:crypto';
import type { Collection, Filter } from 'mongodb';
import { AppError } from '../../../errors.js';
import { orUnavailable } from '../driver-error.js';
import { FIRST_STATE, STATE_ID, type StateDocument } from './state.js';

export interface ImportLease {
  /** The state when the import began. */
  readonly before: StateDocument;
  /** The number of the generation that this import writes; no other import has had it. */
  readonly generation: number;
  /** Throws AppError `unavailable` when the lease has lapsed, even if no other importer has taken it. */
  readonly assertHeld: () => void;
  /** Throws the same when another importer has taken the lease over. */
  assertHeldIn(state: StateDocument): void;
  /** Of the state document while the lease is held; throws as `assertHeld` does. */
  readonly held: () => Filter<StateDocument>;
  /** Remembers that the sweep is done, so that the next import need not begin with one. */
  markSwept(): Promise<void>;
  /** Never rejects: what could not be released lapses. */
  release(): Promise<void>;
}

export interface LeaseOptions {
  /** ms since the epoch. Importers whose clocks differ by more than the lease take it from each other. */
  readonly now: () => number;
  readonly leaseMs: number;
}

/** Undefined while another importer has it. */
export async function acquireImportLease(
  states: Collection<StateDocument>,
  options: LeaseOptions,
): Promise<ImportLease | undefined> {
  const { now, leaseMs } = options;
  const { _id, ...first } = FIRST_STATE;
  await states.updateOne({ _id }, { $setOnInsert: first }, { upsert: true });
  const holder = randomUUID();
  const startedMs = now();
  const expiresAt = new Date(startedMs + leaseMs);
  const before = await states.findOneAndUpdate(
    { _id: STATE_ID, $or: [{ import: null }, { 'import.expiresAt': { $lte: new Date(startedMs) } }] },
    { $set: { import: { holder, expiresAt }, swept: false }, $inc: { lastImport: 1 } },
    { returnDocument: 'before' },
  );
  return before === null ? undefined : leaseOf(states, before, { ...options, holder, expiresAt });
}

interface Holding extends LeaseOptions {
  readonly holder: string;
  readonly expiresAt: Date;
}

function leaseOf(
  states: Collection<StateDocument>,
  before: StateDocument,
  { now, leaseMs, holder, expiresAt }: Holding,
): ImportLease {
  let expiresMs = expiresAt.getTime();
  let isRenewing = false;
  let isReleased = false;

  const lapsed = () => new AppError('unavailable', 'The right to import has lapsed. Run the import again.');
  function assertHeld(): void {
    if (isReleased || now() >= expiresMs) throw lapsed();
  }
  const held = (): Filter<StateDocument> => {
    assertHeld();
    return { 'import.holder': holder, 'import.expiresAt': { $gt: new Date(now()) } };
  };
  async function renew(): Promise<void> {
    const nextMs = now() + leaseMs;
    const { matchedCount } = await states.updateOne(
      { ...held(), _id: STATE_ID },
      { $set: { 'import.expiresAt': new Date(nextMs) } },
    );
    expiresMs = matchedCount === 1 ? nextMs : 0;
  }
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    // Tried again at the next turn of the timer; a lease that could not be renewed lapses.
    renew()
      .catch(() => undefined)
      .finally(() => (isRenewing = false));
  }, leaseMs / 4);
  timer.unref();

  return {
    before,
    generation: before.lastImport + 1,
    assertHeld,
    assertHeldIn(state) {
      assertHeld();
      if (state.import?.holder !== holder) throw lapsed();
    },
    held,
    async markSwept() {
      await orUnavailable(() => states.updateOne({ ...held(), _id: STATE_ID }, { $set: { swept: true } }));
    },
    async release() {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      await states
        .updateOne({ _id: STATE_ID, 'import.holder': holder }, { $set: { import: null } })
        .catch(() => undefined);
    },
  };
}
