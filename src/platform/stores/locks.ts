// Locks over all processes. A lock orders changes, so that processes do not compute changes in vain. Correctness must
// not depend on locks, because a lock may expire too early. Therefore data is saved by compare-and-set of its version.

export interface Lock {
  /**
   * Extends the lock by its full lifetime. Returns false if the lock has already expired. Another holder may then have
   * acquired it.
   */
  renew(): Promise<boolean>;
  /** Releases the lock. Does nothing if the lock has expired and another holder has acquired it. */
  release(): Promise<void>;
}

export interface Locks {
  /**
   * Acquires a lock, or returns undefined after `waitMs`. Waiting callers of all processes get the lock in the order of
   * their deadlines (start of the call plus `waitMs`). The lock expires `expiresAfterMs` after it was acquired or last
   * renewed. Rejects with AppError `unavailable` if the store of the locks cannot be reached.
   */
  acquire(
    name: string,
    limits: { readonly expiresAfterMs: number; readonly waitMs: number },
  ): Promise<Lock | undefined>;
}
