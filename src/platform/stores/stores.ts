// Everything that keeps state. Each feature adds its stores in its `services.ts`, by declaration merging.
import type { JobSlots } from '../jobs/job-slots.js';
import type { Locks } from './locks.js';

export interface Stores {
  readonly jobSlots: JobSlots;
  readonly locks: Locks;
  /** Parts of `/readyz` by name; each rejects while its part cannot be used. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Signs tokens and links where JWT_SECRET is not set. The same for all processes on these stores. Throws ConfigError. */
  signingSecret(): string;
  /** Resolves as `read` does; rejects with ConfigError when what it reads is damaged. For reading at the start. */
  readIntact<Result>(read: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}
