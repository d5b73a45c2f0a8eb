// Type of all stores. Features declare their stores in `services.ts`, by declaration merging.
import type { JobSlots } from '../jobs/job-slots.js';
import type { Locks } from './locks.js';

export interface Stores {
  readonly jobSlots: JobSlots;
  readonly locks: Locks;
  /** Health checks in `/readyz`, by name. A check rejects if the part of the service that it checks does not work. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /**
   * Returns the secret that signs tokens and links if JWT_SECRET is not set. All processes that use these stores get
   * the same secret. Throws ConfigError if there is no secret.
   */
  signingSecret(): string;
  /** Returns the result of `read`. Rejects with ConfigError if the data on disk is damaged. Used for reads at start. */
  readIntact<Result>(read: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
