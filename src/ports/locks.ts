// Locks over all processes, for order and to save wasted work. Leases lapse, so correctness must not depend on one: the
// guarded data is saved with a version.

export interface Lease {
  /** Restarts its time. False when it has lapsed, and may be granted to another. */
  renew(): Promise<boolean>;
  /** Releases its own grant only: a lapsed lock that was granted to another stays locked. */
  release(): Promise<void>;
}

export interface Locks {
  /**
   * Granted in order, of one process; several processes take turns. Undefined after `waitMs`. A lease lapses `leaseMs`
   * after it began or was renewed. Rejects with AppError `unavailable` when the store of the locks cannot be reached.
   */
  acquire(name: string, limits: { readonly leaseMs: number; readonly waitMs: number }): Promise<Lease | undefined>;
}
