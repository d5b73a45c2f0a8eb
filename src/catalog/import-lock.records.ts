// Import lock, which only one importer can hold. With SQLite, the operating system manages the lock. With MongoDB, a
// field of the catalog state names the holder, and the holder must renew the field before it expires.
import { randomUUID } from 'node:crypto';
import { periodicTask } from '../platform/concurrency/periodic-task.js';
import { AppError } from '../platform/errors.js';
import { changeState, FIRST_STATE, type StateRecord, type States } from './catalog-state.records.js';

export interface ImportLock {
  /** State of the catalog when the import began. */
  readonly before: StateRecord;
  /** Number of this import, unique and increasing. */
  readonly generation: number;
  /**
   * Throws AppError `unavailable` if the lock has expired, or if `state` names another holder. An expired lock cannot
   * be used, even if no other importer holds it.
   */
  readonly assertHeld: (state?: StateRecord) => void;
  /** Never rejects. A lock that cannot be released expires later. */
  readonly release: () => Promise<void>;
}

/**
 * Takes a lock that the operating system releases when the process ends. Returns undefined while another process or
 * session holds the lock.
 */
export type LockProcess = () => { readonly release: () => void } | undefined;

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
  /**
   * Current time, ms since the epoch. If the clocks of two importers differ by more than `lockMs`, one importer can
   * take the lock from the other.
   */
  readonly now: () => number;
  /** Time in ms after which the lock expires if its holder has died. */
  readonly lockMs: number;
}

/** Returns undefined while another importer holds the lock. */
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
      throw new AppError('unavailable', 'The lock of this import has expired. Run the import again.');
  }
  async function renew(): Promise<void> {
    assertHeld();
    const nextMs = now() + lockMs;
    const changed = await changeState(states, (state) =>
      isMine(state) ? { import: { holder, expiresAt: new Date(nextMs) } } : undefined,
    );
    expiresMs = changed ? nextMs : 0;
  }
  // Failed renewals are ignored. If all renewals fail, the lock expires, and `assertHeld` throws.
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

/**
 * Starts an import: increases `lastImport`, and stores the result of `claim` as the holder of the lock. If `claim`
 * returns undefined, changes nothing and returns undefined.
 */
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
