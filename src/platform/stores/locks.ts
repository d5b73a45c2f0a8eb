// Locks over all processes, for order and to save wasted work. They expire, so correctness must not depend on one: the
// guarded data is saved with a version.

export interface Lock {
  /** Restarts its time. False when it has expired, and may have been granted to another. */
  renew(): Promise<boolean>;
  /** Releases this grant only: an expired lock that was granted to another stays locked. */
  release(): Promise<void>;
}

export interface Locks {
  /**
   * Granted in the order in which the waits end, so of equal waits in the order of their beginning, whichever processes they
   * are of. Undefined after `waitMs`. A lock expires `expiresAfterMs` after it was granted or renewed. Rejects with AppError
   * `unavailable` when the store of the locks cannot be reached.
   */
  acquire(
    name: string,
    limits: { readonly expiresAfterMs: number; readonly waitMs: number },
  ): Promise<Lock | undefined>;
}
