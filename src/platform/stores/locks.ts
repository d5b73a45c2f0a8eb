// Locks over all processes, which order changes and save wasted work. Locks expire, so correctness must not depend on
// them: the guarded data is saved with a version.

export interface Lock {
  /** Restarts the lock's time. Returns false if the lock has expired, and may have been granted to another holder. */
  renew(): Promise<boolean>;
  /** Releases only this grant: an expired lock that was granted to another holder stays locked. */
  release(): Promise<void>;
}

export interface Locks {
  /**
   * Acquires a lock. Grants go in the order in which the waits end. Equal waits are granted in the order of their
   * start, over all processes. Returns undefined after `waitMs`. A lock expires `expiresAfterMs` after it was granted
   * or renewed. Rejects with AppError `unavailable` if the store of the locks cannot be reached.
   */
  acquire(
    name: string,
    limits: { readonly expiresAfterMs: number; readonly waitMs: number },
  ): Promise<Lock | undefined>;
}
