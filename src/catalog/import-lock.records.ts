// Import lock, which one importer has at a time: a lock of the operating system, or an entry in the state that lapses when its
// holder does not renew it.
import { randomUUID } from 'node:crypto';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { AppError } from '../platform/errors.js';
import { changeState, FIRST_STATE, type StateRecord, type States } from './catalog-state.records.js';

export interface ImportLock {
  /** The state when the import began. */
  readonly before: StateRecord;
  /** The number of the generation that this import writes; no other import has had it. */
  readonly generation: number;
  /**
   * Throws AppError `unavailable` when the lock has lapsed, even if no other importer has taken it; also when `state` gives
   * it to another one.
   */
  readonly assertHeld: (state?: StateRecord) => void;
  /** Never rejects: what could not be released lapses. */
  readonly release: () => Promise<void>;
}

/** A lock that ends with its process. Undefined while another process or session has it. */
export type LockProcess = () => { readonly release: () => void } | undefined;

/** Undefined while another importer has it. */
export async function lockByProcess(states: States, lockProcess: LockProcess): Promise<ImportLock | undefined> {
  const lock = lockProcess();
  if (lock === undefined) return undefined;
  let isHeld = true;
  async function release(): Promise<void> {
    if (isHeld) lock?.release();
    isHeld = false;
  }
  try {
    const begun = await begin(states, () => null);
    return begun && { ...begun, assertHeld: () => undefined, release };
  } catch (error) {
    await release();
    throw error;
  }
}

interface Lapsing {
  /** ms since the epoch. Importers whose clocks differ by more than `lockMs` take the lock from each other. */
  readonly now: () => number;
  /** How long the lock outlives its holder. */
  readonly lockMs: number;
}

/** Undefined while another importer has it. */
export async function lockByState(states: States, { now, lockMs }: Lapsing): Promise<ImportLock | undefined> {
  const holder = randomUUID();
  let expiresMs = now() + lockMs;
  let isReleased = false;
  const begun = await begin(states, ({ import: other }) =>
    other && other.expiresAt.getTime() > now() ? undefined : { holder, expiresAt: new Date(expiresMs) },
  );
  if (begun === undefined) return undefined;

  const isMine = (state: StateRecord): boolean => state.import?.holder === holder;
  function assertHeld(state?: StateRecord): void {
    if (isReleased || now() >= expiresMs || (state && !isMine(state)))
      throw new AppError('unavailable', 'The right to import has lapsed. Run the import again.');
  }
  async function renew(): Promise<void> {
    assertHeld();
    const nextMs = now() + lockMs;
    const changed = await changeState(states, (state) =>
      isMine(state) ? { import: { holder, expiresAt: new Date(nextMs) } } : undefined,
    );
    expiresMs = changed ? nextMs : 0;
  }
  // A lock that could not be renewed lapses.
  const rounds = periodicTask({ intervalMs: lockMs / 4, work: renew, onError: () => undefined });

  return {
    ...begun,
    assertHeld,
    async release() {
      if (isReleased) return;
      isReleased = true;
      rounds.stop();
      await changeState(states, (state) => (isMine(state) ? { import: null } : undefined)).catch(() => undefined);
    },
  };
}

/** Counts an import, and writes what `claim` returns as its holder; undefined when it returns that. */
async function begin(
  states: States,
  claim: (state: StateRecord) => StateRecord['import'] | undefined,
): Promise<Pick<ImportLock, 'before' | 'generation'> | undefined> {
  let before = FIRST_STATE;
  const changed = await changeState(states, (state) => {
    before = state;
    const holder = claim(state);
    return holder === undefined ? undefined : { import: holder, lastImport: state.lastImport + 1, swept: false };
  });
  return changed && { before, generation: changed.lastImport };
}
