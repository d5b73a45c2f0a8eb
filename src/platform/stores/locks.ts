// Locks over all processes. They order changes to avoid wasted work. A lock may expire too early, so correctness must
// not depend on it: data is saved by compare-and-set of its version.

export interface Lock {
  /** Restarts the lock's expiry. Returns false if the lock has already expired. Another holder may then have it. */
  renew(): Promise<boolean>;
  /** Releases the lock, unless it has expired and another holder has it. */
  release(): Promise<void>;
}

export interface Locks {
  /**
   * Acquires a lock, or returns undefined after `waitMs`. Waiting callers of all processes get the lock in the order in
   * which their waits end. Callers with the same wait get it in the order in which they started. The lock expires
   * `expiresAfterMs` after it was acquired or renewed. Rejects with AppError `unavailable` if the store of the locks
   * cannot be reached.
   */
  acquire(
    name: string,
    limits: { readonly expiresAfterMs: number; readonly waitMs: number },
  ): Promise<Lock | undefined>;
}
