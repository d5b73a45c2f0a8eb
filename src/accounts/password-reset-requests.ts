// Password reset requests, stored until they are carried out.
import type { AuditActor } from './audit-event.js';

export interface PasswordResetRequest {
  readonly id: string;
  /** As of `emailIdentity`; there may be no such account. */
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

/** No more are stored. The job carries out within a minute what a process cannot defer. */
export const MAX_STORED_REQUESTS = 10_000;

export interface PasswordResetRequests {
  /** Durable when it resolves. False when `MAX_STORED_REQUESTS` are stored; then this one is not. */
  add(request: PasswordResetRequest): Promise<boolean>;
  /**
   * The oldest of those stored until then, at most `limit`; with them those that a clock which was ahead has dated more
   * than `CLOCK_TOLERANCE_MS` later than now.
   */
  storedUntil(until: Date, limit: number): Promise<readonly PasswordResetRequest[]>;
  /** Does nothing when it is gone already. */
  remove(id: string): Promise<void>;
}
