// Locks over all processes, for order and to save wasted work. They lapse, so nothing may be safe only because of one:
// what is guarded is saved with a version.

export interface Lease {
  /** Begins its time anew. False when it has lapsed, and maybe is another's. */
  renew(): Promise<boolean>;
  /** Only its own: what has lapsed and was taken by another stays locked. */
  release(): Promise<void>;
}

export interface Locks {
  /** Waits in line; undefined when the time is over. A lease lapses `leaseMs` after it began or was renewed. */
  acquire(name: string, limits: { readonly leaseMs: number; readonly waitMs: number }): Promise<Lease | undefined>;
}
