// All stores. Each feature adds its own in its `services.ts`, by declaration merging.
import type { JobSlots } from '../jobs/job-slots.js';
import type { Locks } from './locks.js';

export interface Stores {
  readonly jobSlots: JobSlots;
  readonly locks: Locks;
  /** Parts of `/readyz` by name. A check rejects while its part cannot be used. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /**
   * Returns the secret that signs tokens and links if JWT_SECRET is not set. It is the same for all processes on these
   * stores. Throws ConfigError.
   */
  signingSecret(): string;
  /** Returns the result of `read`. Rejects with ConfigError if it reads damaged data. For reads at the start. */
  readIntact<Result>(read: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
