// Password reset requests, stored until they are carried out.
import type { AuditActor } from './audit-event.js';

export interface PasswordResetRequest {
  readonly id: string;
  /** `emailIdentity` of the address; there may be no such account. */
  readonly identity: string;
  readonly by: AuditActor;
  readonly requestedAt: Date;
}

/** Maximum number of stored requests. A job carries out within a minute what a process cannot defer. */
export const MAX_STORED_REQUESTS = 10_000;

export interface PasswordResetRequests {
  /**
   * Stores a request. It is durable when the call resolves. Returns false, and does not store it, if
   * `MAX_STORED_REQUESTS` are stored.
   */
  add(request: PasswordResetRequest): Promise<boolean>;
  /**
   * Returns at most `limit` requests stored until then, oldest first. Also returns requests dated more than
   * `CLOCK_TOLERANCE_MS` later than now, because some clock was ahead.
   */
  storedUntil(until: Date, limit: number): Promise<readonly PasswordResetRequest[]>;
  /** Removes a request. Does nothing if it is already gone. */
  remove(id: string): Promise<void>;
}
